import { z } from 'zod';
import type { Operation } from '../../src/hub/operations/operation.ts';
import { schemaOf } from '../../src/hub/operations/parse-input.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Values for fields by name, where any text that fits the schema would say little; `undefined` leaves it out. */
export type Known = Readonly<Record<string, unknown>>;

/** Inputs of an operation, made from its own schema: the least, everything, and one that does not fit. */
export function inputsOf(
  row: Operation,
  known: Known,
): Readonly<Record<'minimal' | 'full' | 'invalid', object>> {
  const schema = z.toJSONSchema(schemaOf(row), { io: 'input', unrepresentable: 'any' }) as Schema; // JSON
  const minimal = make(schema, known, false) as object; // an input is an object
  return { minimal, full: make(schema, known, true) as object, invalid: { ...minimal, unheardOf: 'x' } };
}

function make(schema: Schema, known: Known, full: boolean): unknown {
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const [first] = (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly Schema[];
  if (first) return make(first, known, full);
  switch (schema['type']) {
    case 'object':
      return makeObject(schema, known, full);
    case 'array':
      return full || schema['minItems'] ? [make(schema['items'] as Schema, known, full)] : [];
    case 'string':
      return 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 0)));
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 0));
    case 'boolean':
      return true;
    default:
      return {};
  }
}

function makeObject(schema: Schema, known: Known, full: boolean): object {
  const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.fromEntries(
    fields
      .filter(([name]) => full || required.includes(name))
      .map(([name, of]): [string, unknown] => [name, name in known ? known[name] : make(of, known, full)])
      .filter(([, value]) => value !== undefined),
  );
}
