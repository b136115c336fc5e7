import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { limits } from '../base/limits.ts';
import { ArgumentCheck, badArguments } from './validate.ts';

const check = new ArgumentCheck(limits);
const schema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    depth: { type: 'integer' },
    mode: { enum: ['fast', 'slow'] },
    filter: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  },
  required: ['path'],
  additionalProperties: false,
};

test('arguments that fit pass, and what does not fit is named by its field', () => {
  expect(check.problem(schema, { path: 'a', depth: 1 })).toBeUndefined();
  expect(check.problem(schema, {})).toEqual({ field: 'path', message: 'it is required' });
  expect(check.problem(schema, { path: 'a', depth: 'x' })?.field).toBe('depth');
  expect(check.problem(schema, { path: 'a', pth: 1 })).toMatchObject({ field: 'pth' });
  expect(check.problem(schema, { path: 'a', mode: 'idle' })?.message).toContain('["fast","slow"]');
  expect(check.problem(schema, { path: 'a', filter: {} })?.field).toBe('filter.name');
});

test('the error says whose fault it is, which field, and where to look', () => {
  const error = badArguments('files/list', { field: 'path', message: 'it is required' });
  expect(error.toView()).toMatchObject({
    code: 'bad_arguments',
    owner: 'you',
    details: { field: 'path' },
    next: 'plug tools files --json',
  });
  expect(error.message).toContain('“path”');
});

test('null for an option that is left out passes, for a required one it does not', () => {
  expect(check.problem(schema, { path: 'a', depth: null })).toBeUndefined();
  expect(check.problem(schema, { path: null })?.field).toBe('path');
});

verifies(['attack:E10', 'attack:E11'], 'a hostile or broken schema checks nothing and harms nobody', () => {
  const text = `${'a'.repeat(40)}!`;
  const hostile = { type: 'object', properties: { text: { type: 'string', pattern: '(a+)+$' } } };
  expect(check.problem(hostile, { text })).toBeUndefined();
  expect(check.problem({ $ref: 'https://attacker.invalid/schema' }, { text })).toBeUndefined();
  expect(check.problem({ type: 'nonsense' }, { text })).toBeUndefined();
  expect(
    check.problem({ type: 'object', description: 'x'.repeat(300_000), required: ['a'] }, {}),
  ).toBeUndefined();
});

test('draft-07 schemas are understood too', () => {
  const old = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', required: ['a'] };
  expect(check.problem(old, {})?.field).toBe('a');
});

const DIALECTS = [
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2020-12/schema',
] as const;

for (const $schema of DIALECTS) {
  test(`a schema that refers to itself is checked all the way down (${$schema})`, () => {
    const tree = {
      $schema,
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
      required: ['name'],
    };
    const fits = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] };
    expect(check.problem(tree, fits)).toBeUndefined();
    expect(check.problem(tree, { name: 'a', children: [{ name: 'b', children: [{}] }] })?.field).toBe(
      'children.0.children.0.name',
    );
  });

  test(`tools whose schemas share an $id are each checked by their own (${$schema})`, () => {
    const own = new ArgumentCheck(limits);
    const inner = { $id: 'https://example.com/inner', type: 'string' };
    const named = (required: string): object => ({
      $schema,
      $id: 'https://example.com/same',
      type: 'object',
      properties: { inner },
      required: [required],
    });
    for (const name of ['a', 'b', 'c']) {
      const schema = named(name);
      expect(own.problem(schema, {})?.field).toBe(name);
      expect(own.problem(schema, { [name]: 1, inner: 2 })?.field).toBe('inner');
    }
  });

  test(`a schema that calls itself like its dialect takes the check from no other tool (${$schema})`, () => {
    const own = new ArgumentCheck(limits);
    const thief = { $schema, $id: $schema, type: 'object', required: ['x'] };
    expect(own.problem(thief, { x: 1 })).toBeUndefined();
    expect(own.problem({ $schema, type: 'object', required: ['a'] }, {})?.field).toBe('a');
  });
}
