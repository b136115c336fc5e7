import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { limits } from '../../base/limits.ts';
import { verifies } from '../../../test/requirements.ts';
import { zip } from '../../../test/zip-archive.ts';
import { readDocument } from '../registry/document.ts';
import { planBundle } from './bundle.ts';
import { fetchBundle } from './fetch-bundle.ts';
import { fillPlan } from './fill.ts';
import { planOf } from '../../../test/plan-of.ts';
import { unpackBundle } from './unpack-bundle.ts';

const MANIFEST = {
  name: 'notes',
  server: {
    type: 'node',
    mcp_config: {
      command: 'node',
      args: ['${__dirname}/server/index.js', '--folder', '${user_config.folder}'],
      env: { API_KEY: '${user_config.key}', HOME_OF: '${HOME}' },
      platform_overrides: { win32: { command: 'node.exe' } },
    },
  },
  user_config: {
    folder: { type: 'directory', title: 'Folder', required: true },
    key: { type: 'string', title: 'Key', sensitive: true, required: true },
  },
};

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plug-bundle-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function serve(bytes: Buffer): Promise<string> {
  const listener = createServer((request, response) => {
    if (request.url === '/release') response.writeHead(302, { location: '/storage' }).end();
    else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (request.url === '/storage') response.end(bytes);
    else response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // a TCP listener
}

/** Two names for the same bytes. */
function overlapping(): Buffer {
  const archive = zip([
    { path: 'manifest.json', content: '{}' },
    { path: 'other', content: '{}' },
  ]);
  const table = archive.readUInt32LE(archive.length - 22 + 16);
  const second = archive.indexOf('other', table) - 46;
  archive.writeUInt32LE(0, second + 42);
  return archive;
}

const sumOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

verifies(['S14'], 'a bundle is downloaded, verified, unpacked and planned from its manifest', async () => {
  const bytes = zip([
    { path: 'manifest.json', content: JSON.stringify(MANIFEST) },
    { path: 'server/index.js', content: 'console.log(1)' },
    { path: 'bin/tool', content: '#!/bin/sh', mode: 0o100_755 },
  ]);
  const sha256 = sumOf(bytes);
  const url = await serve(bytes);
  const parent = await temporary();
  const fetched = await fetchBundle({ url: `${url}/release`, sha256 }, { fetch, limits });
  const copy = Uint8Array.from(fetched);
  const { folder, manifest } = await unpackBundle(copy, { parent, sha256, limits });
  expect(await readFile(join(folder, 'server/index.js'), 'utf8')).toBe('console.log(1)');
  expect((await stat(join(folder, 'bin/tool'))).mode & 0o777).toBe(0o700);
  // Unpacking the same bundle again changes nothing and leaves nothing behind.
  await unpackBundle(fetched, { parent, sha256, limits });
  expect(await readdir(parent)).toEqual([sha256]);

  const read = readDocument(
    {
      server: {
        name: 'a/notes',
        packages: [{ registryType: 'mcpb', identifier: 'https://x.example/n.mcpb', fileSha256: sha256 }],
      },
    },
    'official',
  );
  if (read.kind === 'bad') throw new Error(read.reason);
  const before = planOf(read.entry);
  expect(() => fillPlan(before, {})).toThrow(/downloaded and unpacked first/);
  const plan = planBundle(before, { folder, manifest, platform: 'linux', home: '/home/u' });
  expect(plan.form).toMatchObject([
    { id: 'config:key', label: 'Key', kind: 'secret', required: true },
    { id: 'config:folder', label: 'Folder', kind: 'folder', required: true },
  ]);
  const { definition } = fillPlan(plan, { 'config:folder': '/tmp/n', 'config:key': 'k' });
  expect(definition.endpoint).toEqual({
    kind: 'stdio',
    command: 'node',
    args: [`${folder}/server/index.js`, '--folder', '/tmp/n'],
    env: { API_KEY: '${vault:notes/Key}', HOME_OF: '/home/u' },
    cwd: folder,
  });
  expect(definition.package?.integrity).toBe(`sha256-${Buffer.from(sha256, 'hex').toString('base64')}`);
  expect(definition.extra).toEqual({});
  const windows = planBundle(before, { folder, manifest, platform: 'win32', home: 'C:/u' });
  expect(windows.target).toMatchObject({ command: 'node.exe' });
});

verifies(
  ['S14'],
  'a bundle with another sum is refused, and so is a download that never arrives',
  async () => {
    const bytes = zip([{ path: 'manifest.json', content: '{}' }]);
    const url = await serve(bytes);
    const wrong = fetchBundle({ url: `${url}/storage`, sha256: 'b'.repeat(64) }, { fetch, limits });
    await expect(wrong).rejects.toMatchObject({ code: 'denied', details: { found: sumOf(bytes) } });
    const sha256 = sumOf(bytes);
    await expect(fetchBundle({ url: `${url}/none`, sha256 }, { fetch, limits })).rejects.toThrow(/HTTP 404/);
    await expect(fetchBundle({ url: `${url}/loop`, sha256 }, { fetch, limits })).rejects.toThrow(
      /without end/,
    );
  },
);

verifies(
  ['S14'],
  'an archive that would write elsewhere, unpack without end or hide a link leaves nothing behind',
  async () => {
    const parent = await temporary();
    const manifest = { path: 'manifest.json', content: '{}' };
    const evil: Readonly<Record<string, Buffer>> = {
      'outside its folder': zip([manifest, { path: '../../evil', content: 'x' }]),
      'outside its folder ': zip([manifest, { path: '/etc/evil', content: 'x' }]),
      ' outside its folder': zip([manifest, { path: 'a\\..\\..\\evil', content: 'x' }]),
      link: zip([manifest, { path: 'l', content: '/etc/passwd', mode: 0o120_777 }]),
      twice: zip([manifest, { path: 'MANIFEST.json', content: '{"other":1}' }]),
      'larger than it claims': zip([manifest, { path: 'bomb', content: 'x'.repeat(100_000), claims: 10 }]),
      ' twice': zip([manifest, { path: 'cafe\u0301', content: '1' }, { path: 'caf\u00e9', content: '2' }]),
      'isn’t a file': zip([manifest, { path: 'pipe', content: '', mode: 0o010_644 }]),
      'as a file and as a folder': zip([
        manifest,
        { path: 'a', content: '1' },
        { path: 'a/b', content: '2' },
      ]),
      'outside its folder  ': zip([manifest, { path: 'a/.. /evil', content: 'x' }]),
      'fill your disk': zip([manifest, { path: 'zeros', content: '\0'.repeat(17 * 1024 * 1024) }]),
      'files overlap': overlapping(),
      'more than is allowed': zip([manifest, { path: 'big', content: 'x', claims: 0xff_ff_ff_ff }]),
      'no manifest.json': zip([{ path: 'readme', content: 'x' }]),
      'no zip archive': Buffer.from('just some text that is long enough'),
      'cut off': zip([manifest, { path: 'x', content: 'y' }]).subarray(40),
    };
    for (const [why, bytes] of Object.entries(evil)) {
      const unpacking = unpackBundle(bytes, { parent, sha256: 'c'.repeat(64), limits });
      await expect(unpacking, why).rejects.toMatchObject({ code: 'unsupported' });
      if (why !== 'cut off') await expect(unpacking).rejects.toThrow(why.trim());
    }
    expect(await readdir(parent)).toEqual([]);
  },
  60_000,
);
