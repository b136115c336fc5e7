import { isObject } from '../../base/json.ts';
import { wordSet } from '../word-set.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** Where a schema holds schemas (JSON Schema 2020-12). */
export const ONE_SCHEMA: ReadonlySet<string> = wordSet(
  `additionalItems additionalProperties contains contentSchema else if items not propertyNames then
  unevaluatedItems unevaluatedProperties`,
);
export const SCHEMA_LIST: ReadonlySet<string> = wordSet('allOf anyOf oneOf prefixItems');
export const SCHEMA_MAP: ReadonlySet<string> = wordSet(
  '$defs definitions dependentSchemas patternProperties properties',
);

/** Their schemas judge the same value. */
export const IN_PLACE: ReadonlySet<string> = wordSet('allOf anyOf dependentSchemas else if not oneOf then');

export function eachSubschema(
  schema: Schema,
  visit: (subschema: Record<string, unknown>, keyword: string) => void,
): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value)) {
      // Before 2020-12.
      if (SCHEMA_LIST.has(keyword) || keyword === 'items') {
        for (const each of value) if (isObject(each)) visit(each, keyword);
      }
    } else if (SCHEMA_MAP.has(keyword) || keyword === 'dependencies') {
      for (const each of Object.values(value)) if (isObject(each)) visit(each, keyword);
    } else if (keyword === 'components' && 'schemas' in value && isObject(value.schemas)) {
      for (const each of Object.values(value.schemas)) if (isObject(each)) visit(each, keyword);
    } else if (ONE_SCHEMA.has(keyword) && isObject(value)) visit(value, keyword);
  }
}

/** RFC 6901, as a URI fragment; undefined if nothing is there. */
export function followPointer(root: unknown, fragment: string): unknown {
  if (fragment === '#') return root;
  if (!fragment.startsWith('#/')) return undefined;
  let at = root;
  for (const part of fragment.slice(2).split('/')) {
    const key = decodePart(part);
    if (typeof at !== 'object' || at === null || key === undefined || !Object.hasOwn(at, key))
      return undefined;
    at = (at as Record<string, unknown>)[key]; // an object with that key, as just checked
  }
  return at;
}

export function decodePart(part: string): string | undefined {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined; // a percent sign that encodes nothing
  }
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
