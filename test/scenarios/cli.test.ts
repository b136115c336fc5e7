import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  answerOf,
  bin,
  descendantsOf,
  everythingCommand,
  fixtureCommand,
  isAlive,
  newPlug,
  read,
} from './plug-command.ts';

const LONG_MS = 60_000;

test('plug --version answers without touching a file', async () => {
  const plug = newPlug({}, { hub: 'process', rules: 'shipped' });
  expect(await plug('--version')).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  expect(readdirSync(plug.home)).toEqual([]);
});

test('an old Node is told so in one sentence', async () => {
  const pretend =
    'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"18.20.0"}})';
  const { code, stdout, stderr } = await answerOf(
    spawn(process.execPath, ['--import', pretend, bin, 'list']),
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^plug needs Node 22\.18 or newer, and this is 18\.20\.0.*\n$/);
});

test(
  'a server is added, listed, called and removed from the terminal, and the hub starts by itself',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const added = await plug(
      'add',
      'rich',
      '--env',
      'API_TOKEN=canary-7f3a',
      '--',
      ...fixtureCommand('dual'),
    );
    expect(added.code).toBe(0);
    expect(added.stdout).toContain('runs');
    expect(added.stdout).toContain('API token');
    expect(added.stdout).toContain('Connected to');
    expect(added.stdout + added.stderr).not.toContain('canary-7f3a');

    const list = await plug.json('list');
    expect(list).toMatchObject({ overall: expect.any(String), files: expect.any(Array) });
    expect(list['servers']).toMatchObject([{ id: 'rich', state: { kind: expect.any(String) } }]);
    expect((await plug('list')).stdout).toMatch(/[●○] rich +(ready|asleep)/);

    const tools = await plug.json('tools', 'rich');
    expect(tools['unavailable']).toEqual([]);
    expect(tools['tools']).toContainEqual(
      expect.objectContaining({ ref: 'rich/echo', server: 'rich', name: 'echo', risk: expect.any(String) }),
    );
    expect((tools['tools'] as readonly { inputSchema?: unknown }[]).every((tool) => tool.inputSchema)).toBe(
      true,
    );

    expect(await plug('call', 'rich/echo', 'message=hello')).toEqual({
      code: 0,
      stdout: 'hello\n',
      stderr: '',
    });
    expect((await plug('call', 'rich/add', 'a=2', 'b=40')).stdout).toBe('42\n');
    expect((await plug('call', 'rich/image')).stdout).toMatch(/^\[image image\/png, \d+ B\]\n$/);
    expect((await plug('call', 'rich/structured', '--args', '{"city":"Rom"}')).stdout).toBe(
      '{"city":"Rom","degrees":21.5}\n',
    );
    expect(await plug.json('call', 'rich/echo', 'message=hi')).toMatchObject({
      server: 'rich',
      tool: 'echo',
      isError: false,
      result: { content: [{ type: 'text', text: 'hi' }] },
    });

    expect((await plug('status')).stdout).toMatch(/^1 (ready|asleep) · \d+ tools\n$/);
    expect((await plug('status', 'rich')).stdout).toContain('Fixture server 1.2.3');
    expect(await plug.json('remove', 'rich')).toEqual({ removed: ['rich'] });
    expect((await plug.json('list'))['servers']).toEqual([]);
  },
  LONG_MS,
);

test(
  'exit codes tell scripts what happened',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
    const asked = await plug('call', 'rich/fail');
    expect(asked).toMatchObject({ code: 3, stdout: '' });
    await plug.json('grants', 'add', 'rich/fail', '--once');
    const failed = await plug('call', 'rich/fail');
    expect(failed).toMatchObject({ code: 1, stdout: 'It failed, as it always does.\n' });
    expect((await plug('call', 'rich/refuse')).code).toBe(1);

    const unknown = await plug('call', 'rich/ehco', 'message=x');
    expect(unknown.code).toBe(6);
    expect(unknown.stderr).toContain('Did you mean rich/echo?');
    const noServer = await plug('disable', 'rihc');
    expect(noServer.code).toBe(6);
    expect(noServer.stderr).toContain('Did you mean rich?');

    const wrong = await plug('call', 'rich/add', 'a=one', 'b=2');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('“a” must be a number');
    expect((await plug('call', 'rich/echo')).stderr).toContain('“message” is required');
    const asJson = await plug('call', 'rich/nothing', '--json');
    expect(asJson.code).toBe(6);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ error: { code: 'not_found', owner: 'you' } });

    const broken = await plug('add', 'broken', '--', ...fixtureCommand('exits-at-once'));
    expect(broken.code).toBe(5);
    expect(broken.stderr).toMatch(/^ {2}next {3}/m);
    const missing = await plug('add', 'missing', '--', 'no-such-command-anywhere');
    expect(missing.code).toBe(5);
    const ids = ((await plug.json('list'))['servers'] as readonly { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(['rich']);

    await plug.json('disable', 'rich');
    expect((await plug('call', 'rich/echo', 'message=x')).code).toBe(5);
    expect((await plug('wait', 'rich', '--timeout', '5')).code).toBe(5);
    await plug.json('enable', 'rich');
    expect((await plug('wait', 'rich')).code).toBe(0);
  },
  LONG_MS,
);

test(
  'read-only mode and profiles choose what is offered, without editing a file',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'demo', '--', ...everythingCommand());
    const names = async (...argv: readonly string[]): Promise<readonly string[]> =>
      ((await plug.json('tools', ...argv))['tools'] as readonly { name: string }[]).map(({ name }) => name);
    const all = await names();
    expect(all).toContain('echo');
    await plug.json('read-only', 'demo', 'on');
    const reads = await names();
    expect(reads).toContain('get-sum');
    expect(reads).not.toContain('echo');
    expect((await plug('call', 'demo/echo', 'message=x')).code).toBe(6);
    await plug.json('read-only', 'demo', 'off');
    expect(await names()).toEqual(all);

    await plug.json('profile', 'save', 'sums', '--servers', 'demo', '--allow', 'demo/get-sum,demo/echo');
    expect((await names('--profile', 'sums')).toSorted()).toEqual(['echo', 'get-sum']);
    expect((await plug.json('profile', 'list'))['profiles']).toMatchObject([{ name: 'sums' }]);
    await plug.json('profile', 'remove', 'sums');
    expect((await plug('profile', 'remove', 'sums')).code).toBe(6);
  },
  LONG_MS,
);

test(
  'resources, prompts, logs, events and restart work from the terminal',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
    expect((await plug('resources', 'rich')).stdout).toContain('test://static');
    expect((await plug('resources', 'rich', 'test://static')).code).toBe(0);
    expect((await plug('prompts')).stdout).toContain('greet');
    expect((await plug('prompts', 'rich', 'greet', 'who=Ada')).stdout).toContain('Ada');
    expect(await plug.json('logs', 'rich', '-n', '5')).toMatchObject({ server: 'rich' });
    const before = (await plug('call', 'rich/pid')).stdout;
    expect((await plug('restart', 'rich')).code).toBe(0);
    expect((await plug('call', 'rich/pid')).stdout).not.toBe(before);
    expect((await plug('restart', '--failed')).stdout).toBe('No failed servers.\n');
    expect(await plug.json('events', 'rich')).toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ server: 'rich', kind: 'CONNECTED' })]),
    });
  },
  LONG_MS,
);

test(
  'an entry of a project file stays off until it is trusted',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const [command, ...args] = fixtureCommand('dual');
    writeFileSync(`${plug.cwd}/mcp.json`, JSON.stringify({ mcpServers: { local: { command, args } } }));
    const call = ['call', 'local/echo', '--args', '{"message":"x"}'];
    expect((await plug(...call)).code).toBe(3);
    expect((await plug('list')).stdout).toMatch(/local +not trusted yet.*→ plug trust local/);
    expect((await plug('trust')).stdout).toContain('mcp.json');
    expect((await plug('trust', 'local')).code).toBe(0);
    expect((await plug(...call)).stdout).toBe('x\n');
  },
  LONG_MS,
);

test(
  'what a server says cannot drive the terminal',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
    const hostile = { message: 'a\u001b]52;c;AAAA\u0007\u009b2Jb\rc\u202ed' };
    for (const extra of [[], ['--json']]) {
      const child = plug.begin(['call', 'rich/echo', '--args', '-', ...extra], JSON.stringify(hostile));
      const { code, stdout } = await answerOf(child);
      expect(code).toBe(0);
      // oxlint-disable-next-line no-control-regex -- the test looks for exactly these.
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/u);
    }
  },
  LONG_MS,
);

test(
  'Ctrl-C ends a call at once with 130, and the server is free again',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
    const events = plug.begin(['events', '--follow', '--json']);
    const seen = read(events);
    // Whether it follows already shows only by an event, and a restart always makes one.
    while (seen.text === '') await plug.json('restart', 'rich');
    await plug.json('disable', 'rich');
    await plug.json('enable', 'rich');
    // The call wakes the server; once it is ready, the call is under way.
    seen.text = '';
    const child = plug.begin(['call', 'rich/slow', '--args', '{"ms":50000}']);
    while (!seen.text.includes('"kind":"ready"')) await once(events.stdout ?? events, 'data');
    const ends = Promise.all([answerOf(child), answerOf(events)]);
    child.kill('SIGINT');
    events.kill('SIGINT');
    expect((await ends).map(({ code }) => code)).toEqual([130, 0]);
    expect((await plug('call', 'rich/echo', 'message=still')).stdout).toBe('still\n');
  },
  LONG_MS,
);

test(
  'a reader that has seen enough is no failure',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    await plug.json('hub', 'start');
    const child = plug.begin(['help']);
    child.stdout?.destroy();
    const { stderr } = await answerOf(child);
    expect(stderr).toBe('');
  },
  LONG_MS,
);

test(
  'a hub in the foreground says where it listens and what to do first, and stops on SIGTERM with its servers',
  async () => {
    const plug = newPlug({}, { hub: 'process' });
    const hub = plug.begin(['hub', 'start', '--foreground']);
    const said = read(hub);
    while (!said.text.includes('Ctrl-C')) await once(hub.stdout ?? hub, 'data');
    expect(said.text).toMatch(/listening on http:\/\/127\.0\.0\.1:\d+/);
    // Outside of the clone, and not installed: there only the file itself is sure to be this program.
    expect(said.text).toContain(
      `node ${bin} add everything -- npx -y @modelcontextprotocol/server-everything stdio`,
    );
    const status = await plug.json('hub', 'status');
    expect(status).toMatchObject({ running: true, pid: hub.pid });
    expect((await fetch(`${String(status['url'])}/health`)).status).toBe(200);
    expect((await plug('hub', 'start')).stdout).toContain('already running');

    await plug.json('add', 'rich', '--', ...fixtureCommand('dual'));
    const children = descendantsOf(hub.pid ?? 0);
    expect(children.length).toBeGreaterThan(0);
    hub.kill('SIGTERM');
    const [code] = (await once(hub, 'close')) as [number];
    expect(code).toBe(0);
    expect(children.filter(isAlive)).toEqual([]);
    expect(await plug.json('hub', 'stop')).toMatchObject({ running: false, stopped: false });
  },
  LONG_MS,
);
