import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { Clock } from '../../base/clock.ts';
import { silentLogger } from '../../base/logger.ts';
import { TaskGroup } from '../../base/tasks.ts';
import type { Tree, TreeUsage } from './usage.ts';
import { UsageSamples } from './usage-samples.ts';

/** Scans that the test ends itself, and a clock whose ticks it gives. */
function samples() {
  const scans: { readonly trees: readonly Tree[]; end(bytes: number): void }[] = [];
  let tick: (() => void) | undefined;
  let now = 0;
  const clock = {
    monotonic: () => now,
    every: (_ms: number, run: () => void) => {
      tick = run;
      return () => (tick = undefined);
    },
  } as unknown as Clock; // nothing else of it is used
  const measure = (trees: readonly Tree[]): Promise<readonly TreeUsage[]> =>
    new Promise((resolve) => {
      const end = (rssBytes: number): void =>
        resolve(trees.map(() => ({ processes: rssBytes > 0 ? 1 : 0, rssBytes })));
      scans.push({ trees, end });
    });
  const usage = new UsageSamples({ clock, tasks: new TaskGroup(silentLogger), measure });
  return {
    usage,
    scans,
    isTicking: () => tick !== undefined,
    advance: (ms: number) => {
      now += ms;
      tick?.();
    },
  };
}

const one: Tree = { pid: 11, marker: 'one' };
const two: Tree = { pid: 12, marker: 'two' };
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

verifies(
  ['U7'],
  'a list is answered from the last sample while the next one is still being taken',
  async () => {
    const { usage, scans, advance } = samples();
    const first = usage.of([one]);
    scans[0]?.end(100);
    expect(await first).toEqual([{ processes: 1, rssBytes: 100 }]);
    advance(10_000);
    expect(scans).toHaveLength(2);
    expect(await usage.of([one])).toEqual([{ processes: 1, rssBytes: 100 }]);
    scans[1]?.end(200);
    await settled();
    expect(await usage.of([one])).toEqual([{ processes: 1, rssBytes: 200 }]);
    expect(scans).toHaveLength(2);
  },
);

verifies(['C16'], 'a server that has just started is measured before it is shown', async () => {
  const { usage, scans } = samples();
  const first = usage.of([one]);
  const both = usage.of([one, two]);
  scans[0]?.end(100);
  await first;
  await settled();
  expect(scans.map(({ trees }) => trees)).toEqual([[one], [one, two]]);
  scans[1]?.end(50);
  expect(await both).toEqual([
    { processes: 1, rssBytes: 50 },
    { processes: 1, rssBytes: 50 },
  ]);
});

test('sampling ends with the servers, and when no list has been asked for in a while', async () => {
  const ended = samples();
  const first = ended.usage.of([one]);
  ended.scans[0]?.end(0);
  expect(await first).toEqual([{ processes: 0, rssBytes: 0 }]);
  ended.advance(10_000);
  expect(ended.isTicking()).toBe(false);

  const forgotten = samples();
  const asked = forgotten.usage.of([one]);
  forgotten.scans[0]?.end(100);
  await asked;
  forgotten.advance(6 * 60_000);
  expect(forgotten.isTicking()).toBe(false);
  expect(forgotten.scans).toHaveLength(1);
});
