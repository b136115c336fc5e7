import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { checkSchema } from '../schemas/check-schema.ts';
import { decodePart, ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from '../schemas/positions.ts';
import { fieldName } from './field-names.ts';
import { flattenTop } from './flatten-top.ts';
import type { ProviderLimits } from './provider-limits.ts';

export interface AdaptedSchema {
  readonly schema: JsonObject;
  /** What the provider's schemas cannot say, in sentences for the description. */
  readonly lost: readonly string[];
}

/** A checked schema within the limits of a provider that takes JSON Schema. */
export function adaptSchema(checked: JsonObject, provider: ProviderLimits): AdaptedSchema {
  const top = provider.flatTop ? flattenTop(checked) : { schema: checked, lost: [] };
  const changed = adapt(top.schema, provider);
  const dialect = provider.only2020 && '$schema' in changed ? withoutDialect(changed) : changed;
  const schema =
    provider.needsProperties && !isObject(dialect['properties']) ? { ...dialect, properties: {} } : dialect;
  if (schema === checked) return { schema: checked, lost: top.lost };
  // References may have lost their targets, and lists of items their dialect.
  const outcome = checkSchema(schema, limits);
  return { schema: outcome.ok ? outcome.schema : { type: 'object', properties: {} }, lost: top.lost };
}

type Schema = Readonly<Record<string, unknown>>;

function withoutDialect({ $schema: _dialect, ...rest }: Schema): Schema {
  return rest;
}

/** Renames fields and completes arrays, all the way down; what is fine stays the same object. */
function adapt(schema: Schema, provider: ProviderLimits): Schema {
  let copy: Record<string, unknown> | undefined;
  for (const [keyword, value] of Object.entries(schema)) {
    const adapted = adaptKeyword(keyword, value, provider);
    if (adapted === value) continue;
    copy ??= { ...schema };
    copy[keyword] = adapted;
  }
  const now = copy ?? schema;
  if (!provider.needsItems || !isArrayType(now['type']) || 'items' in now) return now;
  return { ...now, items: {} };
}

function isArrayType(type: unknown): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
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

/** In these tables the keys are names of fields. */
const BY_FIELD: ReadonlySet<string> = new Set([
  'properties',
  'dependentSchemas',
  'dependencies',
  'dependentRequired',
]);

function adaptMap(map: Schema, keyword: string, provider: ProviderLimits): Schema {
  let changed = false;
  const entries = Object.entries(map).map(([name, value]): [string, unknown] => {
    const to = BY_FIELD.has(keyword) ? rename(name, provider) : name;
    // A list of names, in the two tables that may hold one.
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

/** A pointer that goes through a renamed field goes through its new name. */
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
