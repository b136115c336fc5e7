import { expect, test } from 'vitest';
import { findShapeProblem, isDeeper, ShapeScan } from './json-shape.ts';

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

test('a text in parts is judged as the whole is, wherever it is cut, as text and as bytes', () => {
  for (const text of [
    String.raw`{"a":"[[\\\"[[,,,,","b":[1]}`,
    String.raw`{"a":"\\","b":[[[]]]}`,
    '["é\u00e9,,,,",1,2,3,4]',
    '[1,2,3,4]',
  ]) {
    const whole = findShapeProblem(text, bounds);
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const scan = new ShapeScan(bounds);
      expect([cut, scan.feed(bytes.subarray(0, cut)) ?? scan.feed(bytes.subarray(cut))]).toEqual([
        cut,
        whole,
      ]);
    }
  }
});

test('a text and its value are nested deeper than a bound, or neither is', () => {
  const nested = (levels: number): string => `${'[{"a":"[{\\""},'.repeat(levels)}1${']'.repeat(levels)}`;
  for (const [levels, depthMax, deeper] of [
    [1, 2, false],
    [2, 2, true],
    [499, 500, false],
    [500, 500, true],
    [100_000, 500, true],
  ] as const) {
    const text = nested(levels);
    const problem = findShapeProblem(text, { depthMax, itemsMax: Infinity });
    expect([levels, problem !== undefined]).toEqual([levels, deeper]);
    expect([levels, isDeeper(JSON.parse(text), depthMax)]).toEqual([levels, deeper]);
    expect([levels, isDeeper(JSON.parse(text), depthMax, text.length)]).toEqual([levels, deeper]);
  }
  expect(isDeeper({ text: '[[{{'.repeat(1_000) }, 500)).toBe(false);
  expect(
    isDeeper(
      Array.from({ length: 2_000 }, () => [{}]),
      500,
    ),
  ).toBe(false);
});
