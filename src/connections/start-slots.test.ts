import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { limits } from '../base/limits.ts';
import { StartSlots } from './start-slots.ts';

function crowd(slots: StartSlots, signal: AbortSignal): { begun: number; readonly end: (() => void)[] } {
  const state = { begun: 0, end: [] as (() => void)[] };
  const work = (): Promise<void> => {
    state.begun += 1;
    return new Promise((resolve) => state.end.push(resolve));
  };
  for (let each = 0; each < 5; each += 1) void Promise.allSettled([slots.run(work, signal)]);
  return state;
}

const never = new AbortController().signal;
const few = { ...limits, startsAtOnceMax: 2, startSlotMs: 1_000 };

test('only so many start at once, and each end lets the next one in', async () => {
  const clock = standingClock();
  const state = crowd(new StartSlots({ clock, limits: few }), never);
  await clock.advance(0);
  expect(state.begun).toBe(2);
  state.end[0]?.();
  await clock.advance(0);
  expect(state.begun).toBe(3);
});

test('servers that hang in their start give their slots to others after a moment', async () => {
  const clock = standingClock();
  const state = crowd(new StartSlots({ clock, limits: few }), never);
  await clock.advance(999);
  expect(state.begun).toBe(2);
  await clock.advance(1);
  expect(state.begun).toBe(4);
  await clock.advance(1_000);
  expect(state.begun).toBe(5);
});

test('whoever is aborted while waiting leaves at once, takes no slot and leaves no listener', async () => {
  const clock = standingClock();
  const slots = new StartSlots({ clock, limits: few });
  const state = crowd(slots, never);
  const abort = new AbortController();
  const waiting = slots.run(() => Promise.reject(new Error('was run')), abort.signal);
  abort.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  await expect(slots.run(() => Promise.resolve(), abort.signal)).rejects.toThrow('left');
  for (let turn = 0; turn < 5; turn += 1) {
    state.end[turn]?.();
    await clock.advance(0);
  }
  expect(state.begun).toBe(5);
  const { signal } = new AbortController();
  await expect(slots.run(() => Promise.resolve('free'), signal)).resolves.toBe('free');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a start that fails gives its slot back', async () => {
  const slots = new StartSlots({ clock: standingClock(), limits: { ...few, startsAtOnceMax: 1 } });
  const fail = (): Promise<void> => Promise.reject(new Error('no'));
  for (let each = 0; each < 3; each += 1) await expect(slots.run(fail, never)).rejects.toThrow('no');
});
