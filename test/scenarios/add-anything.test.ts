import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { answerOf, fixtureCommand, newPlug, type Plug } from './plug-command.ts';

const LONG_MS = 60_000;
/** No registry is asked: whatever is not understood must say so by itself. */
const NOBODY = { PLUG_REGISTRIES: '{"official":false,"smithery":false}' };
const KEY = 'sk-live-0123456789abcdefghijklmnop';

const [command = '', ...args] = fixtureCommand('dual');

async function idsOf(plug: Plug): Promise<readonly string[]> {
  return ((await plug.json('list'))['servers'] as readonly { id: string }[]).map(({ id }) => id);
}

verifies(
  ['S8', 'S9'],
  'plug parse says what is in a paste, repairs damage with line and cause, and touches nothing',
  async () => {
    const plug = newPlug();
    const good = await answerOf(
      plug.begin(
        ['parse', '--json'],
        JSON.stringify({ mcpServers: { a: { command: 'npx', args: ['x', '<key>'] } } }),
      ),
    );
    expect(good.code).toBe(0);
    expect(JSON.parse(good.stdout)).toMatchObject({
      servers: [{ name: 'a', transport: 'stdio', command: 'npx', args: ['x', '<key>'], needs: ['key'] }],
      problems: [],
    });
    const damaged = await answerOf(
      plug.begin(['parse'], '{"mcpServers": {\n  "a": {"command": "npx", args: ["x",]}}'),
    );
    expect(damaged.code).toBe(0);
    expect(damaged.stderr).toMatch(/line 2 +the name args had no quotes/);
    const other = await answerOf(plug.begin(['parse', '--json'], 'nothing to see here'));
    expect(other.code).toBe(1);
    expect(JSON.parse(other.stdout)).toMatchObject({ servers: [], problems: [{ severity: 'error' }] });
    writeFileSync(join(plug.cwd, 'huge.json'), 'x'.repeat(1024 * 1024 + 1));
    const huge = await plug('parse', 'huge.json');
    expect(huge.code).toBe(1);
    expect(huge.stderr).toContain('at most 1 MB');
    writeFileSync(join(plug.cwd, 'odd.bin'), Buffer.from([1, 0, 2]));
    expect((await plug('parse', 'odd.bin')).stderr).toContain('neither text nor');
    expect((await plug('parse', 'gone.json')).code).toBe(6);
    expect(await plug.json('hub', 'status')).toMatchObject({ running: false });
  },
  LONG_MS,
);

verifies(
  ['S8', 'S17'],
  'an address, a command, a config and a file each become a working server',
  async () => {
    await using remote = await startHttpFixture('dual');
    const plug = newPlug(NOBODY);
    expect(await plug.json('add', remote.url, '--name', 'far')).toMatchObject({
      server: { id: 'far', state: { kind: 'ready' } },
      tested: true,
      summary: expect.stringMatching(/^Connected to Fixture server, \d+ tools including/),
    });
    expect((await plug('add', `${command} ${args.join(' ')}`, '--name', 'line')).stdout).toContain(
      'Connected to',
    );
    const config = JSON.stringify({ mcpServers: { pasted: { command, args, env: { API_KEY: KEY } } } });
    const pasted = await answerOf(plug.begin(['add', '-', '--json'], config));
    expect(pasted.code).toBe(0);
    expect(pasted.stdout + pasted.stderr).not.toContain(KEY);
    expect(JSON.parse(pasted.stdout)).toMatchObject({ secrets: ['pasted/API_KEY'] });
    expect((await plug('call', 'pasted/env')).stdout).toContain(KEY);
    writeFileSync(
      join(plug.cwd, 'servers.toml'),
      `[mcp_servers.filed]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`,
    );
    expect((await plug('add', 'servers.toml')).code).toBe(0);
    expect((await plug('add', 'named', JSON.stringify({ command, args }))).code).toBe(0);
    expect((await plug('add', '--', command, ...args)).code).toBe(0);
    expect(await idsOf(plug)).toEqual(['far', 'filed', 'line', 'named', 'pasted', 'stdio']);
  },
  LONG_MS,
);

verifies(
  ['S9', 'S17'],
  'several servers need a yes, a bad one is named and the others are added; a guess about damage needs a yes',
  async () => {
    const plug = newPlug(NOBODY);
    const text = JSON.stringify({
      mcpServers: {
        one: { command, args },
        two: { command, args, env: { NEEDED_TOKEN: '<your token>' } },
        three: { command, args: [...args.slice(0, 1), 'exits-at-once'] },
      },
    });
    const asked = await plug('add', text, '--json');
    expect(asked.code).toBe(3);
    expect(JSON.parse(asked.stdout)).toMatchObject({ error: { next: 'Add --yes to add all of them.' } });
    const done = await plug('add', text, '--yes', '--json');
    expect(JSON.parse(done.stdout)).toMatchObject({
      added: [{ server: { id: 'one' } }],
      failed: [
        { server: 'two', error: { code: 'missing_input', next: expect.stringContaining('NEEDED_TOKEN=') } },
        { server: 'three', error: { owner: 'you', message: expect.stringContaining('Database URL') } },
      ],
    });
    expect(done.code).toBe(5);
    expect(await idsOf(plug)).toEqual(['one']);
    expect(await plug.json('secrets', 'list')).toMatchObject({ secrets: [] });

    const damaged = `{"mcpServers": {"mended": {"command": "${command}", "args": ${JSON.stringify(args)},}}`;
    const refused = await plug('add', damaged);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain('line 1');
    expect((await plug('add', damaged, '--yes')).code).toBe(0);
    expect(await idsOf(plug)).toEqual(['mended', 'one']);
  },
  LONG_MS,
);

verifies(
  ['S14', 'attack:C3'],
  'a deep link is untrusted: shown in full, not followed without a yes, and never with a dangerous variable',
  async () => {
    const plug = newPlug(NOBODY);
    const link = (entry: object): string =>
      `cursor://anysphere.cursor-deeplink/mcp/install?name=offer&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))}`;
    const shown = await plug('add', link({ command, args: [...args, 'a b'] }));
    expect(shown.code).toBe(3);
    expect(shown.stdout).toContain(`${args.join(' ')} 'a b'`);
    expect(shown.stdout).toContain('Anybody can make such a link');
    const preload = await plug(
      'add',
      link({ command, args, env: { NODE_OPTIONS: '--require /tmp/x' } }),
      '--yes',
    );
    expect(preload.code).toBe(1);
    expect(preload.stderr).toContain('NODE_OPTIONS');
    const shell = await plug('add', link({ command: 'sh', args: ['-c', 'touch owned'] }), '--yes');
    expect(shell.code).toBe(1);
    const cut = await plug(
      'add',
      'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=eyJjb21',
      '--yes',
    );
    expect(cut.stderr).toContain('cut off');
    // A key in a link is somebody else's: the user gives their own.
    const key = await plug('add', link({ command, args, env: { API_KEY: KEY } }), '--yes');
    expect(key.code).toBe(5);
    expect(key.stderr).toContain('API_KEY=KEY');
    expect(await idsOf(plug)).toEqual([]);
    writeFileSync(
      join(plug.cwd, 'team.json'),
      JSON.stringify({ mcpServers: { sly: { command, args, env: { LD_PRELOAD: '/tmp/x.so' } } } }),
    );
    const file = await plug('add', 'team.json', '--yes');
    expect(file.code).toBe(1);
    expect(file.stderr).toContain('LD_PRELOAD');
    expect(await idsOf(plug)).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['S10'],
  'where nothing may run locally, a local server is declined with the reason and what to give instead',
  async () => {
    await using remote = await startHttpFixture('dual');
    const plug = newPlug({ ...NOBODY, PLUG_REMOTE_ONLY: '1' });
    const local = /is a local server .*isn’t allowed here\. Give the address of a remote server instead/;
    const both = JSON.stringify({ mcpServers: { here: { command, args }, there: { url: remote.url } } });
    expect((await plug('add', JSON.stringify({ mcpServers: { here: { command, args } } }))).stderr).toMatch(
      local,
    );
    expect((await plug('add', 'box', '--', command, ...args)).stderr).toMatch(local);
    const parsed = await answerOf(plug.begin(['parse', '--json'], both));
    expect(JSON.parse(parsed.stdout)).toMatchObject({
      servers: [{ name: 'here', declined: expect.stringMatching(local) }, { name: 'there' }],
    });
    const mixed = await plug('add', both, '--yes');
    expect(mixed.stderr).toMatch(local);
    expect(mixed.code).toBe(0);
    // A file of the user's cannot start a program there either.
    writeFileSync(
      join(plug.home, 'plug', 'mcp.json'),
      JSON.stringify({ mcpServers: { sly: { command, args } } }),
    );
    // The hub notices a new file by itself, a moment later.
    while (!(await idsOf(plug)).includes('sly'))
      expect(await plug.json('hub', 'status')).toMatchObject({ running: true });
    expect((await plug('call', 'sly/echo', '--args', '{"message":"x"}')).stderr).toMatch(local);
    const bridged = await plug('add', `npx mcp-remote ${remote.url}`);
    expect(bridged.stderr).toContain(`It only forwards to ${remote.url}: give that address instead`);
    expect(await idsOf(plug)).toEqual(['sly', 'there']);
  },
  LONG_MS,
);

verifies(
  ['S10'],
  'plug add --remote-only declines a local server and nothing else',
  async () => {
    await using remote = await startHttpFixture('dual');
    const plug = newPlug(NOBODY);
    for (const words of [[JSON.stringify({ command, args })], ['box', '--', command, ...args]]) {
      const { code, stderr } = await plug('add', '--remote-only', ...words);
      expect(code).toBe(1);
      expect(stderr).toContain('is a local server');
    }
    expect((await plug('add', '--remote-only', 'far', remote.url)).code).toBe(0);
    expect(await idsOf(plug)).toEqual(['far']);
  },
  LONG_MS,
);

verifies(
  ['S16', 'S17'],
  'a well-known name makes its plan offline; what is missing and what is unknown is said',
  async () => {
    const plug = newPlug(NOBODY);
    const files = await plug('add', 'filesystem', '--offline');
    expect(files.stdout).toContain('the featured servers (filesystem)');
    expect(files.stdout).toContain('npx -y @modelcontextprotocol/server-filesystem');
    expect(files.stderr).toContain('folders=FOLDER');
    const typed = ['filesystem', '/srv/notes-2026', './here', '--offline', '--no-test', '--yes'];
    const added = await plug.json('add', ...typed);
    expect(added).toMatchObject({
      server: { target: expect.stringMatching(` /srv/notes-2026 ${join(plug.cwd, 'here')}$`) },
    });
    const unknown = await plug('add', 'zzyzx', '--offline');
    expect(unknown.code).toBe(6);
    expect(unknown.stderr).toContain('No server of that name is known');
    const saved = await plug.json('add', 'connect', 'me', 'to', 'notion', '--offline', '--no-test', '--yes');
    expect(saved).toMatchObject({
      server: { id: 'notion', target: 'https://mcp.notion.com/mcp' },
      tested: false,
    });
  },
  LONG_MS,
);

verifies(
  ['S18'],
  'a screenshot of a config is parsed like its text, and added like it',
  async () => {
    const plug = newPlug();
    const picture = fileURLToPath(new URL('../fixtures/screenshots/editor-light.png', import.meta.url));
    copyFileSync(picture, join(plug.cwd, 'config.png'));
    const parsed = await plug.json('parse', 'config.png');
    expect(parsed).toMatchObject({ screenshot: { confidence: expect.any(Number) } });
    const servers = parsed['servers'] as readonly { name: string }[];
    expect(servers.length).toBeGreaterThan(0);
    const added = await plug('add', 'config.png', '--offline');
    expect(added.stdout + added.stderr).toContain(servers[0]?.name);
  },
  LONG_MS,
);
