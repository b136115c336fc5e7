import { expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { Deadlines } from './deadlines.ts';

/** A clock that stands still until it is moved; rings what is due on the way, as timers do. */
function standingClock() {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const clock = {
    ...systemClock,
    monotonic: () => now,
    after: (ms: number, run: () => void) => {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
  const moveTo = (moment: number): void => {
    for (;;) {
      const next = timers.filter(({ at }) => at <= moment).toSorted((a, b) => a.at - b.at)[0];
      if (!next) break;
      timers = timers.filter((each) => each !== next);
      now = next.at;
      next.run();
    }
    now = moment;
  };
  return { clock, moveTo, waiting: () => timers.length };
}

test('each deadline is told when it is due, whatever the order in which they were set', () => {
  const { clock, moveTo } = standingClock();
  const told: string[] = [];
  const deadlines = new Deadlines<string>({ clock, onDue: (key) => told.push(key) });
  deadlines.set('late', 500, 0);
  deadlines.set('soon', 10, 0);
  deadlines.set('between', 100, 0);
  moveTo(9);
  expect(told).toEqual([]);
  moveTo(10);
  expect(told).toEqual(['soon']);
  moveTo(1_000);
  expect(told).toEqual(['soon', 'between', 'late']);
});

test('a deadline that was deleted or moved is not told at its old time', () => {
  const { clock, moveTo } = standingClock();
  const told: string[] = [];
  const deadlines = new Deadlines<string>({ clock, onDue: (key) => told.push(key) });
  deadlines.set('gone', 10, 0);
  deadlines.set('moved', 20, 0);
  deadlines.delete('gone');
  moveTo(15);
  deadlines.set('moved', 20, 15);
  moveTo(34);
  expect(told).toEqual([]);
  moveTo(35);
  expect(told).toEqual(['moved']);
});

test('a thousand requests that are answered in time cost one timer, which ends by itself', () => {
  const { clock, moveTo, waiting } = standingClock();
  const told: number[] = [];
  const deadlines = new Deadlines<number>({ clock, onDue: (key) => told.push(key) });
  for (let id = 0; id < 1_000; id += 1) {
    deadlines.set(id, 60_000, id);
    deadlines.delete(id);
    moveTo(id);
  }
  expect(waiting()).toBe(1);
  moveTo(200_000);
  expect(told).toEqual([]);
  expect(waiting()).toBe(0);
});

test('clearing forgets all deadlines and their timer', () => {
  const { clock, moveTo, waiting } = standingClock();
  const told: number[] = [];
  const deadlines = new Deadlines<number>({ clock, onDue: (key) => told.push(key) });
  deadlines.set(1, 10, 0);
  deadlines.clear();
  expect(waiting()).toBe(0);
  deadlines.set(2, 10, 0);
  moveTo(20);
  expect(told).toEqual([2]);
});

test('on real time, a deadline is told after its time and never before', async () => {
  const started = systemClock.monotonic();
  const at = await new Promise<number>((resolve) => {
    const deadlines = new Deadlines<string>({
      clock: systemClock,
      onDue: () => resolve(systemClock.monotonic()),
    });
    deadlines.set('one', 20.5, started);
    void systemClock.sleep(60); // its timer alone does not keep the process alive
  });
  expect(at - started).toBeGreaterThanOrEqual(20.5);
});
