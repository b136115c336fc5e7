import type { PlugError } from '../base/errors.ts';
import { ExactNumber } from '../base/exact-number.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { parseJson } from '../base/parse-json.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import { userError } from './failures.ts';

interface ArgumentsInput {
  readonly pairs: readonly string[];
  /** The tool's inputSchema, when it is known; without it every plain value is a string. */
  readonly schema: JsonObject | undefined;
  /** From --args; single pairs are laid over it. */
  readonly base?: JsonObject;
}

export function parseArguments({ pairs, schema = {}, base = {} }: ArgumentsInput): JsonObject {
  const given = new Map<string, Json>();
  for (const pair of pairs) {
    const { key, value, raw } = splitPair(pair);
    const property = propertySchema(schema, key);
    if (property === false) throw unknownKey(key, schema);
    const before = given.get(key);
    if (raw) {
      if (before !== undefined) throw argumentError(key, 'is given twice.');
      given.set(key, readJson(key, value));
    } else given.set(key, plainValue({ key, value, before, schema: property, root: schema }));
  }
  // fromEntries defines own properties, so that a key such as __proto__ stays a plain key.
  return Object.fromEntries([...Object.entries(base), ...given]);
}

/** Names the first required argument that is missing; the server would say it less clearly. */
export function checkRequired(args: JsonObject, schema: JsonObject): void {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  for (const key of required) {
    if (typeof key === 'string' && !Object.hasOwn(args, key)) throw argumentError(key, 'is required.');
  }
}

/** The call as it is typed, with every required argument; `wrong` is one that was given and does not fit. */
export function exampleCall(tool: string, schema: JsonObject, wrong: unknown): string {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly unknown[]) : [];
  const named = new Set([...required, wrong].filter((key) => typeof key === 'string' && key in properties));
  const words = [...named].map((key) => {
    const types = typesOf(properties[String(key)], schema);
    const isList = types.has('array') || types.has('object');
    return isList ? `${String(key)}:=JSON` : `${String(key)}=VALUE`;
  });
  return ['plug call', tool, ...words].join(' ');
}

export function parseArgsObject(text: string, from: string): JsonObject {
  const value = readJson(from, text);
  if (isObject(value)) return value;
  throw argumentError(from, 'must be a JSON object such as {"key": "value"}.');
}

/** `key=value` by the first `=`, so that values may hold more of them. */
export function splitPair(pair: string): {
  readonly key: string;
  readonly value: string;
  readonly raw: boolean;
} {
  const at = pair.indexOf('=');
  const raw = at > 0 && pair[at - 1] === ':';
  const key = pair.slice(0, raw ? at - 1 : at);
  if (at < 1 || key === '') throw argumentError(pair, 'is not an argument: write key=value or key:=json.');
  return { key, value: pair.slice(at + 1), raw };
}

interface PlainValue extends Conversion {
  readonly before: Json | undefined;
}

/** A list may be typed as one JSON array, or item by item by repeating its key. */
function plainValue({ before, ...given }: PlainValue): Json {
  const { key, value, schema, root } = given;
  if (isArrayOnly(schema, root)) {
    if (value.trimStart().startsWith('[') && before === undefined) return readJson(key, value);
    const items = isObject(schema?.['items']) ? schema['items'] : undefined;
    const item = convertValue({ ...given, schema: items });
    return [...(Array.isArray(before) ? (before as readonly Json[]) : []), item];
  }
  if (before !== undefined) throw argumentError(key, 'is given twice.');
  return convertValue(given);
}

function unknownKey(key: string, schema: JsonObject): Error {
  const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const near = didYouMean(suggest(key, known));
  const all = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no arguments.';
  return argumentError(key, `is not an argument of this tool. ${near || all}`);
}

function readJson(key: string, text: string): Json {
  try {
    return parseJson(text) as Json; // nothing but JSON; exact numbers are written as such
  } catch (cause) {
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    throw argumentError(key, `is not valid JSON: ${shown}`, cause);
  }
}

type Schema = Readonly<Record<string, unknown>>;

interface Conversion {
  readonly key: string;
  readonly value: string;
  readonly schema: Schema | undefined;
  readonly root: JsonObject;
}

/** Turns a typed word into what the schema asks for. Where a string is welcome, it stays one. */
function convertValue({ key, value, schema, root }: Conversion): Json {
  const types = typesOf(schema, root);
  if (types.size === 0 || types.has('string')) return value;
  if (types.has('null') && value === 'null') return null;
  if (types.has('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if ((types.has('number') || types.has('integer')) && NUMBER.test(value)) {
    const number = numberOf(value);
    const isWhole = Number.isInteger(number instanceof ExactNumber ? number.nearest : number);
    if (types.has('number') || isWhole) return number as Json; // an exact number is written as one
  }
  if (types.has('object') || types.has('array')) {
    const parsed = tryJson(value);
    if (types.has('object') && isObject(parsed)) return parsed as JsonObject; // parsed from JSON
    if (types.has('array') && Array.isArray(parsed)) return parsed as readonly Json[]; // likewise
  }
  const wanted = [...types].map((type) => WORDS[type] ?? type).join(' or ');
  throw argumentError(key, `must be ${wanted}, and “${value.slice(0, 60)}” is not.`);
}

/** Exact only where JavaScript has another value. People also write `.5` and `5.`, which JSON does not have. */
function numberOf(text: string): number | ExactNumber {
  const exact = tryJson(text);
  const number = Number(text);
  return exact instanceof ExactNumber && exact.canonical !== String(number) ? exact : number;
}

/** The schema of one property; false when the tool takes no such argument. */
function propertySchema(schema: JsonObject, key: string): Schema | undefined | false {
  const properties = schema['properties'];
  if (isObject(properties) && Object.hasOwn(properties, key)) {
    const property = properties[key];
    return isObject(property) ? property : undefined;
  }
  const others = schema['additionalProperties'];
  if (others === false && schema['patternProperties'] === undefined) return false;
  return isObject(others) ? others : undefined;
}

function isArrayOnly(schema: Schema | undefined, root: JsonObject): boolean {
  const types = typesOf(schema, root);
  types.delete('null');
  return types.size === 1 && types.has('array');
}

function argumentError(field: string, complaint: string, cause?: unknown): PlugError {
  return userError('bad_arguments', `“${field}” ${complaint}`, {
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
    return parseJson(text);
  } catch {
    return undefined; // Not JSON: the caller says what was expected.
  }
}
