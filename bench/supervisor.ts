import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ServerProcess } from '../src/connections/processes/server-process.ts';
import { report } from './figure.ts';
import { findProcesses, interleave, pssMb, rssMb } from './measure.ts';
import { product, temporaryHome } from './product.ts';

/** What it costs that no server outlives the hub: a watcher in memory, and a shell at the start. */
const ROUNDS = 21;
const COMMAND = '/bin/sh';
const ARGS = ['-c', 'echo ready; cat'];

using home = temporaryHome();
const { startProcess } = await product<typeof import('../src/connections/processes/supervise.ts')>(
  'connections/processes/supervise',
);
const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
const { systemIds: ids } = await product<typeof import('../src/base/ids.ts')>('base/ids');
const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');
const env = { PATH: process.env['PATH'] ?? '' };
const cwd = home.path;

const memory = { rss: Number.NaN, pss: Number.NaN };
const time = await interleave(
  { supervised: timeSupervised, plain: timePlain },
  { rounds: ROUNDS, warmUps: 2 },
);
report([
  { name: 'watcher of one server, resident', unit: 'MB', measured: memory.rss },
  { name: 'watcher of one server, by share of pages', unit: 'MB', measured: memory.pss },
  {
    name: 'supervised start to first word, against spawn',
    unit: 'ms',
    measured: time.supervised,
    floor: time.plain,
  },
]);

async function timeSupervised(): Promise<number> {
  const started = performance.now();
  const server = await startProcess({ command: COMMAND, args: ARGS, cwd, env, clock, ids, limits });
  await once(server.stdout, 'data');
  const took = performance.now() - started;
  lookAtWatcher(server);
  await server.stop();
  return took;
}

function lookAtWatcher({ marker }: ServerProcess): void {
  const [watcher] = findProcesses((line) => line.includes('plug-watcher') && line.trimEnd().endsWith(marker));
  if (watcher === undefined) return; // it may still be starting; another round will see it
  memory.rss = rssMb(watcher);
  memory.pss = pssMb(watcher);
}

async function timePlain(): Promise<number> {
  const started = performance.now();
  const child = spawn(COMMAND, ARGS, { cwd, env, stdio: 'pipe' });
  await once(child.stdout, 'data');
  const took = performance.now() - started;
  const ended = once(child, 'exit');
  child.stdin.end();
  await ended;
  return took;
}
