import { spawnSync } from 'node:child_process';

/**
 * How many times slower than a quiet machine of the kind that the limits were written for this one
 * is now: 1 on such a machine, about 2 beside as many busy loops as there are cores. Never below 1.
 */
export function measureSlowness(): number {
  const factors = Array.from({ length: ROUNDS }, () => [
    timeOf(work) / WORK_MS,
    timeOf(() => spawnSync(process.execPath, ['-e', '0'])) / NODE_START_MS,
  ]).flat();
  return Math.max(1, factors.reduce((sum, factor) => sum + factor, 0) / factors.length);
}

// Long enough that the scheduler has given every other process its turn.
const ROUNDS = 5;
const WORK_MS = 75;
const NODE_START_MS = 40;

function work(): number {
  let sum = 0;
  for (let n = 0; n < 20_000_000; n += 1) sum = (sum + n * 7) % 1_000_003;
  return sum;
}

function timeOf(run: () => unknown): number {
  const started = performance.now();
  run();
  return performance.now() - started;
}
