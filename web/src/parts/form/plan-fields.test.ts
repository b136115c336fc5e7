import { expect, test } from 'vitest';
import type { FormField } from '../../../../src/servers/plans/plan.ts';
import { problemsIn } from './check-fields.ts';
import { fieldsOfPlan, valuesOfPlan } from './plan-fields.ts';

const form: readonly FormField[] = [
  { id: 'env:KEY', label: 'KEY', kind: 'secret', where: 'env', required: true },
  { id: 'arg:--dir', label: 'Folders', kind: 'files', where: 'argument', required: true, many: true },
  {
    id: 'arg:--mode',
    label: 'Mode',
    kind: 'choice',
    where: 'argument',
    required: false,
    choices: ['a', 'b'],
  },
  { id: 'arg:--port', label: 'Port', kind: 'number', where: 'argument', required: false, default: '80' },
  { id: 'env:DEBUG', label: 'DEBUG', kind: 'boolean', where: 'env', required: false, default: 'true' },
];

test('every kind of field of a plan has a place in the form', () => {
  const fields = fieldsOfPlan(form);
  expect(fields.map(({ kind }) => kind)).toEqual(['secret', 'list', 'choice', 'number', 'boolean']);
  expect(fields[1]?.paths).toBe(true);
  expect(fields[2]?.choices?.map(({ label }) => label)).toEqual(['a', 'b']);
  expect(fields[4]?.preset).toBe(true);
});

test('what is shown is what is sent, and what is blank is not', () => {
  const fields = fieldsOfPlan(form);
  expect(valuesOfPlan(fields, { 'env:KEY': 'k', 'arg:--dir': ['/a', '', '/b'], 'arg:--mode': '' })).toEqual({
    'env:KEY': 'k',
    'arg:--dir': ['/a', '/b'],
    'arg:--port': '80',
    'env:DEBUG': true,
  });
  expect(valuesOfPlan(fields, { 'arg:--port': '' })).toEqual({ 'env:DEBUG': true });
});

test('a form says what is missing and what does not fit, field by field', () => {
  const fields = fieldsOfPlan(form);
  expect(problemsIn(fields, { 'arg:--port': 'eighty' })).toEqual({
    'env:KEY': 'Paste it here.',
    'arg:--dir': 'Add at least one.',
    'arg:--port': 'Enter a number.',
  });
  expect(problemsIn(fields, { 'env:KEY': 'k', 'arg:--dir': ['/a'] })).toEqual({});
});

test('what was pasted with its value may be left alone', () => {
  const [key] = fieldsOfPlan(form, ['arg:--dir']);
  expect(key).toMatchObject({ required: false, kept: true });
  expect(problemsIn(fieldsOfPlan(form, ['arg:--dir']), { 'arg:--dir': ['/a'] })).toEqual({});
});
