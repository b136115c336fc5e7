import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';
import type { Ids } from './ids.ts';

const idsWith = (value: number): Ids => ({ next: (prefix) => prefix, random: () => value });

test('each wait doubles up to the limit, and jitter never makes it less than half', () => {
  const waits = (random: number): number[] =>
    [0, 1, 2, 10, 500].map((attempt) =>
      backoffMs({ attempt, baseMs: 1000, maxMs: 60_000, ids: idsWith(random) }),
    );
  expect(waits(0)).toEqual([500, 1000, 2000, 30_000, 30_000]);
  expect(waits(0.999_999_9)).toEqual([1000, 2000, 4000, 60_000, 60_000]);
});
