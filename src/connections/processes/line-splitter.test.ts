import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSplitter, type LongLine } from './line-splitter.ts';

function splitterOf(bytesMax: number): { splitter: LineSplitter; lines: string[]; long: LongLine[] } {
  const lines: string[] = [];
  const long: LongLine[] = [];
  const splitter = new LineSplitter({
    bytesMax,
    edgeBytes: 8,
    onLine: (line) => lines.push(line),
    onTooLong: (line) => long.push(line),
  });
  return { splitter, lines, long };
}

/** Cuts bytes at the given places, wherever they fall. */
function chunksOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

test('however the bytes arrive, the lines are those of the text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\n', '\r\n', '"'), maxLength: 200 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(1_000), { maxLength: 12 }), (written, cuts) => {
      const { splitter, lines } = splitterOf(10_000);
      for (const chunk of chunksOf(Buffer.from(written), cuts)) splitter.push(chunk);
      splitter.end();
      const expected = written.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
      expect(lines).toEqual(expected.filter((line) => line !== ''));
    }),
    { numRuns: 2_000 },
  );
});

test('a line over the limit is thrown away whole, with its size and both ends, and its neighbours stay', () => {
  const lengths = fc.array(fc.nat(60), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(lengths, fc.array(fc.nat(1_000), { maxLength: 12 }), (sizes, cuts) => {
      const written = sizes.map((size, index) => String.fromCharCode(97 + index).repeat(size));
      const { splitter, lines, long } = splitterOf(30);
      for (const chunk of chunksOf(Buffer.from(`${written.join('\n')}\n`), cuts)) splitter.push(chunk);
      expect(lines).toEqual(written.filter((line) => line.length > 0 && line.length <= 30));
      expect(long.map((line) => [line.bytes, line.head.toString(), line.tail.toString()])).toEqual(
        written
          .filter((line) => line.length > 30)
          .map((line) => [line.length, line.slice(0, 8), line.slice(-8)]),
      );
      expect(splitter.pendingBytes).toBe(0);
    }),
    { numRuns: 2_000 },
  );
});

test('a line of 64 MB in chunks of 64 KB comes out whole', () => {
  const { splitter, lines, long } = splitterOf(64 * 1024 * 1024);
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let count = 0; count < 1024; count += 1) splitter.push(chunk);
  splitter.push(Buffer.from('\nnext\n'));
  expect(lines.map((line) => line.length)).toEqual([64 * 1024 * 1024, 4]);
  expect(long).toEqual([]);
});

test('what stands after the last newline is given out at the end', () => {
  const { splitter, lines } = splitterOf(100);
  splitter.push(Buffer.from('one\ntw'));
  splitter.push(Buffer.from('o'));
  splitter.end();
  splitter.end();
  expect(lines).toEqual(['one', 'two']);
});
