import { expect, test } from 'vitest';
import { Line } from './line.ts';

test('a line keeps the order in which its items came, whoever leaves', () => {
  const line = new Line<string>();
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((item) => line.add(item));
  expect([...line]).toEqual(['a', 'b', 'c', 'd']);
  for (const [place, left] of [
    [b, ['a', 'c', 'd']],
    [a, ['c', 'd']],
    [d, ['c']],
    [c, []],
  ] as const) {
    if (place) line.delete(place);
    expect([...line]).toEqual(left);
    expect(line.size).toBe(left.length);
  }
  line.add('e');
  expect([...line]).toEqual(['e']);
});

test('leaving twice is leaving once, also when the line has moved on', () => {
  const line = new Line<string>();
  const a = line.add('a');
  line.delete(a);
  line.add('b');
  line.delete(a);
  expect([...line]).toEqual(['b']);
  expect(line.size).toBe(1);
});

test('whoever goes through a line may let everybody leave meanwhile', () => {
  const line = new Line<number>();
  const places = [1, 2, 3].map((item) => line.add(item));
  const seen: number[] = [];
  for (const item of line) {
    seen.push(item);
    for (const place of places) line.delete(place);
  }
  expect(seen).toEqual([1, 2, 3]);
  expect([...line]).toEqual([]);
  line.add(4);
  line.clear();
  expect(line.size).toBe(0);
});

test('what has left is not led to by what is still there', () => {
  const line = new Line<object>();
  const place = line.add({});
  const next = line.add({});
  line.delete(place);
  expect(Object.values(place)).toEqual([undefined, undefined, undefined]);
  line.delete(next);
  expect([...line]).toEqual([]);
});
