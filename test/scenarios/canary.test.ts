import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { TaskGroup } from '../../src/base/tasks.ts';
import { operationNames, routes } from '../../src/api/routes.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import { openStorage } from '../../src/storage/open.ts';
import { SealedVault } from '../../src/vault/sealed-vault.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { browse } from '../sign-in/browser.ts';
import { startAuthorizationServer } from '../sign-in/start.ts';
import { formsOf } from './leaky-server.ts';
import { openLeakySite } from './leaky-site.ts';
import { answerOf, descendantsOf, newPlug, read, type Plug } from './plug-command.ts';
import { startTyping } from './typed-plug.ts';

const LEAKY = fileURLToPath(new URL('leaky-server.ts', import.meta.url));

/** Secrets by what kind of credential they are. Each has characters that encodings change. */
type Canaries = Readonly<Record<string, string>>;

function newCanaries(kinds: readonly string[]): Canaries {
  return Object.fromEntries(kinds.map((kind) => [kind, `${kind}/+${randomBytes(12).toString('hex')}=Zz`]));
}

interface Leak {
  readonly kind: string;
  readonly form: string;
  readonly where: string;
}

/** Every canary that sings in a text, in any of its forms. */
function leaksIn(texts: Readonly<Record<string, string>>, canaries: Canaries): readonly Leak[] {
  return Object.entries(texts).flatMap(([where, text]) =>
    Object.entries(canaries).flatMap(([kind, value]) =>
      Object.entries(formsOf(value))
        // What stands before and after the value is no secret.
        .filter(([name, form]) => sings(text, name === 'basic' ? form.slice(8, -4) : form))
        .map(([form]) => ({ kind, form, where })),
    ),
  );
}

/** Of a form in several lines, any whole line is a leak; in JSON its backslashes are doubled. */
function sings(text: string, form: string): boolean {
  const parts = form.includes('\n') ? form.split('\n').filter((line) => line.length >= 18) : [form];
  return parts.some((part) => text.includes(part) || text.includes(JSON.stringify(part).slice(1, -1)));
}

test('the canaries would be heard: a careless server prints each of them in each form', async () => {
  const canaries = newCanaries(['vault', 'file']);
  const env = { PATH: process.env['PATH'], CANARY_A: canaries['vault'], CANARY_B: canaries['file'] };
  const { stderr } = await answerOf(spawn(process.execPath, [LEAKY, 'dies'], { env }));
  const heard = leaksIn({ stderr }, canaries);
  const forms = Object.keys(formsOf('x'));
  expect(heard).toHaveLength(2 * forms.length);
  expect(heard).toContainEqual({ kind: 'file', form: 'basic', where: 'stderr' });
  expect(leaksIn({ stderr: stderr.replaceAll(/\S/g, '*') }, canaries)).toEqual([]);
});

verifies(
  ['V5', 'V7', 'attack:D2', 'attack:D3'],
  'no secret of any kind of credential reaches any output, log, event, answer, file or process list',
  async () => {
    const world = await plantCanaries();
    const { plug, canaries } = world;
    const texts: Record<string, string> = {};
    const follow = plug.begin(['--json', 'events', '--follow']);
    const followed = read(follow);

    Object.assign(texts, await signIn(world));
    const tokens = { ...canaries, ...(await tokensOf(plug, canaries)) };
    Object.assign(texts, await runEverything(plug));
    Object.assign(texts, await askEverything(plug));

    const { pid } = (await plug.json('hub', 'status')) as { pid: number };
    const lines = commandLinesOf(pid);
    const argument = canaries['argument'] ?? '';
    expect(lines, 'the declared argument is in the process list').toContain(argument);
    Object.assign(texts, { 'process list': lines.replaceAll(argument, '') });
    expect(texts['status works']).toContain('every user of this machine can see it in the process list');

    const ended = answerOf(follow);
    follow.kill();
    await ended;
    Object.assign(texts, { 'events --follow': followed.text, ...filesOf(`${plug.home}/plug`) });
    expect(Object.keys(texts)).toEqual(
      expect.arrayContaining(['plugboard.db', 'plugboard.db-wal', 'hub.log']),
    );
    expect(leaksIn(texts, tokens)).toEqual([]);
    // The careless servers did speak, and were heard without their secrets.
    expect(texts['logs dies']).toContain('I was given [secret] just now');
    expect(followed.text).toContain('"given":["[secret]"');
    expect(texts['status']).toContain('theirs: crashed (exit 3). theirs ended with exit code 3');
    expect(texts['logs works']).toContain('hello, I have [secret]');
    expect(texts['GET /v1/servers/dies']).toContain('[secret]');
    expect(texts['call web/any']).toContain('[secret]');
    expect(texts['call private/any']).toContain('[secret]');
  },
  300_000,
);

verifies(
  ['V5'],
  'a hub that crashes as it starts says where, and nothing of what it was working on',
  async () => {
    const secret = newCanaries(['crash'])['crash'] ?? '';
    // As soon as the command can report a crash; no hub is open that early.
    const env = throwsWhen(`process.listenerCount('uncaughtException') > 0`, secret);
    const { code, stdout, stderr } = await startTyping(
      newPlug({}, { hub: 'process' }),
      ['hub', 'start', '--foreground'],
      env,
    ).answer;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /plug crashed with Error; please report it with these lines:\n\s+at .*crash\.mjs:1/,
    );
    expect(leaksIn({ stdout, stderr }, { crash: secret })).toEqual([]);
  },
  30_000,
);

verifies(
  ['V5'],
  'a running hub survives an uncaught error, and logs where it happened without its message',
  async () => {
    const secret = newCanaries(['crash'])['crash'] ?? '';
    const plug = newPlug({}, { hub: 'process' });
    const throwNow = join(plug.cwd, 'throw-now');
    const env = throwsWhen(`process.getBuiltinModule('fs').existsSync(${JSON.stringify(throwNow)})`, secret);
    const hub = startTyping(plug, ['hub', 'start', '--foreground'], env);
    await hub.says(/http:\/\/127/);
    const { pid } = await plug.json('hub', 'status');
    writeFileSync(throwNow, '');
    await hub.says(/unexpected failure.*crash\.mjs:1/);
    expect(await plug.json('hub', 'status')).toMatchObject({ running: true, pid });
    expect((await plug('hub', 'stop')).code).toBe(0);
    const { code, stdout, stderr } = await hub.answer;
    expect(code).toBe(0);
    expect(stderr).not.toContain('plug crashed');
    expect(leaksIn({ stdout, stderr }, { crash: secret })).toEqual([]);
  },
  30_000,
);

/** Makes a process throw once, at the top, an error whose message and stack hold the secret. */
function throwsWhen(condition: string, secret: string): Readonly<Record<string, string>> {
  const preload = join(temporaryFolder(), 'crash.mjs');
  const boom = `throw new Error('failed with ' + process.env.CANARY + '\\n    at ' + process.env.CANARY);`;
  writeFileSync(
    preload,
    `const timer = setInterval(() => { if (${condition}) { clearInterval(timer); ${boom} } }, 5);`,
  );
  return { CANARY: secret, NODE_OPTIONS: `--import=${preload}` };
}

interface World {
  readonly plug: Plug;
  readonly canaries: Canaries;
}

const KINDS = [
  'vault',
  'file',
  'environment',
  'command',
  'literal',
  'argument',
  'header',
  'bearer',
  'client',
  'project',
];

/** One secret of each kind, and servers that repeat whatever they are given. */
async function plantCanaries(): Promise<World> {
  const canaries = newCanaries(KINDS);
  // A query cannot hold every character as it is; a key of 32 bytes has a form of its own.
  const query = `query-${randomBytes(12).toString('hex')}-Zz`;
  const master = randomBytes(32).toString('base64');
  const authorization = await startAuthorizationServer();
  onTestFinished(() => authorization[Symbol.asyncDispose]());
  const site = await openLeakySite(authorization.origin);
  onTestFinished(() => site[Symbol.asyncDispose]());
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'pass'), `#!/bin/sh\nprintf '%s\\n' '${canaries['command']}'\n`);
  chmodSync(join(folder, 'bin', 'pass'), 0o755);
  writeFileSync(join(folder, 'key.txt'), `${canaries['file']}\n`, { mode: 0o600 });
  const env = {
    CANARY_VAULT: '${vault:dies/KEY}',
    CANARY_FILE: '${file:./key.txt}',
    CANARY_ENVIRONMENT: '${SOURCE_TOKEN}',
    CANARY_COMMAND: '${command:pass show demo}',
    CANARY_LITERAL_TOKEN: canaries['literal'],
  };
  const run = (mode: string): object => ({
    command: process.execPath,
    args: [LEAKY, mode, '--api-key', canaries['argument']],
    env,
  });
  const mcpServers = {
    dies: run('dies'),
    works: run('works'),
    web: {
      url: `${site.url}?api_key=\${vault:web/QUERY}`,
      headers: { 'X-Api-Key': '${vault:web/HEADER}', Authorization: `Bearer ${canaries['bearer']}` },
    },
    private: { url: site.signInUrl },
  };
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
  const plug = newPlug(
    {
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      PLUG_NO_KEYRING: '1',
      PLUG_MASTER_KEY: master,
      PLUG_MCP_CONFIG: join(folder, 'mcp.json'),
      SOURCE_TOKEN: canaries['environment'] ?? '',
    },
    { hub: 'process' },
  );
  const theirs = {
    command: process.execPath,
    args: [LEAKY, 'dies'],
    env: { CANARY_KEY: canaries['project'] },
  };
  writeFileSync(join(plug.cwd, 'mcp.json'), JSON.stringify({ mcpServers: { theirs } }));
  const secrets = { 'dies/KEY': canaries['vault'], 'web/HEADER': canaries['header'], 'web/QUERY': query };
  for (const [name, value] of Object.entries(secrets)) {
    expect((await answerOf(plug.begin(['secrets', 'set', name], value))).code).toBe(0);
  }
  return { plug, canaries: { ...canaries, query, master } };
}

/** Signs in, once with a client that is refused, and once for good. */
async function signIn({ plug, canaries }: World): Promise<Record<string, string>> {
  const address = /^ {2}(http:\/\/\S+)$/m;
  const refused = startTyping(plug, ['auth', 'private', '--client-id', 'ours', '--client-secret']);
  refused.type(`${canaries['client']}\n`);
  await refused.says(address);
  refused.type('http://127.0.0.1:9/callback?code=none&state=none\n');
  const no = await refused.answer;
  const typing = startTyping(plug, ['auth', 'private', '--account', 'work']);
  await browse(await typing.says(address));
  const yes = await typing.answer;
  expect([no.code, yes.code]).toEqual([4, 0]);
  return { 'auth refused': no.stdout + no.stderr, auth: yes.stdout + yes.stderr };
}

/** The real tokens, as only the vault knows them. */
async function tokensOf(plug: Plug, { master = '' }: Canaries): Promise<Canaries> {
  await using storage = await openStorage({ kind: 'sqlite', file: `${plug.home}/plug/plugboard.db` });
  const tasks = new TaskGroup(silentLogger);
  const sources = {
    env: { PLUG_MASTER_KEY: master },
    folder: plug.home,
    clock: systemClock,
    ids: systemIds,
    limits,
  };
  const vault = new SealedVault({ store: storage.vault, owner: 'local', sources, tasks });
  const name = (await vault.list('local', 'token')).find((each) => each.includes('work')) ?? '';
  const document = (await vault.read({ owner: 'local', kind: 'token', name }))?.value.reveal() ?? '{}';
  const { tokens } = JSON.parse(document) as { tokens?: { access: string; refresh: string } }; // as it was sealed
  if (!tokens?.access || !tokens.refresh) throw new Error('There are no tokens to look for.');
  return { access: tokens.access, refresh: tokens.refresh };
}

const COMMANDS = [
  'trust',
  'trust theirs --yes',
  'wait --timeout 10',
  'list',
  'status',
  'events',
  'tools',
  'resources',
  'prompts',
  'profile list',
  'auth list',
  'auth logout nobody',
  'secrets list',
  'secrets rotate',
  'call works/leak',
  'hub status',
];

/** Every command that shows something, for people and for programs. */
async function runEverything(plug: Plug): Promise<Record<string, string>> {
  const ids = ['dies', 'works', 'web', 'private'];
  const each = ids.flatMap((id) =>
    ['restart', 'status', 'logs', 'tools'].map((command) => `${command} ${id}`),
  );
  const calls = ids.map((id) => `call ${id}/any`);
  const texts: Record<string, string> = {};
  for (const command of [...each, ...calls, ...COMMANDS]) {
    const words = command.split(' ');
    const [plain, json] = await Promise.all([plug(...words), plug('--json', ...words)]);
    texts[command] = plain.stdout + plain.stderr;
    texts[`${command} --json`] = json.stdout + json.stderr;
  }
  return texts;
}

/** Every address of the API that only looks, over the socket. */
async function askEverything(plug: Plug): Promise<Record<string, string>> {
  const home = `${plug.home}/plug`;
  const send = connectSocket({ config: home, data: home, state: home });
  const paths = operationNames
    .map((name) => routes[name])
    .filter(({ method, stream }) => method === 'GET' && stream === undefined)
    .flatMap(({ path }) =>
      path.includes(':id')
        ? ['dies', 'works', 'web', 'private'].map((id) => path.replace(':id', id))
        : [path],
    );
  const texts: Record<string, string> = {};
  for (const path of paths) {
    const { body } = await send({ method: 'GET', path });
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    texts[`GET ${path}`] = Buffer.concat(chunks).toString();
  }
  return texts;
}

/** Whatever the hub keeps, by the name of the file. */
function filesOf(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
  );
}

/** The command lines of the hub and of everything below it. */
function commandLinesOf(pid: number): string {
  return [pid, ...descendantsOf(pid)]
    .map((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').replaceAll('\0', ' '))
    .join('\n');
}
