import { ExactNumber } from '../../base/exact-number.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { followPointer, listOf } from '../schemas/positions.ts';
import { shortHash } from './shown-tool.ts';

const STRICT = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const CANDIDATES_MAX = 64;

/** Depends on the name alone, so that `restoreArguments` needs no table. */
export function fieldName(name: string): string {
  if (STRICT.test(name)) return name;
  const clean = name.replaceAll(/[^a-zA-Z0-9_]+/g, '_').replace(/^(?![a-zA-Z_])/, '_');
  return `${clean.slice(0, 55)}_${shortHash(name)}`;
}

/** Restores field names; unchanged arguments stay the same object. */
export function restoreArguments(schema: JsonObject, args: JsonObject): JsonObject {
  if (!renamesFields(schema)) return args;
  return restore(args, [schema], schema) as JsonObject; // an object stays an object
}

/** Rare, and asked on every call. Schemas are immutable. */
const renaming = new WeakMap<JsonObject, boolean>();

function renamesFields(schema: JsonObject): boolean {
  const known = renaming.get(schema) ?? hasLooseName(schema);
  renaming.set(schema, known);
  return known;
}

/** A pointer leads to no other place. */
function hasLooseName(schema: JsonObject): boolean {
  const open: object[] = [schema];
  for (let next = open.pop(); next; next = open.pop()) {
    const table = isObject(next) ? next['properties'] : undefined;
    if (isObject(table) && Object.keys(table).some((name) => !STRICT.test(name))) return true;
    for (const inner of Object.values(next) as readonly unknown[]) {
      if (typeof inner === 'object' && inner !== null) open.push(inner);
    }
  }
  return false;
}

type Schemas = readonly unknown[];

function restore(value: Json | undefined, schemas: Schemas, root: JsonObject): Json | undefined {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const known = candidates(schemas, root);
  if (Array.isArray(value)) {
    const items = known.flatMap((schema) => [schema['items'], ...listOf(schema['prefixItems'])]);
    const restored = value.map((each: Json) => restore(each, items, root) ?? null);
    return restored.every((each, index) => each === value[index]) ? value : restored;
  }
  const tables = known.map((schema) => schema['properties']).filter(isObject);
  let changed = false;
  const entries = Object.entries(value).map(([key, inner]): [string, Json | undefined] => {
    const own = tables.some((table) => Object.hasOwn(table, key));
    const name = own ? key : (originalOf(key, tables) ?? key);
    const subschemas = tables.flatMap((table) => (Object.hasOwn(table, name) ? [table[name]] : []));
    const others = subschemas.length > 0 ? subschemas : known.map((schema) => schema['additionalProperties']);
    const restored = restore(inner, others, root);
    changed ||= name !== key || restored !== inner;
    return [name, restored];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function originalOf(key: string, tables: readonly Record<string, unknown>[]): string | undefined {
  for (const table of tables) {
    const found = Object.keys(table).find((name) => name !== key && fieldName(name) === key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function candidates(schemas: Schemas, root: JsonObject): readonly Record<string, unknown>[] {
  const found = new Set<Record<string, unknown>>();
  const waiting = [...schemas];
  while (waiting.length > 0 && found.size < CANDIDATES_MAX) {
    const schema = waiting.shift();
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    if (typeof schema['$ref'] === 'string') waiting.push(followPointer(root, schema['$ref']));
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) waiting.push(...listOf(schema[keyword]));
    waiting.push(schema['then'], schema['else'], schema['if']);
  }
  return [...found];
}
