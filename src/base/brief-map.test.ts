import { expect, test } from 'vitest';
import { BriefMap } from './brief-map.ts';

test('a value is found by its key until it goes', () => {
  const map = new BriefMap<number | string, string>();
  map.set(1, 'one');
  map.set('1', 'text');
  map.set(1, 'one again');
  expect([map.get(1), map.get('1'), map.size]).toEqual(['one again', 'text', 2]);
  map.delete(1);
  map.delete(1);
  expect([map.get(1), map.has(1), map.has('1'), map.size]).toEqual([undefined, false, true, 1]);
  expect(map.entries()).toEqual([['1', 'text']]);
});

test('whoever goes through it may delete meanwhile', () => {
  const map = new BriefMap<number, string>();
  for (let key = 0; key < 5; key += 1) map.set(key, `${key}`);
  for (const [key] of map.entries()) map.delete(key);
  expect(map.size).toBe(0);
});
