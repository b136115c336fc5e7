import { expect, test } from 'vitest';
import { findShapeProblem } from './json-shape.ts';

const bounds = { depthMax: 3, itemsMax: 4 };

test('text within the bounds has no problem, on both sides of each bound', () => {
  expect(findShapeProblem('{"a":[{}]}', bounds)).toBeUndefined();
  expect(findShapeProblem('{"a":[{"b":[]}]}', bounds)).toContain('deeper than 3');
  expect(findShapeProblem('[1,2,3,4]', bounds)).toBeUndefined();
  expect(findShapeProblem('[1,2,3,4,5]', bounds)).toContain('more than 4');
});

test('brackets and commas inside of strings do not count, escaped quotes included', () => {
  expect(findShapeProblem(String.raw`{"a":"[[[[,,,,,\"[[[["}`, bounds)).toBeUndefined();
  expect(findShapeProblem(String.raw`{"a":"\\","b":[[[]]]}`, bounds)).toContain('deeper');
  expect(findShapeProblem('"unterminated [[[[[', bounds)).toBeUndefined();
});
