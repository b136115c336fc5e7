import { expect, test } from 'vitest';
import { newLines } from './logs.ts';

const log = (pid: number, ...stderr: readonly string[]) => ({
  server: 'notes',
  pid,
  stderr,
  noise: { count: 0, lines: [] },
});

test('only lines written since the last look are shown', () => {
  expect(newLines(log(1, 'a', 'b'), log(1, 'a', 'b'))).toEqual([]);
  expect(newLines(log(1, 'a', 'b'), log(1, 'a', 'b', 'c', 'd'))).toEqual(['c', 'd']);
  expect(newLines(log(1), log(1, 'a'))).toEqual(['a']);
});

test('the oldest lines may be gone', () => {
  expect(newLines(log(1, 'a', 'b', 'c'), log(1, 'b', 'c', 'd'))).toEqual(['d']);
  expect(newLines(log(1, 'a', 'b'), log(1, 'x', 'y'))).toEqual(['x', 'y']);
});

test('a half-written line is shown once it is whole', () => {
  expect(newLines(log(1, 'a', 'hel'), log(1, 'a', 'hello', 'c'))).toEqual(['hello', 'c']);
});

test('a restarted server’s lines are shown once, although they read like the old ones', () => {
  expect(newLines(log(1, 'ready'), log(2, 'ready'))).toEqual(['ready']);
  expect(newLines(log(2, 'ready'), log(2, 'ready'))).toEqual([]);
});
