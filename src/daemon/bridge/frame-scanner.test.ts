import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameScanner, type Frame } from './frame-scanner.ts';

test('id and method are found wherever they stand, and never inside of something', () => {
  expect(scan('{"jsonrpc":"2.0","id":1,"method":"ping"}')).toEqual([{ id: '1', method: 'ping' }]);
  expect(scan('{"method":"x","params":{"id":9,"method":"y"},"jsonrpc":"2.0","id":"a"}')).toEqual([
    { id: '"a"', method: 'x' },
  ]);
  expect(scan(' { "id" : -1.5 , "result" : { "method" : "no" } } ')).toEqual([
    { id: '-1.5', method: undefined },
  ]);
  expect(scan(String.raw`{"params":{"a":"\",\"id\":7,\"method\":\"z\\"},"id":"q\"uote"}`)).toEqual([
    { id: String.raw`"q\"uote"`, method: undefined },
  ]);
  expect(scan('{"method":"notifications/initialized"}')).toEqual([
    { id: undefined, method: 'notifications/initialized' },
  ]);
  expect(scan('{"id":null,"method":"x"}')).toEqual([{ id: undefined, method: 'x' }]);
  expect(scan('{"id":{"id":3},"error":{"id":4}}')).toEqual([]);
  expect(scan('')).toEqual([]);
});

test('every message of a batch is found', () => {
  expect(
    scan('[{"id":1,"method":"a"},{"method":"b","params":[{"id":5}]},{"id":2,"result":{}},7,[]]'),
  ).toEqual([
    { id: '1', method: 'a' },
    { id: undefined, method: 'b' },
    { id: '2', method: undefined },
  ]);
});

test('any message in any pieces is read as a parser reads it', () => {
  const message = fc.record(
    {
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string()),
      method: fc.string(),
      params: fc.jsonValue(),
      extra: fc.jsonValue(),
    },
    { requiredKeys: ['id'] },
  );
  const shuffled = message.chain((made) =>
    fc.shuffledSubarray(Object.entries(made), { minLength: Object.keys(made).length }),
  );
  fc.assert(
    fc.property(shuffled, fc.array(fc.nat(200), { maxLength: 5 }), fc.boolean(), (entries, cuts, spaced) => {
      const made = Object.fromEntries(entries);
      // An indented text has newlines between its tokens; here any space will do.
      const text = JSON.stringify(made, undefined, spaced ? ' ' : '').replaceAll('\n', ' ');
      const { id, method } = made;
      const [frame] = scan(text, cuts);
      expect(JSON.parse(frame?.id ?? 'null')).toEqual(id);
      expect(frame?.method).toEqual(method === undefined ? undefined : JSON.stringify(method).slice(1, -1));
    }),
    { numRuns: 500 },
  );
});

test('what is no JSON never stops the next line from being read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (noise) => {
      const scanner = new FrameScanner({ valueBytesMax: 300 });
      scanner.feed(noise, 0, noise.length);
      scanner.finish();
      const line = Buffer.from('{"id":1,"method":"ping"}');
      scanner.feed(line, 0, line.length);
      expect(scanner.finish()).toEqual([{ id: '1', method: 'ping' }]);
    }),
  );
});

test('an id of absurd length is left alone', () => {
  expect(scan(`{"id":"${'x'.repeat(10_000)}","method":"a"}`)).toEqual([{ id: undefined, method: 'a' }]);
});

function scan(text: string, cuts: readonly number[] = []): readonly Frame[] {
  const scanner = new FrameScanner({ valueBytesMax: 300 });
  const bytes = Buffer.from(text);
  const places = [
    0,
    ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  for (const [index, place] of places.slice(1).entries()) scanner.feed(bytes, places[index] ?? 0, place);
  return scanner.finish();
}
