import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect } from 'vitest';
import { openPlugboard } from '../../src/index.ts';
import type { PackageRef } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { answerOf, bin, type Plug } from '../scenarios/plug-command.ts';
import { patience } from '../suite/patience.ts';
import { FILES, MEMORY, needRegistry, realPlug, THINKING } from './world.ts';

/** Downloads from a registry, on a machine that does other things as well. */
const TEST_MS = 240_000;

beforeAll(needRegistry, patience(90_000));

verifies(
  ['S16', 'S17', 'S14', 'L6'],
  'a featured server is added by its name, called, recorded, and removed with nothing left',
  async () => {
    const plug = realPlug();
    const added = await plug('add', 'everything', '--yes');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/Connected to .*, \d+ tools including echo/);

    const pack = await packageOf(plug, 'everything');
    expect(pack.registry).toBe('npm');
    expect(pack.integrity).toMatch(/^sha512-[\w+/=]{80,}$/);
    expect(await plug.json('secrets', 'list')).toMatchObject({ secrets: [] });

    expect(await plug('call', 'everything/echo', 'message=hello')).toMatchObject({
      code: 0,
      stdout: 'Echo: hello\n',
    });
    expect(await plug.json('audit')).toMatchObject({
      records: [{ server: 'everything', tool: 'echo', outcome: 'ok' }],
    });
    expect((await plug('remove', 'everything', '--yes')).code).toBe(0);
    expect(await plug.json('list')).toMatchObject({ servers: [] });
    expect((await plug('call', 'everything/echo', 'message=hello')).code).toBe(6);
  },
  TEST_MS,
);

verifies(
  ['S8', 'S17'],
  'a pasted JSON config, a pasted command and a file each add a published server',
  async () => {
    const plug = realPlug();
    const config = JSON.stringify({ mcpServers: { notes: { command: 'npx', args: ['-y', MEMORY] } } });
    expect(await answerOf(plug.begin(['add', '-', '--yes'], config))).toMatchObject({ code: 0 });
    expect(await plug('add', `npx -y ${THINKING}`, '--yes')).toMatchObject({ code: 0 });

    const folder = plug.cwd;
    const files = { command: 'npx', args: ['-y', FILES, folder], tools: { deny: ['move_file'] } };
    writeFileSync(join(folder, 'servers.json'), JSON.stringify({ mcpServers: { files } }));
    expect(await plug('add', './servers.json', '--yes')).toMatchObject({ code: 0 });

    const { servers } = await plug.json('list');
    expect(servers).toMatchObject([
      { id: 'files', state: { kind: 'ready' } },
      { id: 'notes', state: { kind: 'ready' } },
      { id: 'sequential-thinking', state: { kind: 'ready' } },
    ]);
    const offered = (await plug.json('tools', 'files'))['tools'];
    expect(offered).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'write_file' })]));
    expect(JSON.stringify(offered)).not.toContain('move_file');
    expect(await plug('doctor')).toMatchObject({ code: 0 });
  },
  TEST_MS,
);

verifies(
  ['P7', 'P4'],
  'a write of a real server waits for a grant and happens only then',
  async () => {
    const plug = realPlug();
    const folder = plug.cwd;
    const target = join(folder, 'note.txt');
    const write = ['call', 'files/write_file', `path=${target}`, 'content=hello'];
    expect((await plug('add', 'files', '--yes', '--', 'npx', '-y', FILES, folder)).code).toBe(0);
    expect((await plug(...write)).code).toBe(3);
    expect(existsSync(target)).toBe(false);
    const granted = await plug('grants', 'add', 'files/write_file', '--until', '2100-01-01');
    expect(granted).toMatchObject({ code: 0, stderr: '' });
    expect(await plug(...write)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(target)).toBe(true);
  },
  TEST_MS,
);

verifies(
  ['S14', 'G1'],
  'a newer version of a server is held back where its tools changed, and a host sees them once approved',
  async () => {
    const plug = realPlug();
    const add = (version: string): ReturnType<Plug> =>
      plug('add', `npx -y ${THINKING}${version}`, '--name', 'thinking', '--yes', '--replace');
    expect((await add('@2025.12.18')).code).toBe(0);
    const before = await packageOf(plug, 'thinking');
    expect(before.version).toBe('2025.12.18');
    expect((await add('')).code).toBe(0);
    const after = await packageOf(plug, 'thinking');
    expect(after.version > before.version).toBe(true);
    expect(after.integrity).not.toBe(before.integrity);

    // What was approved is another definition than the newer version brings.
    expect(await plug.json('tools', 'thinking')).toMatchObject({
      tools: [],
      withheld: [{ ref: 'thinking/sequentialthinking', cause: 'changed' }],
    });
    expect((await plug('tools', 'approve', 'thinking/sequentialthinking')).code).toBe(0);

    const host = new Client({ name: 'real-host', version: '1' });
    await host.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [bin, 'gateway', '--mode', 'all'],
        cwd: plug.cwd,
        env: { PATH: process.env['PATH'] ?? '', HOME: plug.home, PLUG_HOME: `${plug.home}/plug` },
      }),
    );
    try {
      const { tools } = await host.listTools();
      expect(tools.map(({ name }) => name)).toContain('thinking__sequentialthinking');
      const answer = await host.callTool({
        name: 'thinking__sequentialthinking',
        arguments: { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      });
      expect(JSON.stringify(answer.content)).toContain('thoughtHistoryLength');
    } finally {
      await host.close();
    }
    expect(await plug.json('audit', '--limit', '1')).toMatchObject({
      records: [{ server: 'thinking', outcome: 'ok' }],
    });
  },
  TEST_MS,
);

/** The definition as the running hub keeps it. */
async function packageOf(plug: Plug, id: string): Promise<PackageRef> {
  const env = { PATH: process.env['PATH'], HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
  const hub = await openPlugboard({ hub: 'shared', env, cwd: plug.cwd });
  try {
    const { package: pack } = await hub.servers.definition({ id });
    if (!pack) throw new Error(`${id} has no package`);
    return pack;
  } finally {
    await hub.close();
  }
}
