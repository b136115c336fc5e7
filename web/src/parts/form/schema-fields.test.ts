import { expect, test } from 'vitest';
import { problemsIn } from './check-fields.ts';
import { argsOf, fieldsOfSchema, valuesOfArgs } from './schema-fields.ts';
import type { FieldSpec } from './field-spec.ts';

const only = (property: object): FieldSpec | undefined =>
  fieldsOfSchema({ type: 'object', properties: { it: { ...property } } })[0];

test.each([
  [{ type: 'string' }, { kind: 'text' }],
  [{ type: ['string', 'null'] }, { kind: 'text' }],
  [
    { type: 'string', maxLength: 5000 },
    { kind: 'long-text', max: 5000 },
  ],
  [{ type: 'string', format: 'password' }, { kind: 'secret' }],
  [
    { type: 'string', format: 'email' },
    { kind: 'text', format: 'email' },
  ],
  [
    { type: 'integer', minimum: 1 },
    { kind: 'number', integer: true, min: 1 },
  ],
  [
    { type: 'boolean', default: true },
    { kind: 'boolean', preset: true },
  ],
  [
    { type: 'array', items: { type: 'string' }, maxItems: 3 },
    { kind: 'list', max: 3 },
  ],
  [{ type: 'array', items: { type: 'object' } }, { kind: 'json' }],
  [{ $ref: '#/$defs/x' }, { kind: 'json' }],
  [{ type: 'object', additionalProperties: { type: 'string' } }, { kind: 'json' }],
])('a property like %o is asked for with a field that fits', (property, expected) => {
  expect(only(property)).toMatchObject({ ...expected, id: 'it', required: false });
});

test('choices show their titles and give back their values, also when these are no texts', () => {
  const fields = fieldsOfSchema({
    type: 'object',
    properties: {
      size: { enum: [1, 2, 'many'] },
      colour: {
        oneOf: [
          { const: 'r', title: 'Red' },
          { const: 'g', title: 'Green' },
        ],
      },
      tags: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
    },
  });
  expect(fields.map(({ kind }) => kind)).toEqual(['choice', 'choice', 'choices']);
  expect(fields[1]?.choices).toEqual([
    { value: 'r', label: 'Red' },
    { value: 'g', label: 'Green' },
  ]);
  expect(argsOf(fields, { size: '2', colour: 'g', tags: ['a', 'c'] })).toEqual({
    size: 2,
    colour: 'g',
    tags: ['a', 'c'],
  });
  expect(argsOf(fields, { size: '"many"' })).toEqual({ size: 'many' });
});

test('objects inside objects become fields of their own, down to two levels, and come back as objects', () => {
  const fields = fieldsOfSchema({
    type: 'object',
    required: ['address'],
    properties: {
      address: {
        type: 'object',
        required: ['city'],
        properties: {
          city: { type: 'string' },
          place: {
            type: 'object',
            required: ['lat'],
            properties: { lat: { type: 'number' }, deep: { type: 'object', properties: { x: {} } } },
          },
        },
      },
    },
  });
  expect(fields.map(({ id, kind, required }) => [id, kind, required])).toEqual([
    ['address.city', 'text', true],
    ['address.place.lat', 'number', false],
    ['address.place.deep', 'json', false],
  ]);
  expect(fields[1]?.label).toBe('address › place › lat');
  const values = { 'address.city': 'Bonn', 'address.place.lat': '50.7', 'address.place.deep': '{"x":1}' };
  const args = { address: { city: 'Bonn', place: { lat: 50.7, deep: { x: 1 } } } };
  expect(argsOf(fields, values)).toEqual(args);
  expect(argsOf(fields, valuesOfArgs(fields, args))).toEqual(args);
});

test('names with dots, percent signs or of an odd kind reach the server as they are', () => {
  const properties = JSON.parse(
    '{"a.b":{"type":"string"},"50%2E":{"type":"string"},"__proto__":{"type":"string"}}',
  );
  const fields = fieldsOfSchema({ type: 'object', properties });
  const args = argsOf(fields, Object.fromEntries(fields.map(({ id }, at) => [id, `v${at}`])));
  expect(JSON.stringify(args)).toBe('{"a.b":"v0","50%2E":"v1","__proto__":"v2"}');
});

test('what is not filled in is left out, and false and 0 are not nothing', () => {
  const fields = fieldsOfSchema({
    type: 'object',
    properties: {
      a: { type: 'boolean' },
      b: { type: 'number' },
      c: { type: 'string' },
      d: { type: 'boolean' },
    },
  });
  expect(argsOf(fields, { a: false, b: '0', c: '' })).toEqual({ a: false, b: 0 });
});

test('hidden characters in names and descriptions are shown', () => {
  const field = only({ type: 'string', title: 'pass\u202eword', description: 'a\u200bb' });
  expect(field?.label).toBe('pass<U+202E>word');
  expect(field?.description).toBe('a<U+200B>b');
});

test('an expression of a server is shown and never run', () => {
  const field = only({ type: 'string', pattern: '^(a+)+$' });
  expect(field?.pattern).toBe('^(a+)+$');
  expect(problemsIn([field!], { it: `${'a'.repeat(64)}!` })).toEqual({});
});

test('JSON that is not finished yet is named, and a wrong format, too', () => {
  const fields = fieldsOfSchema({
    type: 'object',
    properties: { j: {}, u: { type: 'string', format: 'uri' }, n: { type: 'integer' } },
  });
  const problems = problemsIn(fields, { j: '{"a":', u: 'nowhere', n: '1.5' });
  expect(problems['j']).toContain('This is not JSON yet');
  expect(problems['u']).toContain('Enter a URL');
  expect(problems['n']).toBe('Use a whole number.');
});
