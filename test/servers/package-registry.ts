import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

export interface PackageRegistry {
  readonly url: string;
  /** For a hub or npm: this registry, and a cache that nobody else uses. */
  readonly env: Readonly<Record<string, string>>;
  readonly asked: readonly string[];
  publish(manifest: Manifest, files: Files): PublishedPackage;
  /** What is stated about a version from now on, whatever was published. */
  state(name: string, version: string, dist: object): void;
  /** Downloads begin and never end, from now on. */
  hang(): void;
  close(): void;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

type Files = Readonly<Record<string, string | Buffer>>;

/** A package registry on loopback, for the real npm: only for what cannot be asked of a real one. */
export async function packageRegistry(): Promise<PackageRegistry> {
  const folder = temporaryFolder();
  const packages = new Map<string, Map<string, { manifest: object; tarball: Buffer; dist: object }>>();
  const asked: string[] = [];
  let hangs = false;
  const listener = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/')
      .replace(/\?.*$/, '')
      .slice(1);
    asked.push(path);
    const [name = '', version] = path.split('/-/');
    const versions = packages.get(name);
    if (versions === undefined) {
      response.writeHead(404).end('{}');
    } else if (version !== undefined) {
      const tarball = versions.get(version.replace(/\.tgz$/, ''))?.tarball ?? Buffer.of();
      response.writeHead(200, { 'content-length': tarball.length });
      if (hangs) response.write(tarball.subarray(0, 10));
      else response.end(tarball);
    } else {
      const listed = [...versions].map(([number, { manifest, dist }]) => [
        number,
        { ...manifest, dist: { tarball: `${url}/${name}/-/${number}.tgz`, ...dist } },
      ]);
      const latest = [...versions.keys()].at(-1);
      const document = { name, 'dist-tags': { latest }, versions: Object.fromEntries(listed) as object };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    }
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = (): void => {
    listener.closeAllConnections();
    listener.close();
  };
  onTestFinished(close);
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // a TCP listener has one
  return {
    url,
    env: {
      npm_config_registry: url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_userconfig: join(folder, 'npmrc'),
      npm_config_fetch_retries: '0',
    },
    asked,
    publish: (manifest, files) => {
      const tarball = packed(join(folder, `${asked.length}-${packages.size}`), manifest, files);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const versions = packages.get(manifest.name) ?? new Map();
      packages.set(manifest.name, versions);
      const scripted = 'scripts' in manifest ? { hasInstallScript: true } : {};
      versions.set(manifest.version, {
        manifest: { ...manifest, ...scripted },
        tarball,
        dist: { integrity },
      });
      return { name: manifest.name, version: manifest.version, integrity };
    },
    state: (name, version, dist) => {
      const found = packages.get(name)?.get(version);
      if (found) found.dist = dist;
    },
    hang: () => {
      hangs = true;
    },
    close,
  };
}

function packed(folder: string, manifest: object, files: Files): Buffer {
  const all = { ...files, 'package.json': JSON.stringify(manifest) };
  for (const [name, content] of Object.entries(all)) {
    const file = join(folder, 'package', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const archive = join(folder, 'package.tgz');
  const { status, stderr } = spawnSync('tar', ['-czf', archive, '-C', folder, 'package'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return readFileSync(archive);
}

/** A server in one file that needs nothing: its only tool answers how it was started. */
export const SERVER_FILE = `#!/usr/bin/env node
const answer = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
const started = () => JSON.stringify({ argv: process.argv.slice(1), parent: process.ppid, path: process.env.PATH });
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize')
    answer(id, { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'acme', version: '1' } });
  else if (method === 'tools/list')
    answer(id, { tools: [{ name: 'get_start', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }] });
  else if (method === 'tools/call') answer(id, { content: [{ type: 'text', text: started() }] });
  else process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
}).on('close', () => process.exit(0));
`;
