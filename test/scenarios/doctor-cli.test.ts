import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, vi } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import { PlugError } from '../../src/base/errors.ts';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { atATerminal } from './at-a-terminal.ts';
import { local, remote } from './lifecycle-hub.ts';
import { newPlug } from './plug-command.ts';

const SLOW = 60_000;

verifies(
  ['U4', 'U1'],
  'plug doctor shows each finding by symbol and word, with its recovery, and fails only for a FAIL',
  async () => {
    useHome(temporaryFolder());
    const { hub, type } = await atATerminal();
    await hub.servers.add({ definition: local('good', 'legacy') });
    const well = await type(['doctor']);
    expect(well.code).toBe(0);
    expect(well.shown).toMatch(/✔ PASS {2}good {2}\d+ of \d+ tools offered/);
    expect(well.shown).toMatch(/✔ PASS {2}hub +Plugboard 1\.0\.0 is running/);
    expect(well.shown).toMatch(/No problems\.\n$/);

    const { command, args } = stdioFixture('exits-at-once');
    await hub.servers.apply({
      definitions: [
        local('good', 'legacy'),
        { ...local('quits', 'legacy'), endpoint: { kind: 'stdio', command, args, env: {} } },
      ],
    });
    await Promise.allSettled([hub.servers.start({ id: 'quits' })]);
    const { code, shown } = await type(['doctor']);
    expect(code).toBe(1);
    expect(shown).toMatch(/\nquits\n✔ PASS {2}config/);
    expect(shown).toContain('✖ FAIL  stderr     It needs the variable DATABASE_URL');
    expect(shown).toContain('│ config error: DATABASE_URL is not set');
    expect(shown).toMatch(
      / next {2}Set “env\.DATABASE_URL” to \$\{DATABASE_URL\} in the definition of quits\./,
    );
    expect(shown).toContain('– SKIP  handshake, tools, pins  Skipped: fix “stderr” first.');
    expect(shown).toMatch(/\n1 problem\.\n$/);

    const one = await type(['doctor', 'good']);
    expect(one).toMatchObject({ code: 0 });
    expect(one.shown).toMatch(/✔ PASS {2}handshake {2}It speaks MCP 2025-11-25 \(legacy era\)/);
    expect(one.shown).not.toContain('quits');

    const failed = await type(['doctor', '--failed']);
    expect(failed.code).toBe(1);
    expect(failed.shown).toContain('DATABASE_URL');
    expect(failed.shown).not.toContain('good');

    const typo = await type(['doctor', 'god']);
    expect(typo).toMatchObject({ code: 6, shown: expect.stringContaining('Did you mean good?') });
  },
  SLOW,
);

verifies(
  ['U4'],
  'with --fix what can be mended is mended and looked at again, and --json is one document',
  async () => {
    useHome(temporaryFolder());
    const home = temporaryFolder();
    const { hub, type } = await atATerminal({}, home);
    const file = join(home, 'notes-server');
    await hub.servers.apply({
      definitions: [
        { ...local('notes', 'legacy'), endpoint: { kind: 'stdio', command: file, args: [], env: {} } },
      ],
    });
    await Promise.allSettled([hub.servers.start({ id: 'notes' })]);
    const { command, args } = stdioFixture('legacy');
    writeFileSync(file, `#!/bin/sh\nexec ${command} ${args.join(' ')}\n`, { mode: 0o755 });
    const before = await type(['doctor', 'notes']);
    expect(before.code).toBe(0);
    expect(before.shown).toContain('⚠ WARN  command');
    expect(before.shown).toContain('fix   plug doctor --fix will start notes again');
    expect(before.shown).toMatch(/No problems, 1 warning, 1 automatic fix: plug doctor --fix\n$/);

    const fixed = await type(['doctor', 'notes', '--fix', '--json']);
    expect(JSON.parse(fixed.shown)).toMatchObject({
      counts: { warn: 0, fail: 0 },
      fixes: [{ id: 'restart:notes', done: true, says: 'notes is ready.' }],
    });
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('ready');
    const again = await type(['doctor', 'notes', '--fix']);
    expect(again.shown).toMatch(/No problems\.\n$/);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a summary to copy names no person, no account, no folder of theirs and no private machine',
  async () => {
    const home = join(temporaryFolder(), 'jane');
    mkdirSync(home);
    useHome(home);
    const { hub, type } = await atATerminal({ NODE_EXTRA_CA_CERTS: join(home, 'corp.pem') });
    expect(homedir()).toBe(home);
    await hub.secrets.set({ name: 'intra-key', value: 'tok-very-secret-0001' });
    await hub.servers.apply({
      definitions: [
        remote('intra', 'https://mcp.acme-inside.example/mcp', {
          endpoint: {
            kind: 'http',
            url: 'https://mcp.acme-inside.example/mcp',
            headers: { Authorization: 'Bearer ${vault:intra-key}', 'X-Who': '${vault:jane@acme.example}' },
          },
        }),
        remote('lan', 'http://10.1.2.3:8080/mcp'),
        {
          ...local('gone', 'legacy'),
          endpoint: {
            kind: 'stdio',
            command: 'node',
            args: [join(home, 'notes/secret-project/index.js')],
            env: {},
          },
        },
        {
          ...local('speaks', 'legacy'),
          endpoint: {
            kind: 'stdio',
            command: process.execPath,
            args: ['-e', 'console.error("jane@acme.example failed at db.acme.internal"); process.exit(1)'],
            env: {},
          },
        },
      ],
    });
    await Promise.allSettled([hub.servers.start({ id: 'speaks' })]);
    const { code, shown } = await type(['doctor', '--copy']);
    expect(code).toBe(1);
    expect(shown).toContain('### plug doctor');
    expect(shown).toMatch(/\| FAIL \| gone \| command \| The file ~\/notes\/secret-project\/index\.js/);
    expect(shown).toMatch(/\| WARN \| {2}\| proxy \|/);
    expect(shown).toContain('Lines of logs are left out');
    const person = userInfo().username;
    const told = [home, 'acme-inside', '10.1.2.3', 'jane', 'acme.internal', 'tok-very'];
    for (const word of told) expect(shown, word).not.toContain(word);
    expect(shown).not.toMatch(new RegExp(`\\b${person}\\b`));
  },
  SLOW,
);

verifies(
  ['U4'],
  'when the hub cannot be started at all the doctor still says why',
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'plug'), { mode: 0o700 });
    const database = join(home, 'plug', 'plugboard.db');
    writeFileSync(database, 'this was a database once, before the disk went bad\n'.repeat(100), {
      mode: 0o600,
    });
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { home, rules: 'shipped', hub: 'process' });
    const { code, stdout } = await plug('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✖ FAIL {2}hub +The hub did not start\./);
    expect(stdout).toMatch(/│ .*SQLite database\. It was left unchanged/);
    expect(stdout).toMatch(/✖ FAIL {2}storage +.*plugboard\.db is damaged: it isn’t an SQLite database/);
    expect(stdout).toMatch(/✔ PASS {2}runtimes +Node \d+/);
    expect(readFileSync(database, 'utf8')).toContain('once');
    const { stdout: json } = await plug('doctor', '--json');
    expect(JSON.parse(json)).toMatchObject({
      rows: expect.arrayContaining([expect.objectContaining({ check: 'hub', cause: 'hub_unavailable' })]),
    });
  },
  SLOW,
);

verifies(
  ['U4'],
  'a hub of another version is the first thing that is told, with the command that mends it',
  async () => {
    const { code, shown } = await withoutHub(
      new PlugError(
        'unavailable',
        'The hub that is running is version 0.9.0; this command is version 1.0.0.',
        {
          owner: 'you',
          remedy: { do: 'restart-hub' },
        },
      ),
    );
    expect(code).toBe(1);
    expect(shown).toMatch(/✖ FAIL {2}hub +The hub that is running is version 0\.9\.0/);
    expect(shown).toContain('next  plug hub restart');
  },
);

verifies(
  ['U4'],
  'a file where the socket belongs is found and taken away when that is asked for',
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'run'), { recursive: true, mode: 0o700 });
    const socket = join(home, 'run', 'hub.sock');
    writeFileSync(socket, 'oops');
    const why = new PlugError('hub_unavailable', 'The hub did not start.', { owner: 'plugboard' });
    const found = await withoutHub(why, ['doctor'], home);
    expect(found.shown).toMatch(/✖ FAIL {2}hub +.*hub\.sock is in the hub’s way/);
    expect(readFileSync(socket, 'utf8')).toBe('oops');
    const mended = await withoutHub(why, ['doctor', '--fix'], home);
    expect(mended.shown).toMatch(/✔ FIXED {2}.*hub\.sock is removed/);
    expect(() => readFileSync(socket)).toThrow('ENOENT');
  },
);

/** Other clients' files are looked for in the home of the person, which is not the tester's. */
function useHome(home: string): void {
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The command line, where no hub can be had. */
async function withoutHub(
  why: PlugError,
  argv: readonly string[] = ['doctor'],
  home: string = temporaryFolder(),
): Promise<{ readonly code: number; readonly shown: string }> {
  let shown = '';
  const screen = (): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        shown += chunk.toString();
        done();
      },
    });
  const never = (): Promise<never> => Promise.reject(why);
  const code = await runCli({
    argv,
    env: { PLUG_HOME: home },
    cwd: home,
    version: '1.0.0',
    signal: AbortSignal.timeout(patience(30_000)),
    hubs: {
      connect: never,
      running: never,
      start: never,
      run: never,
      runTeam: never,
      find: never,
      openAddress: never,
      pageLink: never,
      openPage: never,
      stop: never,
    },
    stdin: () => new PassThrough(),
    stdout: screen(),
    stderr: screen(),
  });
  return { code, shown };
}
