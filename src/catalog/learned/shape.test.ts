import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { learnedLimits as limits } from './limits.ts';
import { mergeShapes } from './merge-shapes.ts';
import { resultValue } from './result-value.ts';
import { shapeOf } from './learned-outputs.ts';

function learn(...values: readonly unknown[]): JsonObject {
  const [first = {}, ...others] = values.map(shapeOf);
  return others.reduce(mergeShapes, first);
}

test('a shape has types and names, and not a single value', () => {
  expect(learn({ id: 7, title: 'Rent', tags: ['a', 'b'], owner: null, price: 1.5, open: true })).toEqual({
    type: 'object',
    properties: {
      id: { type: 'integer' },
      title: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      owner: { type: 'null' },
      price: { type: 'number' },
      open: { type: 'boolean' },
    },
    required: ['id', 'open', 'owner', 'price', 'tags', 'title'],
  });
});

test('what was in every result is required, and what differed is either', () => {
  expect(
    learn({ a: 1, b: 'x', list: [] }, { a: 1.5, list: [{ c: 1 }] }, { a: 2, b: null, list: [] }),
  ).toEqual({
    type: 'object',
    properties: {
      a: { type: 'number' },
      b: { type: ['null', 'string'] },
      list: {
        type: 'array',
        items: { type: 'object', properties: { c: { type: 'integer' } }, required: ['c'] },
      },
    },
    required: ['a', 'list'],
  });
  expect(learn('text', { a: 1 })).toEqual({
    type: ['object', 'string'],
    properties: { a: { type: 'integer' } },
    required: ['a'],
  });
});

test.each([
  ['ids', { '10482231': 1, '10482232': 2 }],
  ['uuids', { '6f9619ff-8b86-d011-b42d-00cf4fc964ff': 1 }],
  ['e-mail addresses', { 'jane@example.com': 1 }],
  ['paths', { 'src/secret-plan.md': 1 }],
  ['dates', { '2026-11-16': 1 }],
  ['names of people', { 'Jane Doe': 1 }],
  ['long texts', { ['x'.repeat(65)]: 1 }],
  ['keys of services', { AbCdEf0123456789xYz: 1 }],
  ['very many names', Object.fromEntries(Array.from({ length: 41 }, (_, at) => [`n${at}`, at]))],
])('%s as names of properties are data, and none of them is kept', (_what, value) => {
  expect(learn(value)).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
});

test('names that never come twice, for the same kind of thing, are data', () => {
  expect(learn({ alice: 3 }, { bob: 4 })).toEqual({
    type: 'object',
    additionalProperties: { type: 'integer' },
  });
  // Two kinds of answers are no such thing.
  expect(learn({ data: { a: 1 } }, { error: 'x' })).toMatchObject({ required: [] });
});

test('names that every object has do not confuse anybody', () => {
  const odd = JSON.parse('{"constructor":1,"__proto__":{"a":1},"toString":"x"}') as object;
  const { properties } = learn(odd, { plain: 1, toString: 'y' }) as { properties: object };
  expect(Object.keys(properties).toSorted()).toEqual(['__proto__', 'constructor', 'plain', 'toString']);
});

test('whatever results say, the shape is bounded, holds none of their texts, and merging is tame', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 12 }), { minLength: 1, maxLength: 4 }), (values) => {
      const merged = learn(...values);
      const text = JSON.stringify(merged);
      expect(text.length).toBeLessThan(limits.valuesPerResultMax * 400);
      // Learning the same again teaches nothing.
      expect(mergeShapes(merged, merged)).toEqual(mergeShapes(mergeShapes(merged, merged), merged));
    }),
    { numRuns: 300 },
  );
  const secret = 'hunter2-hunter2';
  expect(JSON.stringify(learn({ a: [secret, { b: secret }], c: { d: secret } }))).not.toContain('hunter');
});

test('a deep, a wide and a long result are looked at so far and no further', () => {
  let deep: unknown = 'x';
  for (let at = 0; at < 5_000; at += 1) deep = [deep];
  expect(JSON.stringify(learn(deep)).length).toBeLessThan(500);
  const wide = Array.from({ length: 100_000 }, (_, at) => ({ at }));
  expect(learn(wide)).toEqual({
    type: 'array',
    items: { type: 'object', properties: { at: { type: 'integer' } }, required: ['at'] },
  });
});

test('the value of a result is its structured content, else its JSON text, else its content', () => {
  const block = (text: string): JsonObject => ({ type: 'text', text });
  expect(resultValue({ structuredContent: { a: 1 }, content: [block('[]')] })).toEqual({ a: 1 });
  expect(resultValue({ content: [block(' {"a":[1]} ')] })).toEqual({ a: [1] });
  expect(resultValue({ content: [block('{"a":')] })).toEqual([block('{"a":')]);
  expect(resultValue({ content: [block('1.10')] })).toEqual([block('1.10')]);
  expect(resultValue({ content: [block('{}'), block('{}')] })).toHaveLength(2);
  expect(resultValue({})).toEqual([]);
});
