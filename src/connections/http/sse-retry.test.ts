import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { type Ids, systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { clampedScheduler } from './sse-transport.ts';

/** A scheduler whose waits are noted and pass at once on its own clock. */
function scheduler(ids: Ids): { wait(askedMs: number): number; pass(ms: number): void } {
  let now = 0;
  let waited = -1;
  const clock: Clock = {
    ...systemClock,
    monotonic: () => now,
    after: (ms) => {
      waited = ms;
      now += ms;
      return () => undefined;
    },
  };
  const schedule = clampedScheduler({ clock, ids, limits });
  return {
    wait: (askedMs) => {
      schedule(() => undefined, askedMs, 0);
      return waited;
    },
    pass: (ms) => {
      now += ms;
    },
  };
}

verifies(['attack:E9'], 'a server cannot ask to be reconnected at once, nor never', () => {
  for (const askedMs of [0, -1, 1, 2 ** 31, 2 ** 53]) {
    const waitMs = scheduler(systemIds).wait(askedMs);
    expect(waitMs).toBeGreaterThanOrEqual(1_000);
    expect(waitMs).toBeLessThanOrEqual(60_000);
  }
  expect(scheduler({ ...systemIds, random: () => 0 }).wait(5_000)).toBe(5_000);
});

test('a server that closes every stream at once is met with growing patience, until it is stable', () => {
  const stream = scheduler({ ...systemIds, random: () => 0.5 });
  const waits = Array.from({ length: 10 }, () => stream.wait(0));
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  expect(waits.at(-1)).toBeGreaterThan(40_000);
  stream.pass(limits.stableMs + limits.streamRetryMaxMs);
  expect(stream.wait(0)).toBeLessThan(2_000);
});

test('two clients do not come back in the same moment', () => {
  const waits = new Set(Array.from({ length: 20 }, () => scheduler(systemIds).wait(1_000)));
  expect(waits.size).toBeGreaterThan(10);
});
