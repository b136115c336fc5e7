import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ring } from './ring.ts';

const ringOf = (bytesMax: number, text = ''): Ring => {
  const ring = new Ring({ bytesMax, lineCharsMax: 100 });
  ring.push(Buffer.from(text));
  return ring;
};

test('the last lines of stderr are those that were written last', () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 8 }), (written, count) => {
      const ring = ringOf(100_000);
      for (const chunk of written) ring.push(Buffer.from(chunk));
      const text = written.join('');
      const all = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
      expect(ring.lines(count)).toEqual(text === '' ? [] : all.slice(-count));
    }),
    { numRuns: 1_000 },
  );
});

test('a flood keeps only its end, and says that a line has lost its beginning', () => {
  const ring = ringOf(10_000);
  for (let line = 0; line < 5_000; line += 1) ring.push(Buffer.from(`line ${line} ${'.'.repeat(20)}\n`));
  expect(ring.bytesKept).toBe(10_000);
  expect(ring.bytesTotal).toBeGreaterThan(100_000);
  expect(ring.lines(1)).toEqual([`line 4999 ${'.'.repeat(20)}`]);
  expect(ring.lines(5_000)[0]).toMatch(/^…/);
});

test('a chunk larger than the ring leaves its end', () => {
  expect(ringOf(10, 'abcdefghij0123456789').lines(1)).toEqual(['…0123456789']);
});

test('escapes, control characters and hidden characters of a server never reach a reader', () => {
  const nasty =
    'a\u001b[31mred\u001b[0m \u001b]52;c;ZXZpbA==\u0007b\rc\bd \u009b2Je \u202ef\u200bg \u{e0041}h\u001b';
  expect(ringOf(1_000, nasty).lines(1)).toEqual([
    'ared b\\u{d}c\\u{8}d e \\u{202e}f\\u{200b}g \\u{e0041}h\\u{1b}',
  ]);
});

test('a very long line is cut and says how long it was', () => {
  expect(ringOf(1_000, 'x'.repeat(500)).lines(1)).toEqual([`${'x'.repeat(100)}… (500 characters)`]);
});
