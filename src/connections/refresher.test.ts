import { expect, test } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { verifies } from '../../test/requirements.ts';
import { limits } from '../base/limits.ts';
import { silentLogger } from '../base/logger.ts';
import { Refresher } from './refresher.ts';

const SILENT = { logger: silentLogger, server: 'one' };

verifies(
  ['C10', 'attack:E15'],
  'a steady storm of notices refreshes at once and then once per interval, and ends with a refresh',
  async () => {
    const clock = standingClock();
    let refreshes = 0;
    const refresh = async (): Promise<void> => {
      refreshes += 1;
    };
    const refresher = new Refresher({
      clock,
      limits: { ...limits, listRefreshMinMs: 1_000 },
      refresh,
      ...SILENT,
    });
    refresher.notice();
    expect(refreshes).toBe(1);
    for (let notice = 0; notice < 1_000; notice += 1) {
      await clock.advance(10);
      refresher.notice();
    }
    expect(refreshes).toBeGreaterThanOrEqual(10);
    expect(refreshes).toBeLessThanOrEqual(11);
    const before = refreshes;
    refresher.notice();
    await clock.advance(1_000);
    expect(refreshes).toBe(before + 1);
  },
);

test('what changes during a refresh is looked at once more; after a stop nothing is', async () => {
  const clock = standingClock();
  const ends: (() => void)[] = [];
  const refresh = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const refresher = new Refresher({
    clock,
    limits: { ...limits, listRefreshMinMs: 100 },
    refresh,
    ...SILENT,
  });
  refresher.notice();
  for (let notice = 0; notice < 50; notice += 1) refresher.notice();
  await clock.advance(500);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await clock.advance(0);
  expect(ends).toHaveLength(2);
  refresher.notice();
  refresher.stop();
  ends[1]?.();
  await clock.advance(1_000);
  expect(ends).toHaveLength(2);
});
