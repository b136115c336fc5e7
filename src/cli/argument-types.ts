import { PlugError } from '../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';

export type Schema = Readonly<Record<string, unknown>>;

interface Conversion {
  readonly key: string;
  readonly value: string;
  readonly schema: Schema | undefined;
  /** Where `$ref` points into. */
  readonly root: JsonObject;
}

/** Turns a typed word into what the schema asks for. Where a string is welcome, it stays one. */
export function convertValue({ key, value, schema, root }: Conversion): Json {
  const types = typesOf(schema, root);
  if (types.size === 0 || types.has('string')) return value;
  if (types.has('null') && value === 'null') return null;
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if ((types.has('number') || types.has('integer')) && NUMBER.test(value)) {
    const number = Number(value);
    if (types.has('number') || Number.isInteger(number)) return number;
  }
  if (types.has('object') || types.has('array')) {
    const parsed = tryJson(value);
    if (types.has('object') && isObject(parsed)) return parsed as JsonObject; // parsed from JSON
    if (types.has('array') && Array.isArray(parsed)) return parsed as readonly Json[]; // likewise
  }
  const wanted = [...types].map((type) => WORDS[type] ?? type).join(' or ');
  throw argumentError(key, `must be ${wanted}, and “${value.slice(0, 60)}” is not.`);
}

/** The schema of one property; false when the tool takes no such argument. */
export function propertySchema(schema: JsonObject, key: string): Schema | undefined | false {
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    const property = properties[key];
    return isObject(property) ? property : undefined;
  }
  const others = schema['additionalProperties'];
  if (others === false && schema['patternProperties'] === undefined) return false;
  return isObject(others) ? others : undefined;
}

export function isArrayOnly(schema: Schema | undefined, root: JsonObject): boolean {
  const types = typesOf(schema, root);
  types.delete('null');
  return types.size === 1 && types.has('array');
}

export function argumentError(field: string, complaint: string, cause?: unknown): PlugError {
  return new PlugError('bad_arguments', `“${field}” ${complaint}`, {
    owner: 'you',
    details: { field },
    ...(cause === undefined ? {} : { cause }),
  });
}

const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

const WORDS: Readonly<Record<string, string>> = {
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a JSON array',
  object: 'a JSON object',
};

/** Schemas may nest without end, or point at themselves. */
const DEPTH_MAX = 8;

/** Every JSON type that the schema lets through, as far as it says so plainly. */
function typesOf(schema: unknown, root: JsonObject, depth = 0): Set<string> {
  const types = new Set<string>();
  if (!isObject(schema) || depth > DEPTH_MAX) return types;
  for (const type of [schema['type']].flat()) if (typeof type === 'string') types.add(type);
  if (types.size > 0) return types;
  const literals = Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : [];
  for (const literal of 'const' in schema ? [schema['const']] : literals) types.add(typeOfValue(literal));
  for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    for (const branch of branches) for (const type of typesOf(branch, root, depth + 1)) types.add(type);
  }
  if (typeof schema['$ref'] === 'string') return typesOf(follow(schema['$ref'], root), root, depth + 1);
  return types;
}

/** Only references inside the same schema are followed; nothing is ever fetched. */
function follow(ref: string, root: JsonObject): unknown {
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the caller says what was expected.
  }
}
