import { canonicalJson, isObject, type JsonObject } from '../../base/json.ts';
import { wordSet } from '../word-set.ts';
import { limits } from '../../base/limits.ts';
import { checkSchema } from '../schemas/check-schema.ts';
import {
  decodePart,
  followPointer,
  ONE_SCHEMA,
  SCHEMA_LIST,
  SCHEMA_MAP,
  type Schema,
  listOf,
} from '../schemas/positions.ts';
import { fieldName } from './field-names.ts';
import type { ProviderLimits } from './provider-limits.ts';

interface AdaptedSchema {
  readonly schema: JsonObject;
  readonly lost: readonly string[];
}

export function adaptSchema(checked: JsonObject, provider: ProviderLimits): AdaptedSchema {
  const top = provider.flatTop ? flattenTop(checked) : { schema: checked, lost: [] };
  const changed = adapt(top.schema, provider);
  const { $schema: _dialect, ...undeclared } = changed;
  const dialect = provider.only2020 && '$schema' in changed ? undeclared : changed;
  const schema =
    provider.needsProperties && !isObject(dialect['properties']) ? { ...dialect, properties: {} } : dialect;
  if (schema === checked) return { schema: checked, lost: top.lost };
  // References may have lost their targets, lists of items their dialect.
  const outcome = checkSchema(schema, limits);
  return { schema: outcome.ok ? outcome.schema : { type: 'object', properties: {} }, lost: top.lost };
}

/** Unchanged parts stay the same object. */
function adapt(schema: Schema, provider: ProviderLimits): Schema {
  let copy: Record<string, unknown> | undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const adapted = adaptKeyword(keyword, value, provider);
    if (adapted === value) continue;
    copy ??= { ...schema };
    copy[keyword] = adapted;
  }
  const now = copy ?? schema;
  const isArray = [now['type']].flat().includes('array');
  return provider.needsItems && isArray && !('items' in now) ? { ...now, items: {} } : now;
}

function adaptKeyword(keyword: string, value: unknown, provider: ProviderLimits): unknown {
  if (keyword === 'required' && Array.isArray(value))
    return changedList(value, (name) => rename(String(name), provider));
  if (keyword === '$ref' && typeof value === 'string') return renamePointer(value, provider);
  if (SCHEMA_LIST.has(keyword) && Array.isArray(value))
    return changedList(value, (each) => adaptAny(each, provider));
  if (
    isObject(value) &&
    (SCHEMA_MAP.has(keyword) || keyword === 'dependencies' || keyword === 'dependentRequired')
  ) {
    return adaptMap(value, keyword, provider);
  }
  return ONE_SCHEMA.has(keyword) ? adaptAny(value, provider) : value;
}

function adaptAny(value: unknown, provider: ProviderLimits): unknown {
  if (Array.isArray(value)) return changedList(value, (each) => adaptAny(each, provider));
  return isObject(value) ? adapt(value, provider) : value;
}

const BY_FIELD: ReadonlySet<string> = wordSet('properties dependentSchemas dependencies dependentRequired');

function adaptMap(map: Schema, keyword: string, provider: ProviderLimits): Schema {
  let changed = false;
  const entries = Object.entries(map).map(([name, value]): [string, unknown] => {
    const to = BY_FIELD.has(keyword) ? rename(name, provider) : name;
    // The other tables may hold lists of names.
    const adapted =
      keyword !== 'properties' && Array.isArray(value)
        ? changedList(value, (each) => (typeof each === 'string' ? rename(each, provider) : each))
        : adaptAny(value, provider);
    changed ||= to !== name || adapted !== value;
    return [to, adapted];
  });
  return changed ? Object.fromEntries(entries) : map;
}

function rename(name: string, provider: ProviderLimits): string {
  return provider.field === undefined || provider.field.test(name) ? name : fieldName(name);
}

function renamePointer(ref: string, provider: ProviderLimits): string {
  const parts = ref.split('/');
  return parts
    .map((part, index) => {
      if (parts[index - 1] !== 'properties') return part;
      const name = decodePart(part);
      const to = name === undefined ? part : rename(name, provider);
      return to === name ? part : to;
    })
    .join('/');
}

function changedList(list: readonly unknown[], change: (each: unknown) => unknown): readonly unknown[] {
  const changed = list.map(change);
  return changed.every((each, index) => each === list[index]) ? list : changed;
}

interface Flattened {
  readonly schema: Schema;
  readonly lost: readonly string[];
}

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;
const DEPTH_MAX = 8;
const BRANCHES_MAX = 500;
const SETS_SHOWN = 6;

/** One plain object schema: all fields of all branches, with the branches' conditions in words. */
export function flattenTop(top: Schema, root: Schema = top): Flattened {
  const composed = [...BRANCHES, '$ref', 'enum', 'const', 'not'].some((keyword) => keyword in top);
  if (!composed) return { schema: top, lost: [] };
  const lost: string[] = [];
  const { properties, required } = fieldsOf(top, { root, lost, left: BRANCHES_MAX }, 0);
  const { allOf: _all, anyOf: _any, oneOf: _one, $ref: _ref, enum: _enum, const: _const, not, ...rest } = top;
  if (not !== undefined) lost.push('Some combinations of arguments are not allowed.');
  return { schema: { ...rest, properties, ...(required.length === 0 ? {} : { required }) }, lost };
}

interface Fields {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

interface Walk {
  readonly root: Schema;
  readonly lost: string[];
  left: number;
}

function fieldsOf(schema: unknown, walk: Walk, depth: number): Fields {
  walk.left -= 1;
  if (!isObject(schema) || depth > DEPTH_MAX || walk.left < 0) return { properties: {}, required: [] };
  const own: Fields = {
    properties: isObject(schema['properties']) ? schema['properties'] : {},
    required: listOf(schema['required']).filter((name) => typeof name === 'string'),
  };
  const whole: Fields[] = [own];
  const ref = schema['$ref'];
  if (typeof ref === 'string' && ref !== '#')
    whole.push(fieldsOf(followPointer(walk.root, ref), walk, depth + 1));
  for (const branch of listOf(schema['allOf'])) whole.push(fieldsOf(branch, walk, depth + 1));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listOf(schema[keyword]).map((branch) => fieldsOf(branch, walk, depth + 1));
    if (branches.length > 0) whole.push(oneOfThese(branches, keyword, walk.lost));
  }
  const required = [...new Set(whole.flatMap((fields) => fields.required))];
  return { properties: mergeFields(whole, 'allOf'), required };
}

function oneOfThese(branches: readonly Fields[], keyword: 'anyOf' | 'oneOf', lost: string[]): Fields {
  const [first, ...others] = branches;
  const common = (first?.required ?? []).filter((name) =>
    others.every(({ required }) => required.includes(name)),
  );
  const own = branches.map(({ required }) => required.filter((name) => !common.includes(name)));
  const sets = [...new Set(own.map((names) => names.join(' and ')))];
  if (sets.length > 1) {
    const shown = sets.slice(0, SETS_SHOWN).map((set) => (set === '' ? 'none of these' : set));
    const more = sets.length > shown.length ? ', …' : '';
    lost.push(`Give ${keyword === 'oneOf' ? 'exactly' : 'at least'} one of: ${shown.join('; ')}${more}.`);
  }
  return { properties: mergeFields(branches, 'anyOf'), required: common };
}

function mergeFields(all: readonly Fields[], how: 'anyOf' | 'allOf'): Readonly<Record<string, unknown>> {
  const merged = new Map<string, Map<string, unknown>>();
  for (const { properties } of all) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = merged.get(name) ?? new Map<string, unknown>();
      merged.set(name, known.set(canonicalJson(schema), schema));
    }
  }
  return Object.fromEntries(
    [...merged].map(([name, schemas]) => {
      const [first, ...others] = schemas.values();
      return [name, others.length === 0 ? first : { [how]: [first, ...others] }];
    }),
  );
}
