import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { isAlive, stdioFixture, waitFor } from '../../../test/servers/start.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { patience } from '../../../test/suite/patience.ts';
import { drained } from './stdio-transport.ts';
import { carriersOf } from './process-table.ts';
import type { ServerProcess } from './server-process.ts';
import { startProcess } from './supervise.ts';
import { LAUNCHER_NAME } from './supervisor-script.ts';

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

async function start({ command, args, env = {}, cwd = '/' }: Start): Promise<ServerProcess> {
  const path = { PATH: process.env['PATH'] ?? '' };
  const clock = systemClock;
  const server = await startProcess({
    command,
    args,
    cwd,
    env: { ...path, ...env },
    clock,
    ids: systemIds,
    limits,
  });
  onTestFinished(() => server.stop());
  return server;
}

/** What a stop may take: end of input, TERM, KILL. */
const STOP_MS = limits.stopEofMs + limits.stopTermMs + limits.stopSweepMs;

const sh = (script: string): Start => ({ command: '/bin/sh', args: ['-c', script] });

async function outputText(server: ServerProcess): Promise<string> {
  let text = '';
  server.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await server.exit;
  await drained(server.stdout, { clock: systemClock, limits });
  return text;
}

/** Pids that a fixture wrote to its file, one a line. */
const pidsIn = (file: string): number[] => readFileSync(file, 'utf8').trim().split('\n').map(Number);

test('the hub sees the server’s own exit code, signal and output', async () => {
  const ended = await start(sh('echo out; echo err >&2; exit 3'));
  expect(await outputText(ended)).toBe('out\n');
  expect(await ended.exit).toEqual({ code: 3, signal: null });
  expect(ended.stderr.lines(20)).toEqual(['err']);
  const killed = await start(sh('kill -9 $$'));
  expect(await killed.exit).toEqual({ code: null, signal: 'SIGKILL' });
});

verifies(
  ['C13', 'attack:D1'],
  'a server’s environment holds what it was given, and the marker of its tree',
  async () => {
    const server = await start({ command: '/usr/bin/env', args: [], env: { TOKEN: 't', 'API-KEY': 'k' } });
    const names = (await outputText(server))
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    const shells = new Set(['PWD', 'SHLVL', '_']); // the launching shell's own notes; none tells of the hub
    expect(new Set(names.filter((name) => !shells.has(name ?? '')))).toEqual(
      new Set(['API-KEY', 'PATH', 'PLUG_TREE', 'TOKEN']),
    );
  },
);

verifies(['attack:D4'], 'a server has its three standard streams open and nothing of the hub', async () => {
  const server = await start({ command: '/bin/ls', args: ['/proc/self/fd'] });
  // The fourth is the folder that ls itself reads.
  expect((await outputText(server)).trim().split('\n')).toEqual(['0', '1', '2', '3']);
});

verifies(
  ['attack:C6'],
  'arguments reach the server letter by letter, without any shell reading them',
  async () => {
    const folder = temporaryFolder();
    const args = ['; touch x', '$(touch x)', '`touch x`', '', "it's", '"q"', '*', '-n', 'two\nlines', '\\'];
    const program = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const server = await start({
      command: process.execPath,
      args: ['-e', program, '--', ...args],
      cwd: folder,
    });
    expect(JSON.parse(await outputText(server))).toEqual(args);
    expect(existsSync(join(folder, 'x'))).toBe(false);
  },
);

verifies(['C12'], 'a polite server ends at the end of its input, without a signal', async () => {
  const server = await start(sh('cat; exit 0'));
  await server.stop();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  expect(await carriersOf(server.marker)).toEqual([]);
});

verifies(
  ['C12', 'attack:D8'],
  'stop ends the whole tree within five seconds, though all of it ignores the end of input and TERM',
  async () => {
    const file = join(temporaryFolder(), 'pids');
    const stubborn = await start(stdioFixture('ignores-stop', { file }));
    const tree = await start(stdioFixture('grandchild', { file: `${file}2`, setsid: true }));
    await waitFor(() => pidsIn(file).length === 1 && pidsIn(`${file}2`).length === 2);
    const pids = [...pidsIn(file), ...pidsIn(`${file}2`)];
    expect(pids.every(isAlive)).toBe(true);
    const before = performance.now();
    await Promise.all([stubborn.stop(), tree.stop(), tree.stop()]);
    expect(performance.now() - before).toBeLessThan(STOP_MS + patience(200));
    expect(pids.filter(isAlive)).toEqual([]);
    expect([...(await carriersOf(stubborn.marker)), ...(await carriersOf(tree.marker))]).toEqual([]);
  },
  15_000,
);

test('what a server leaves behind when it exits by itself is ended too', async () => {
  const server = await start(sh('sleep 300 & setsid sleep 300 & echo $!; exit 7'));
  expect(await server.exit).toEqual({ code: 7, signal: null });
  await waitFor(async () => (await carriersOf(server.marker)).length === 0);
});

test('an exit is told at once although a process left behind holds stdout, and nothing written is lost', async () => {
  const server = await start(sh('trap "" TERM; sleep 300 & echo last words; exit 5'));
  expect(await outputText(server)).toBe('last words\n');
  expect((await carriersOf(server.marker)).length).toBeGreaterThan(0);
  await server.stop();
  expect(await carriersOf(server.marker)).toEqual([]);
});

test('a server that is stopped while it starts leaves nothing', async () => {
  const servers = await Promise.all(Array.from({ length: 5 }, () => start(sh('sleep 300; sleep 300'))));
  await Promise.all(servers.map((server) => server.stop()));
  for (const server of servers) expect(await carriersOf(server.marker)).toEqual([]);
});

test('a server that kills its own group, watcher and all, is still noticed and its escapees ended', async () => {
  const server = await start(
    sh('setsid sh -c "trap : TERM; while :; do sleep 1; done" & sleep 0.2; kill -9 0'),
  );
  expect(await server.exit).toEqual({ code: null, signal: 'SIGKILL' });
  await server.stop();
  await waitFor(async () => (await carriersOf(server.marker)).length === 0);
});

test('a server that has killed only its watcher is stopped by the hub itself', async () => {
  const script =
    'trap "" TERM; for p in $(pgrep -g $$ -f [p]lug-watcher); do kill -9 $p; done; while :; do sleep 1; done';
  const server = await start(sh(script));
  await systemClock.sleep(300);
  expect(isAlive(server.pid)).toBe(true);
  await server.stop();
  expect(await server.exit).toEqual({ code: null, signal: 'SIGKILL' });
  expect(await carriersOf(server.marker)).toEqual([]);
});

test('a missing working folder is named as such', async () => {
  await expect(start({ command: '/bin/true', args: [], cwd: '/nowhere/at/all' })).rejects.toMatchObject({
    code: 'bad_config',
    message: expect.stringContaining('/nowhere/at/all'),
  });
});

test('a file that cannot be started, or whose interpreter is gone, ends with the code and the words that say so', async () => {
  const script = join(temporaryFolder(), 'stale');
  writeFileSync(script, '#!/nowhere/python3\n', { mode: 0o755 });
  const program = join(temporaryFolder(), 'other-machine');
  writeFileSync(program, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 0]), { mode: 0o755 });
  for (const [command, code] of [
    ['/nowhere/at/all', 127],
    [script, 127],
    [program, 126],
  ] as const) {
    const server = await start({ command, args: [] });
    expect(await server.exit).toEqual({ code, signal: null });
    await waitFor(() => server.stderr.lines(1)[0]?.includes(command));
    // The launching shell speaks under its own name only when it could not become the server.
    expect(server.stderr.lines(1)[0]).toMatch(new RegExp(`^${LAUNCHER_NAME}:`));
  }
});

verifies(
  ['C12', 'attack:D9'],
  'kill -9 of the hub leaves no process behind: not a stubborn one, not its child, not one that left the session',
  async () => {
    const folder = temporaryFolder();
    const files = ['a', 'b', 'c'].map((name) => join(folder, name));
    const lines = [
      stdioFixture('ignores-stop', { file: files[0] ?? '' }),
      stdioFixture('grandchild', { file: files[1] ?? '' }),
      stdioFixture('grandchild', { file: files[2] ?? '', setsid: true }),
    ];
    const hub = spawn(process.execPath, ['--input-type=module', '-e', hubProgram(lines)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(hub.stdout, 'data');
    await waitFor(() => files.flatMap(pidsIn).length === 5, 10_000);
    const pids = files.flatMap(pidsIn);
    expect(pids.filter(isAlive)).toHaveLength(5);
    hub.kill('SIGKILL');
    await waitFor(() => !pids.some(isAlive), STOP_MS);
    expect(pids.filter(isAlive)).toEqual([]);
  },
  20_000,
);

/** A hub in miniature: starts the servers, says so, and stays. */
function hubProgram(lines: readonly Start[]): string {
  const from = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  return `
    import { startProcess } from ${from('./supervise.ts')};
    import { systemClock as clock } from ${from('../../base/clock.ts')};
    import { systemIds as ids } from ${from('../../base/ids.ts')};
    import { limits } from ${from('../../base/limits.ts')};
    for (const line of ${JSON.stringify(lines)}) {
      await startProcess({ ...line, cwd: '/', env: { PATH: process.env.PATH }, clock, ids, limits });
    }
    console.log('started');
    setInterval(() => {}, 1000);`;
}
