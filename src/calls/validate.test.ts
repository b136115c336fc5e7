import { expect, test } from 'vitest';
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

test('a hostile or broken schema checks nothing and harms nobody', () => {
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
