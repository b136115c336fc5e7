import { expect, test } from 'vitest';
import { fieldsOf, readField, type FormField } from './form-field.ts';

function field(schema: object, name = 'f'): FormField {
  const [found] = fieldsOf({ properties: { [name]: schema }, required: [name] });
  if (!found) throw new Error('There is no field.');
  return found;
}

test.for([
  [{ type: 'string', format: 'email' }, 'me@example.com', 'me'],
  [{ type: 'string', format: 'uri' }, 'https://example.com', 'example'],
  [{ type: 'string', format: 'date' }, '2026-02-28', '2026-02-30'],
  [{ type: 'string', format: 'date-time' }, '2026-02-28T10:00:00Z', '2026-02-28'],
  [{ type: 'string', minLength: 2, maxLength: 3 }, '😀😀', '😀'],
  [{ type: 'integer', minimum: 0 }, '7', '7.5'],
  [{ type: 'number', maximum: 2 }, '1.5', '3'],
  [{ type: 'boolean' }, 'y', 'perhaps'],
  [{ type: 'string', enum: ['a', 'b'], enumNames: ['Anna', 'Bob'] }, 'Bob', '3'],
  [{ type: 'string', oneOf: [{ const: 'a', title: 'Anna' }] }, '1', '0'],
  [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, maxItems: 2 }, '1,3', '1,2,3'],
] as const)('a form takes %o as %s and not as %s', ([schema, good, bad]) => {
  expect(readField(field(schema), good)).toHaveProperty('value');
  expect(readField(field(schema), bad)).toHaveProperty('problem');
});

test('values arrive as the server wants them, and nothing is suggested for a secret', () => {
  expect(readField(field({ type: 'array', items: { enum: ['a', 'b'] } }), '2,1')).toEqual({
    value: ['b', 'a'],
  });
  expect(readField(field({ type: 'boolean' }), 'no')).toEqual({ value: false });
  expect(field({ type: 'string', default: 'x' }).preset).toBe('x');
  for (const name of ['password', 'apiKey', 'github_token'])
    expect(field({ type: 'string', default: 'x' }, name)).toMatchObject({ secret: true });
  expect(field({ type: 'string', default: 'x' }, 'password').preset).toBeUndefined();
});
