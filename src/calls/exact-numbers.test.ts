import { expect, test } from 'vitest';
import { hashArguments } from '../policy/args-hash.ts';
import { ArgumentCheck } from './validate.ts';
import { ExactNumber, idKey, withPlainNumbers } from '../base/exact-number.ts';
import type { JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { parseJson, parseMessage } from '../base/parse-json.ts';
import { createRedactor } from '../base/redact.ts';

const read = (text: string): JsonObject => parseJson(text) as JsonObject; // each text is an object

test('numbers are written as they were read, and texts that look like numbers stay texts', () => {
  for (const text of [
    '[9007199254740993,1e400,-0,1.0,1E5,-0.0,0.10,1e+2,1234567890123456789012345678901234567890]',
    '{"a":"x:1.0}","\\"":"\\\\","b":2.50,"__proto__":-0}',
    '-0',
    '{"":[{"":1.0}]}',
  ]) {
    expect(JSON.stringify(parseJson(text))).toBe(text);
  }
  for (const text of ['{"a":1,1.0:2}', '[1.0.0]', '[01.0]', '[1.0 2]', '["1.0]', '[1.0']) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
  expect(parseJson('[1,0.5,12345678901234,1e21]')).toEqual([
    1,
    0.5,
    12_345_678_901_234,
    new ExactNumber('1e21'),
  ]);
});

test('a message keeps its numbers wherever they stand, but for how the id of an answer is spelled', () => {
  const numbers = ['1.0', '9007199254740993', '-0', '1e400'];
  const deep = (inner: string): string => `${'[{"a":'.repeat(150)}${inner}${'}]'.repeat(150)}`;
  for (const number of numbers) {
    for (const text of [
      `{"id":1,"result":{"content":[{"text":"x"},{"n":${number}}]}}`,
      `{"id":1,"error":{"code":${number}}}`,
      `{"id":1,"result":${number}}`,
      `{"id":1,"result":${deep(number)}}`,
      `{"id":${number},"method":"ping"}`,
      `[{"id":1,"result":{"n":[${number}]}}]`,
      `{"method":"x","params":{"n":${number}}}`,
    ]) {
      expect(JSON.stringify(parseMessage(text))).toBe(text);
    }
  }
  expect(parseMessage('{"id":1.0,"result":{"text":"1.0"}}')).toEqual({ id: 1, result: { text: '1.0' } });
  expect(() => parseMessage('{"id":1')).toThrow(SyntaxError);
});

test('different big numbers hash differently, and spellings of one number alike', () => {
  const hash = (number: string): string => hashArguments(read(`{"n":${number}}`));
  expect(hash('9007199254740993')).not.toBe(hash('9007199254740992'));
  expect(hash('1e400')).not.toBe(hash('1e401'));
  expect(hash('10e399')).toBe(hash('1e400'));
  for (const spelling of ['1.0', '1e0', '10E-1']) expect(hash(spelling)).toBe(hash('1'));
  expect(idKey(new ExactNumber('1.0'))).toBe(1);
});

test('schemas take numbers of any size, and known secrets are hidden in numbers', () => {
  const check = new ArgumentCheck(limits);
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' }, x: { type: 'number', exclusiveMinimum: 0 } },
  };
  expect(check.problem(schema, read('{"n":9007199254740993,"x":1e400}'))).toBeUndefined();
  expect(check.problem(schema, read('{"n":1e400,"x":1e-400}'))).toBeUndefined();
  expect(check.problem(schema, read('{"n":1.50}'))?.field).toBe('n');
  const redactor = createRedactor();
  redactor.learn('9007199254740993');
  expect(redactor.redactKnown(read('{"n":[9007199254740993,1.0]}'))).toEqual({
    n: ['[secret]', new ExactNumber('1.0')],
  });
  expect(withPlainNumbers(read('{"n":[1.0,{"__proto__":2.0}]}'))).toEqual(
    JSON.parse('{"n":[1,{"__proto__":2}]}'),
  );
});
