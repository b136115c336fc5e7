import { expect, test } from 'vitest';
import { freshLines } from './logs.ts';

test('only what was written since is told', () => {
  expect(freshLines(['a', 'b'], ['a', 'b'])).toEqual([]);
  expect(freshLines(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual(['c', 'd']);
  expect(freshLines([], ['a'])).toEqual(['a']);
});

test('the oldest lines may have gone meanwhile', () => {
  expect(freshLines(['a', 'b', 'c'], ['b', 'c', 'd'])).toEqual(['d']);
  expect(freshLines(['a', 'b'], ['x', 'y'])).toEqual(['x', 'y']);
});

test('a line that was half written is told once it is whole', () => {
  expect(freshLines(['a', 'hel'], ['a', 'hello', 'c'])).toEqual(['hello', 'c']);
});
