import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { encodeHeaderValue, headerDeclarationProblem, paramHeaders } from './param-headers.ts';

const string = (header: unknown): object => ({ type: 'string', 'x-mcp-header': header });
const schema = (properties: object): object => ({ type: 'object', properties });

test('declared arguments are mirrored in headers, also nested ones', () => {
  const input = schema({
    region: string('Region'),
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' },
    where: schema({ city: string('City') }),
    plain: { type: 'string' },
  });
  expect(headerDeclarationProblem(input)).toBeUndefined();
  expect(
    paramHeaders(input, { region: 'eu-1', count: 42, dry: false, where: { city: 'Köln' }, plain: 'p' }),
  ).toEqual({
    'Mcp-Param-Region': 'eu-1',
    'Mcp-Param-Count': '42',
    'Mcp-Param-Dry-Run': 'false',
    'Mcp-Param-City': `=?base64?${Buffer.from('Köln').toString('base64')}?=`,
  });
});

test('absent, null and structured arguments get no header, nor do numbers that lose digits', () => {
  const input = schema({
    a: string('A'),
    b: string('B'),
    c: string('C'),
    d: { type: 'integer', 'x-mcp-header': 'D' },
    toString: string('E'),
  });
  expect(paramHeaders(input, { b: null, c: { x: 1 }, d: 2 ** 60 })).toEqual({});
  expect(paramHeaders(input, undefined)).toEqual({});
  expect(paramHeaders({ type: 'object' }, { a: 'x' })).toEqual({});
});

verifies(['attack:E13'], 'a header never carries a line break, an edge space or an ambiguous text', () => {
  expect(encodeHeaderValue('a b\tc')).toBe('a b\tc');
  for (const text of ['', ' a', 'a ', '\ta', 'a\r\nX-Evil: 1', 'ü', 'a\u0000', '=?base64?YQ==?=']) {
    const encoded = encodeHeaderValue(text);
    expect(encoded).toMatch(/^=\?base64\?[A-Za-z0-9+/=]*\?=$/);
    expect(Buffer.from(encoded.slice(9, -2), 'base64').toString()).toBe(text);
  }
});

verifies(
  ['attack:E13'],
  'a tool whose header declarations are faulty is found out, and sends none of them',
  () => {
    const faulty: Record<string, object> = {
      'line break': schema({ a: string('A\r\nX-Evil: 1') }),
      space: schema({ a: string('A b') }),
      empty: schema({ a: string('') }),
      'no text': schema({ a: string(7) }),
      'twice, in another case': schema({ a: string('Same'), b: string('sAME') }),
      'a number': schema({ a: { type: 'number', 'x-mcp-header': 'A' } }),
      'an object': schema({ a: { type: 'object', 'x-mcp-header': 'A' } }),
      'no type': schema({ a: { 'x-mcp-header': 'A' } }),
      'at the root': { type: 'object', 'x-mcp-header': 'A' },
      'in items': schema({ a: { type: 'array', items: string('A') } }),
      'in anyOf': schema({ a: { anyOf: [string('A')] } }),
      'in $defs': { type: 'object', $defs: { a: string('A') } },
      'in additional properties': { type: 'object', additionalProperties: string('A') },
      'below a condition': { type: 'object', if: schema({ a: string('A') }) },
    };
    for (const [why, input] of Object.entries(faulty)) {
      expect(headerDeclarationProblem(input), why).toEqual(expect.any(String));
      expect(paramHeaders(input, { a: 'x', b: 'y' }), why).toEqual({});
    }
  },
);

test('a property that is merely called so, and data that look so, declare nothing', () => {
  const input = schema({
    'x-mcp-header': { type: 'string' },
    a: { type: 'object', default: { 'x-mcp-header': 'A' }, enum: [{ 'x-mcp-header': 'B' }] },
  });
  expect(headerDeclarationProblem(input)).toBeUndefined();
});

test('a schema of any depth is read without breaking down', () => {
  let deep: object = string('Deep');
  for (let n = 0; n < 20_000; n += 1) deep = schema({ a: deep });
  expect(headerDeclarationProblem(deep)).toContain('too deep');
  let harmless: object = { type: 'string' };
  for (let n = 0; n < 1_000; n += 1) harmless = schema({ a: harmless });
  expect(headerDeclarationProblem(harmless)).toBeUndefined();
});
