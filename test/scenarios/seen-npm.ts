import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** From now on npm and npx of this home ask nobody but that port, and ask once. */
export function useRegistryAt(port: number, home: string): void {
  const lines = [
    `registry=http://127.0.0.1:${port}/`,
    'fetch-retries=0',
    'audit=false',
    'fund=false',
    'update-notifier=false',
  ];
  writeFileSync(join(home, '.npmrc'), `${lines.join('\n')}\n`);
}

/** A package registry on that port, with one package: a server that answers `high at noon`. */
export async function startNpmRegistry(port: number, name: string): Promise<void> {
  const tarball = pack(name);
  const address = `http://127.0.0.1:${port}/${name}/-/${name}-1.0.0.tgz`;
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const version = { ...manifestOf(name), dist: { tarball: address, integrity } };
  const about = { name, 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
  const listener = createServer((request, response) => {
    if (request.url === `/${name}`) response.end(JSON.stringify(about));
    else if (request.url?.endsWith('.tgz')) response.end(tarball);
    else response.writeHead(404).end('{}');
  });
  listener.listen(port, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(async () => {
    listener.closeAllConnections();
    listener.close();
    await once(listener, 'close');
  });
}

function manifestOf(name: string): object {
  return { name, version: '1.0.0', bin: { [name]: 'server.js' } };
}

/** As `npm pack` makes it: everything below `package/`. */
function pack(name: string): Buffer {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package', 'package.json'), JSON.stringify(manifestOf(name)));
  writeFileSync(join(folder, 'package', 'server.js'), PROGRAM, { mode: 0o755 });
  const { status, stderr } = spawnSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  if (status !== 0) throw new Error(`tar failed: ${stderr.toString()}`);
  return readFileSync(join(folder, 'package.tgz'));
}

/** Complete in itself, as it is installed where nothing else is. */
const PROGRAM = `#!/usr/bin/env node
const tool = { name: 'get_tide', description: 'Gets the tide.', inputSchema: { type: 'object' } };
const results = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'tides', version: '1.0.0' },
  },
  ping: {},
  'tools/list': { tools: [tool] },
  'tools/call': { content: [{ type: 'text', text: 'high at noon' }] },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
});
`;
