import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { PieceWriter } from './cut.ts';
import { jsonParts } from './render.ts';

/** Lone surrogates included. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));

const large = {
  content: [{ type: 'text', text: 'wörter 😀 "quoted" \u0001\n'.repeat(20_000) }],
  structuredContent: {
    rows: Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a', 'b'], none: null })),
    deep: { a: { b: { c: ['x'.repeat(100_000), { d: 'y'.repeat(70_000) }] } } },
    empty: {},
  },
};

test('a large value is serialized in parts exactly as it would be in one go', () => {
  expect([...jsonParts(large)].join('')).toBe(JSON.stringify(large));
  expect([...jsonParts(large, 2)].join('')).toBe(JSON.stringify(large, undefined, 2));
});

test('so is any value, however its small and large parts are mixed', () => {
  const heavy = fc.string({ unit, maxLength: 5 }).map((text) => text.repeat(20_000));
  const value = fc.letrec<{ any: Json }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit }),
      heavy,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('any'), { maxLength: 5 }),
      fc.dictionary(fc.string(), tie('any'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(
    fc.property(value, fc.constantFrom(0, 2), (json, indent) => {
      expect([...jsonParts(json, indent)].join('')).toBe(JSON.stringify(json, undefined, indent));
    }),
    { numRuns: 60 },
  );
});

test('what is nested without end is refused in a sentence instead of breaking the hub', () => {
  let value: Json = 'x'.repeat(70_000);
  for (let depth = 0; depth < 3_000; depth += 1) value = [value];
  expect(() => [...jsonParts(value)]).toThrow('nested too deeply');
});

test('pieces have one size, add up to the text, and never end in half a character', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.integer({ min: 2, max: 9 }), (parts, size) => {
      const writer = new PieceWriter(size);
      for (const part of parts) writer.add(part);
      const { pieces, bytes } = writer.end();
      expect(pieces.join('')).toBe(parts.join(''));
      expect(bytes).toBe(Buffer.byteLength(parts.join('')));
      expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      expect(pieces.slice(0, -1).every(({ length }) => length === size || length === size - 1)).toBe(true);
    }),
  );
});
