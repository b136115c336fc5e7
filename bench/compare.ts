import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Contender, file } from './gateway-contenders.ts';
import { drive } from './gateway-load.ts';
import { median } from './measure.ts';
import { temporaryHome } from './product.ts';

/**
 * `node bench/compare.ts CHECKOUT [commands | lists | calls | gateway …]`: CPU time of another checkout and
 * of this one, as both were built last, in turn. The least of all rounds is what the work takes: what
 * disturbs a machine only adds to it.
 */
const [other, ...words] = process.argv.slice(2);
if (other === undefined) throw new Error('Name the checkout to compare with: node bench/compare.ts ../other');
const checkouts = [resolve(other), fileURLToPath(new URL('..', import.meta.url))];
const ROUNDS = Number(process.env['ROUNDS'] ?? 15);
/** The table of processes counts in hundredths of a second: so many runs of a command are one sample. */
const RUNS = 5;
const GATEWAY_CALLS = 4_000;

/** CPU time in microseconds. */
type Measure = () => number | Promise<number>;

using home = temporaryHome();
await using started = new AsyncDisposableStack();
const parts: Readonly<Record<string, () => Promise<void>>> = { commands, lists, calls, gateway };
const row = (cells: readonly string[]): void =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(48) : cell.padStart(13))).join(''));
row(['', 'other, least', 'here, least', 'ratio', 'of medians']);
for (const [name, part] of Object.entries(parts))
  if (words.length === 0 || words.includes(name)) await part();

async function compare(name: string, sides: readonly Measure[], warmUps = 1): Promise<void> {
  const samples = sides.map((): number[] => []);
  for (let round = -warmUps; round < ROUNDS; round += 1) {
    // Neither is always the first.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const cpu = await sides[index]?.();
      if (round >= 0 && cpu !== undefined) samples[index]?.push(cpu);
    }
  }
  const [base = Number.NaN, here = Number.NaN] = samples.map((each) => Math.min(...each));
  const [baseMedian = Number.NaN, hereMedian = Number.NaN] = samples.map(median);
  const shown = [`${base.toFixed(1)} µs`, `${here.toFixed(1)} µs`];
  row([name, ...shown, (here / base).toFixed(3), (hereMedian / baseMedian).toFixed(3)]);
}

/** What the command itself costs, and what it costs the hub. */
async function commands(): Promise<void> {
  const sides = checkouts.map((checkout, index) => {
    const own = join(home.path, `commands-${index}`);
    mkdirSync(own);
    const plug = (...argv: readonly string[]): string => runNode(own, [`${checkout}/dist/bin.js`, ...argv]);
    plug('add', 'echo', '--yes', '--', process.execPath, file('gateway-echo.ts'));
    plug('grants', 'add', 'echo/echo');
    started.defer(() => void plug('hub', 'stop'));
    const { pid } = JSON.parse(plug('hub', 'status', '--json')) as { pid: number }; // as documented
    return { plug, pid };
  });
  const samples = (argv: readonly string[], cpu: (pid: number) => number): Measure[] =>
    sides.map(({ plug, pid }) => () => {
      const before = cpu(pid);
      for (let run = 0; run < RUNS; run += 1) plug(...argv);
      return (cpu(pid) - before) / RUNS;
    });
  for (const argv of [
    ['--version'],
    ['--help'],
    ['list', '--json'],
    ['status'],
    ['call', 'echo/echo', 'text=hi'],
  ]) {
    const name = `plug ${argv.join(' ')}`;
    await compare(name, samples(argv, childCpu));
    if (!argv[0]?.startsWith('-')) await compare(`${name}, in the hub`, samples(argv, processCpu));
  }
}

/** The first list of all tools over the socket: a new hub each time. */
async function lists(): Promise<void> {
  const sides: Measure[] = [];
  for (const [index, checkout] of checkouts.entries()) {
    const own = join(home.path, `lists-${index}`);
    const { writeKnownServers } = (await import(
      `${checkout}/bench/known-servers.ts`
    )) as typeof import('./known-servers.ts');
    await writeKnownServers(own);
    const plug = (...argv: readonly string[]): string => runNode(own, [`${checkout}/dist/bin.js`, ...argv]);
    sides.push(() => {
      plug('hub', 'start');
      const { pid } = JSON.parse(plug('hub', 'status', '--json')) as { pid: number }; // as documented
      plug('list', '--json');
      const before = processCpu(pid);
      plug('tools', '--json');
      const spent = processCpu(pid) - before;
      plug('hub', 'stop');
      return spent;
    });
  }
  await compare('first list of 2,000 tools, in the hub', sides);
}

/** Calls through a hub opened as a library. */
async function calls(): Promise<void> {
  const sides = await Promise.all(checkouts.map((checkout) => openCaller(checkout)));
  for (const through of ['hub', 'connection']) {
    for (const atOnce of [1, 32]) {
      const name = `a call through the ${through}, ${atOnce} at once`;
      await compare(
        name,
        sides.map((ask) => () => ask(`${through} ${atOnce}`)),
        12,
      );
    }
  }
}

async function openCaller(checkout: string): Promise<(line: string) => Promise<number>> {
  const child = spawn(process.execPath, [file('compare-caller.ts'), checkout], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.defer(async () => {
    child.stdin.end();
    await once(child, 'exit');
  });
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  return async (line) => {
    child.stdin.write(`${line}\n`);
    const [answer] = (await once(lines, 'line')) as [string];
    return Number(answer);
  };
}

async function gateway(): Promise<void> {
  const sides: Record<'http' | 'session' | 'stdio', Contender>[] = [];
  for (const [index, checkout] of checkouts.entries()) {
    const { startOurGateway } = (await import(
      `${checkout}/bench/gateway-ours.ts`
    )) as typeof import('./gateway-ours.ts');
    sides.push(started.use(await startOurGateway(join(home.path, `gateway-${index}`))));
  }
  for (const front of ['http', 'session', 'stdio'] as const) {
    for (const side of sides) await drive(await side[front].lanes(32), { calls: 60_000 });
    for (const atOnce of [1, 32]) {
      const measures = sides.map((side) => async () => {
        const lanes = await side[front].lanes(atOnce);
        const { pids } = side[front];
        const before = pids.map(processCpu);
        await drive(lanes, { calls: GATEWAY_CALLS });
        return pids.reduce((sum, pid, at) => sum + processCpu(pid) - (before[at] ?? 0), 0) / GATEWAY_CALLS;
      });
      await compare(`a call over ${front}, ${atOnce} at once`, measures);
    }
  }
}

function runNode(own: string, argv: readonly string[]): string {
  const env = { PATH: process.env['PATH'], HOME: own, PLUG_HOME: own, PLUG_NO_FIRST_LOOKS: '1' };
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: own,
    env,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Of all children that have ended. */
function childCpu(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10_000; // cutime and cstime, see proc(5)
}

/** Of all threads that are still there. */
function processCpu(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}
