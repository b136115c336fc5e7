import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { convertValue, isArrayOnly, propertySchema, type Schema } from './argument-types.ts';
import { argumentError } from './argument-types.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

export interface ArgumentsInput {
  /** `key=value` and `key:=json`, as typed. */
  readonly pairs: readonly string[];
  /** The tool's inputSchema, when it is known; without it every plain value is a string. */
  readonly schema: JsonObject | undefined;
  /** From --args; single pairs are laid over it. */
  readonly base?: JsonObject;
}

/** Builds a call's arguments from what was typed. Whatever does not fit is named by its field. */
export function parseArguments({ pairs, schema = {}, base = {} }: ArgumentsInput): JsonObject {
  const given = new Map<string, Json>();
  for (const pair of pairs) {
    const { key, value, raw } = splitPair(pair);
    const property = propertySchema(schema, key);
    if (property === false) throw unknownKey(key, schema);
    const before = given.get(key);
    if (raw) {
      if (before !== undefined) throw argumentError(key, 'is given twice.');
      given.set(key, parseJson(key, value));
    } else given.set(key, plainValue({ key, value, before, property, root: schema }));
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

/** The object in --args. */
export function parseArgsObject(text: string, from: string): JsonObject {
  const value = parseJson(from, text);
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

interface PlainValue {
  readonly key: string;
  readonly value: string;
  readonly before: Json | undefined;
  readonly property: Schema | undefined;
  readonly root: JsonObject;
}

/** A list may be typed as one JSON array, or item by item by repeating its key. */
function plainValue({ key, value, before, property, root }: PlainValue): Json {
  if (isArrayOnly(property, root)) {
    if (value.trimStart().startsWith('[') && before === undefined) return parseJson(key, value);
    const items = isObject(property?.['items']) ? property['items'] : undefined;
    const item = convertValue({ key, value, schema: items, root });
    return [...(Array.isArray(before) ? (before as readonly Json[]) : []), item];
  }
  if (before !== undefined) throw argumentError(key, 'is given twice.');
  return convertValue({ key, value, schema: property, root });
}

function unknownKey(key: string, schema: JsonObject): Error {
  const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
  const near = didYouMean(suggest(key, known));
  const all = known.length > 0 ? `It takes ${known.join(', ')}.` : 'It takes no arguments.';
  return argumentError(key, `is not an argument of this tool. ${near || all}`);
}

function parseJson(key: string, text: string): Json {
  try {
    return JSON.parse(text) as Json; // JSON.parse yields JSON
  } catch (cause) {
    throw argumentError(key, `is not valid JSON: ${shorten(text)}`, cause);
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
