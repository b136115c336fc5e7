import { z } from 'zod';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Operation } from './operation.ts';

/** All that has to be known of an operation here. */
type Row = Pick<Operation, 'input' | 'isUsual'>;

const schemas = new WeakMap<Row, z.ZodType>();

export function schemaOf(row: Row): z.ZodType {
  const known = schemas.get(row);
  if (known) return known;
  const schema = row.input(z);
  schemas.set(row, schema);
  return schema;
}

/** Inputs that have been parsed ahead, each with its operation. They live as long as their call. */
const parsedAhead = new WeakMap<object, Row>();

/** For the HTTP edge, which parses before it opens a stream: dispatch doesn't parse the answer again. */
export function parseAhead(row: Row, input: unknown): unknown {
  const parsed = parseInput(row, input);
  if (isObject(parsed)) parsedAhead.set(parsed, row);
  return parsed;
}

export function parseInput(row: Row, input: unknown): unknown {
  if (row.isUsual?.(input) || (isObject(input) && parsedAhead.get(input) === row)) return input;
  const parsed = schemaOf(row).safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new PlugError('usage', `The request does not fit: ${where && `${where}: `}${issue?.message}.`, {
    owner: 'you',
    details: { field: where },
  });
}

/** Addresses hold only text: numbers and switches in them become what the schema takes. */
export function parseTexts(row: Row, texts: Readonly<Record<string, string>>): Record<string, unknown> {
  const schema = schemaOf(row);
  const shape: Readonly<Record<string, unknown>> = schema instanceof z.ZodObject ? schema.shape : {};
  return Object.fromEntries(
    Object.entries(texts).map(([field, text]) => [field, valueOf(innermost(shape[field]), text)]),
  );
}

function valueOf(schema: unknown, text: string): unknown {
  if (schema instanceof z.ZodNumber) return text.trim() === '' ? text : Number(text);
  if (schema instanceof z.ZodBoolean) return switches.safeParse(text).data ?? text;
  return text;
}

const switches = z.stringbool();

function innermost(schema: unknown): unknown {
  return schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
}
