import { hash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyMachine, write } from '../../test/clients/prepared-home.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import type { FilePart } from '../hub/changes/change.ts';
import type { UndoneFile } from '../hub/hub.ts';
import type { WrittenFile } from '../servers/clients/file-journal.ts';
import { connectClient, disconnectClient } from './connect.ts';
import { restoreFile } from './restore-file.ts';

const gateway = { command: 'plug', args: ['gateway'] };

/** Connects or disconnects a client, and hands out what undoes it. */
async function change(
  client: string,
  file: string,
  text: string | undefined,
  way: 'connect' | 'disconnect' = 'connect',
) {
  const machine = emptyMachine();
  const path = join(machine.home, file);
  if (text !== undefined) write(path, text);
  const noted: WrittenFile[] = [];
  const note = (each: WrittenFile): Promise<void> => Promise.resolve(void noted.push(each));
  const journal = { note, foldersMadeFor: () => Promise.resolve([]) };
  const options = { machine, clock: systemClock, ids: systemIds, journal };
  if (way === 'connect') await connectClient(client, gateway, options);
  else await disconnectClient(client, options);
  const last = noted.at(-1);
  if (!last) throw new Error('nothing was noted');
  const { before, after, backup, ...rest } = last;
  const part: FilePart = {
    ...rest,
    ...(before ? { before: { kept: [], hash: hash('sha256', before.bytes), mode: before.mode } } : {}),
    backups: backup === undefined ? [] : [backup],
    ...(after ? { afterHash: hash('sha256', after) } : {}),
  };
  const undo = (force = false): Promise<UndoneFile> =>
    restoreFile(part, { before: before?.bytes, force, dryRun: false, clock: systemClock, ids: systemIds });
  return { path, undo, read: () => readFileSync(path, 'utf8'), machine };
}

verifies(['S20'], 'a file gets its very bytes and rights back, and the copy beside it goes', async () => {
  const text =
    '\uFEFF{\r\n  // mine\r\n  "mcpServers": {\r\n    "a": { "command": "a" }, // last\r\n  },\r\n}';
  const { path, undo, read } = await change('cursor', '.cursor/mcp.json', text);
  chmodSync(path, 0o600);
  expect(await undo()).toMatchObject({ outcome: 'restored' });
  expect(read()).toBe(text);
  expect(readdirSync(dirname(path))).toEqual(['mcp.json']);
  expect(await undo()).toMatchObject({ outcome: 'same' });
});

verifies(['S20'], 'a file that was made goes, with the folders that were made for it', async () => {
  const { undo, machine } = await change('cursor', '.cursor/mcp.json', undefined);
  expect(await undo()).toMatchObject({ outcome: 'removed' });
  expect(readdirSync(machine.home)).toEqual(['work']);
});

verifies(['S20'], 'what others wrote into the file since stays: only our entry changes', async () => {
  const text = '{\n  "mcpServers": {\n    "a": { "command": "a" }\n  }\n}\n';
  const { path, undo, read } = await change('cursor', '.cursor/mcp.json', text);
  writeFileSync(path, read().replace('"a": {', '"b": { "command": "b" },\n    "a": {'));
  expect(await undo()).toMatchObject({ outcome: 'entry' });
  expect(JSON.parse(read())).toEqual({ mcpServers: { a: { command: 'a' }, b: { command: 'b' } } });
});

verifies(
  ['S20'],
  'a file that we made and its owner filled stays without our entry; an empty one goes',
  async () => {
    const filled = await change('cursor', '.cursor/mcp.json', undefined);
    writeFileSync(filled.path, JSON.stringify({ ...JSON.parse(filled.read()), theme: 'dark' }));
    expect(await filled.undo()).toMatchObject({ outcome: 'entry' });
    expect(JSON.parse(filled.read())).toMatchObject({ theme: 'dark' });
    const empty = await change('cursor', '.cursor/mcp.json', undefined);
    writeFileSync(empty.path, JSON.stringify(JSON.parse(empty.read())));
    expect(await empty.undo()).toMatchObject({ outcome: 'removed' });
    expect(existsSync(dirname(empty.path))).toBe(false);
  },
);

verifies(
  ['S20'],
  'an entry that somebody changed is left alone; by force a private copy of it is kept',
  async () => {
    const text = '{ "mcpServers": {} }\n';
    const { path, undo, read } = await change('cursor', '.cursor/mcp.json', text);
    const theirs = '{ "mcpServers": { "plugboard": { "command": "mine" } } }\n';
    writeFileSync(path, theirs);
    expect(await undo()).toMatchObject({
      outcome: 'conflict',
      change: { removed: expect.any(Array) as unknown },
    });
    expect(read()).toBe(theirs);
    const { outcome, backup = '' } = await undo(true);
    expect([outcome, read(), readFileSync(backup, 'utf8')]).toEqual(['restored', text, theirs]);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
  },
);

verifies(['S20'], 'a file that was deleted or broken since is a conflict, not a loss', async () => {
  const gone = await change('codex', '.codex/config.toml', 'a = 1\n');
  rmSync(gone.path);
  expect(await gone.undo()).toMatchObject({ outcome: 'conflict' });
  expect(existsSync(gone.path)).toBe(false);
  expect(await gone.undo(true)).toMatchObject({ outcome: 'restored' });
  expect(gone.read()).toBe('a = 1\n');
  const broken = await change('codex', '.codex/config.toml', 'a = 1\n');
  writeFileSync(broken.path, 'a = = 1\n');
  expect(await broken.undo()).toMatchObject({ outcome: 'conflict' });
  expect(broken.read()).toBe('a = = 1\n');
});

test('a disconnect is undone: our entry comes back as it was', async () => {
  const text = '{\n  "mcpServers": {\n    "plugboard": { "command": "plug", "args": ["gateway"] }\n  }\n}\n';
  const exact = await change('cursor', '.cursor/mcp.json', text, 'disconnect');
  expect(exact.read()).not.toContain('plugboard');
  expect(await exact.undo()).toMatchObject({ outcome: 'restored' });
  expect(exact.read()).toBe(text);
  const since = await change('cursor', '.cursor/mcp.json', text, 'disconnect');
  writeFileSync(since.path, '{ "mcpServers": { "b": { "command": "b" } } }');
  expect(await since.undo()).toMatchObject({ outcome: 'entry' });
  expect(JSON.parse(since.read())).toMatchObject({
    mcpServers: { b: { command: 'b' }, plugboard: { command: 'plug', args: ['gateway'] } },
  });
});

test('a half-written file of ours that a crash left goes with the change', async () => {
  const { path, undo } = await change('cursor', '.cursor/mcp.json', '{}\n');
  writeFileSync(`${path}.plug_0123456789abcdef`, 'half');
  await undo();
  expect(readdirSync(dirname(path))).toEqual(['mcp.json']);
});
