import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { withHub } from '../../../test/scenarios/lifecycle-hub.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { zip } from '../../../test/zip-archive.ts';

const entry = (fields: object): string =>
  `\`\`\`json\n${JSON.stringify({ mcpServers: { notes: fields } })}\n\`\`\``;
const NPX = entry({ command: 'npx', args: ['-y', 'notes-mcp'] });
const DOCKER = entry({ command: 'docker', args: ['run', '-i', '--rm', 'mcp/notes'] });
const REMOTE = entry({ url: 'https://notes.example.com/mcp' });
const WITH_KEY = entry({ url: 'https://notes.example.com/mcp', headers: { 'X-Key': '<your key>' } });
const OTHER = '```json\n{"mcpServers":{"maps":{"command":"npx","args":["-y","maps-mcp"]}}}\n```';

/** A PATH with nothing but these programs, none of which does anything. */
async function pathWith(...programs: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  for (const program of programs) {
    await writeFile(join(folder, program), '#!/bin/sh\nexit 1\n');
    await chmod(join(folder, program), 0o755);
  }
  return folder;
}

/** A README, what is on the machine, and the way that is offered first. */
const READMES: readonly (readonly [
  what: string,
  text: readonly string[],
  programs: readonly string[],
  first: RegExp,
])[] = [
  ['a remote server that asks for nothing', [NPX, DOCKER, REMOTE], ['npx', 'docker'], /^https:/],
  ['npx, if it asks for less than the remote server', [WITH_KEY, DOCKER, NPX], ['npx', 'docker'], /^npx /],
  ['npx rather than Docker', [DOCKER, NPX], ['npx', 'docker'], /^npx /],
  ['Docker, where npx is not installed', [NPX, DOCKER], ['docker'], /^docker /],
];

for (const [what, text, programs, first] of READMES) {
  verifies(['S8'], `several ways to one server are one plan with a choice; first comes ${what}`, async () => {
    const path = await pathWith(...programs);
    await withHub({ env: { PATH: path } }, async ({ hub }) => {
      const offer = await hub.plans.make({ text: [...text, OTHER].join('\n\n'), offline: true });
      expect(offer.plans.map(({ server }) => server)).toEqual(['notes', 'maps']);
      const [notes, maps] = offer.plans;
      expect(notes?.view.command ?? notes?.view.url).toMatch(first);
      expect(notes?.alternatives).toHaveLength(text.length - 1);
      expect(maps?.alternatives).toBeUndefined();
      // Each way is a plan of its own that can be installed.
      const other = notes?.alternatives?.find(({ needs }) => needs.length === 0)?.plan ?? '';
      await hub.plans.install({ plan: other, test: false });
      expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['notes']);
    });
  });
}

verifies(['S8', 'S14'], 'a bundle on this machine is read, checked and unpacked once agreed to', async () => {
  const folder = temporaryFolder();
  await mkdir(join(folder, 'my files'));
  const file = join(folder, 'my files', 'notes-1.2.0.mcpb');
  const manifest = {
    name: 'notes',
    version: '1.2.0',
    server: { type: 'node', mcp_config: { command: 'node', args: ['${__dirname}/server.js'], env: {} } },
  };
  await writeFile(
    file,
    zip([
      { path: 'manifest.json', content: JSON.stringify(manifest) },
      { path: 'server.js', content: 'process.stdin.resume();' },
    ]),
  );
  await withHub({}, async ({ hub, folder: home }) => {
    const text = pathToFileURL(file).href;
    const [offered] = (await hub.plans.make({ text })).plans;
    expect(offered).toMatchObject({ server: 'notes', bundle: true });
    const unpacked = await hub.plans.unpack({ plan: offered?.plan ?? '' });
    expect(unpacked).toMatchObject({ bundle: false, needs: [] });
    const [sum] = await readdir(join(home, 'bundles'));
    expect(unpacked.view.command).toContain(sum);
    // Another file of the same name is not what was agreed to.
    await writeFile(file, zip([{ path: 'manifest.json', content: '{}' }]));
    await expect(hub.plans.unpack({ plan: offered?.plan ?? '' })).rejects.toMatchObject({ code: 'denied' });
    const far = await hub.plans.make({ text, remoteOnly: true });
    expect(far.declined).toMatchObject([{ code: 'denied' }]);
    const gone = await hub.plans.make({ text: pathToFileURL(join(folder, 'no.mcpb')).href });
    expect(gone.declined).toMatchObject([{ code: 'not_found' }]);
  });
});
