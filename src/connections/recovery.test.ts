import { expect, test } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { verifies } from '../../test/requirements.ts';
import { systemIds } from '../base/ids.ts';
import { limits } from '../base/limits.ts';
import { Recovery } from './recovery.ts';

const dice = (value: number): typeof systemIds => ({ ...systemIds, random: () => value });

verifies(
  ['C8', 'attack:D10'],
  'restarts wait 1, 2 and 4 seconds, or half of it by chance, and there is no fourth',
  () => {
    for (const [chance, waits] of [
      [1, [1_000, 2_000, 4_000, undefined]],
      [0, [500, 1_000, 2_000, undefined]],
    ] as const) {
      const recovery = new Recovery({ clock: standingClock(), ids: dice(chance), limits });
      expect([1, 2, 3, 4].map(() => recovery.nextRestart())).toEqual(waits);
    }
  },
);

verifies(['C8'], 'the count of restarts begins anew only after a stable time', () => {
  const recovery = new Recovery({ clock: standingClock(), ids: dice(1), limits });
  for (let crash = 0; crash < 3; crash += 1) recovery.nextRestart();
  recovery.lived(limits.stableMs - 1);
  expect(recovery.nextRestart()).toBeUndefined();
  recovery.lived(limits.stableMs);
  expect(recovery.nextRestart()).toBe(1_000);
});

verifies(
  ['C8'],
  'the breaker opens at the fifth failure, lets one try through, and then opens for twice as long',
  async () => {
    const clock = standingClock();
    const recovery = new Recovery({ clock, ids: dice(1), limits });
    for (let failure = 1; failure <= 4; failure += 1) recovery.failed();
    expect(recovery.refusedMs).toBe(0);
    recovery.failed();
    expect(recovery.refusedMs).toBe(30_000);
    await clock.advance(30_000);
    expect(recovery.refusedMs).toBe(0);
    recovery.failed();
    expect(recovery.refusedMs).toBe(60_000);
    recovery.failed();
    expect(recovery.refusedMs).toBe(60_000);
    recovery.forgive();
    expect([recovery.refusedMs, recovery.failures]).toEqual([0, 0]);
  },
);

test('a restart never comes before the breaker lets it through', () => {
  const recovery = new Recovery({ clock: standingClock(), ids: dice(1), limits });
  recovery.failed(5);
  expect(recovery.nextRestart()).toBe(30_000);
});
