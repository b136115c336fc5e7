import { expect, test } from 'vitest';
import { systemClock, type Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { ServerOutput } from '../connections/open-session.ts';
import { StderrFollower } from './trials.ts';

/** A server's stderr, and a clock that ticks when it is told to. */
function started(linesMax = 100) {
  const lines: string[] = [];
  const told: string[] = [];
  const ticks = new Set<() => void>();
  const clock: Clock = {
    ...systemClock,
    every: (_ms, run) => {
      ticks.add(run);
      return () => void ticks.delete(run);
    },
  };
  const follower = new StderrFollower({
    clock,
    limits: { ...limits, trialLogLinesMax: linesMax },
    redactText: (text) => text.replaceAll('key-1', '[secret]'),
    tell: (line) => told.push(line),
  });
  const output = (of: readonly string[]): ServerOutput => ({
    pid: 1,
    marker: 'm',
    stderr: (count) => of.slice(-count),
    noise: () => ({ count: 0, lines: [] }),
  });
  return { lines, told, ticks, follower, output, tick: () => ticks.forEach((run) => run()) };
}

test('each line is told once, and the last two only when no more can belong to them', () => {
  const { lines, told, follower, output, tick } = started();
  follower.follow(output(lines));
  lines.push('first', 'then', 'ke');
  tick();
  expect(told).toEqual(['first']);
  lines[2] = 'key-1 is used';
  lines.push('second', 'third');
  tick();
  tick();
  expect(told).toEqual(['first', 'then', '[secret] is used']);
  follower.end();
  follower.end();
  expect(told).toEqual(['first', 'then', '[secret] is used', 'second', 'third']);
});

test('the lines of a second process come after those of the first, and nobody looks afterwards', () => {
  const { told, ticks, follower, output } = started();
  follower.follow(output(['a', 'b']));
  follower.follow(output(['a', 'c']));
  expect(told).toEqual(['a', 'b']);
  expect(ticks.size).toBe(1);
  follower.end();
  expect(told).toEqual(['a', 'b', 'a', 'c']);
  expect(ticks.size).toBe(0);
});

test('a flood is cut off, and says so once', () => {
  const { lines, told, follower, output, tick } = started(3);
  follower.follow(output(lines));
  for (let round = 0; round < 5; round += 1) {
    lines.push('x', 'y');
    tick();
  }
  follower.end();
  expect(told.slice(0, 3)).toEqual(['x', 'y', 'x']);
  expect(told.slice(3)).toEqual([expect.stringContaining('At most 3 lines')]);
});
