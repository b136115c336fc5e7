import { expect, test } from 'vitest';
import { isAffordable, weighSchema } from './validate.ts';

/** Levels that each refer to the next one twice, the last one to `end`. */
const doubling = (levels: number, end: object): object => ({
  type: 'object',
  properties: { a: { $ref: '#/$defs/l0' } },
  $defs: {
    ...Object.fromEntries(
      Array.from({ length: levels }, (_, level) => [
        `l${level}`,
        { oneOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
      ]),
    ),
    [`l${levels}`]: end,
  },
});

test('an ordinary schema weighs what it has, and is always affordable', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { $ref: '#/$defs/B' } },
    $defs: { B: {} },
  };
  expect(weighSchema(schema).parts).toBeLessThan(10);
  const many = { a: Array.from({ length: 100_000 }, () => 'x') };
  expect(isAffordable(weighSchema(schema), many)).toBe(true);
});

test('a million choices in twenty lines are not affordable, a few are', () => {
  expect(weighSchema(doubling(20, { type: 'number' })).parts).toBeGreaterThan(2 ** 20);
  expect(isAffordable(weighSchema(doubling(20, { type: 'number' })), { a: 1 })).toBe(false);
  expect(isAffordable(weighSchema(doubling(5, { type: 'number' })), { a: 1 })).toBe(true);
});

test('a tree is affordable, and one that is looked at twice a level only while it is shallow', () => {
  const tree = weighSchema({ properties: { children: { items: { $ref: '#' } } } });
  const twice = weighSchema({
    anyOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }],
  });
  let deep = {};
  for (let level = 0; level < 40; level += 1) deep = { a: deep };
  expect(isAffordable(tree, deep)).toBe(true);
  expect(isAffordable(twice, { a: { a: {} } })).toBe(true);
  expect(isAffordable(twice, deep)).toBe(false);
});

test('a reference that is not followed is not affordable; true, false and odd pointers do no harm', () => {
  expect(isAffordable(weighSchema({ $ref: 'https://example.com/x' }), {})).toBe(false);
  expect(isAffordable(weighSchema({ $ref: '#/nowhere' }), {})).toBe(false);
  expect(isAffordable(weighSchema({ $ref: '#/$defs/a~1b', $defs: { 'a/b': true } }), {})).toBe(true);
  expect(isAffordable(weighSchema({ properties: { $ref: { type: 'string' } } }), {})).toBe(true);
});
