import { isObject } from '../../base/json.ts';
import { hasTuples, type SchemaRole, settle } from './_settle.ts';
import { mendRefs } from './_refs.ts';
import { DROP, type Repairs } from './_repairs.ts';
import { isNameList, isPattern, typeNamed, VALUE_KEYWORDS } from './_values.ts';
import { wordSet } from '../word-set.ts';
import { IN_PLACE, ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP, type Schema } from './positions.ts';

/** Unchanged parts stay the same object. */
export function mendSchema(root: Schema, repairs: Repairs): Schema {
  const walk: Walk = { repairs, tuples: hasTuples(root), anchors: new Set(), refs: 0 };
  const mended = mend(root, walk, 'root');
  return walk.refs === 0 ? mended : mendRefs(mended, repairs);
}

interface Walk {
  readonly repairs: Repairs;
  readonly tuples: boolean;
  readonly anchors: Set<string>;
  refs: number;
}

function mend(schema: Schema, walk: Walk, place: SchemaRole): Schema {
  const { repairs } = walk;
  let copy: Record<string, unknown> | undefined;
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword];
    repairs.count(keyword.length);
    repairs.enter(keyword);
    const mended = value === undefined ? DROP : mendKeyword(keyword, value, walk, place);
    repairs.leave();
    if (mended === value) continue;
    copy ??= { ...schema };
    if (mended === DROP) delete copy[keyword];
    else copy[keyword] = mended;
  }
  return settle(copy ?? schema, { before: schema, place, repairs, tuples: walk.tuples });
}

function mendKeyword(keyword: string, value: unknown, walk: Walk, place: SchemaRole): unknown {
  const { repairs } = walk;
  const mendValue = VALUE_KEYWORDS.get(keyword);
  if (mendValue) {
    measure(value, repairs);
    return mendValue(value, repairs);
  }
  if (SCHEMA_MAP.has(keyword)) return mendMap(keyword, value, walk);
  if (SCHEMA_LIST.has(keyword)) return mendList(value, walk, IN_PLACE.has(keyword) ? 'branch' : 'own');
  if (ONE_SCHEMA.has(keyword)) return mendOne(keyword, value, walk);
  const identity = mendIdentity(keyword, value, walk, place);
  if (identity !== undefined) return identity;
  switch (keyword) {
    case 'required':
      return mendRequired(value, repairs);
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      // Draft-04 has a boolean here; settled with its neighbor.
      return typeof value === 'boolean' ? value : VALUE_KEYWORDS.get('minimum')?.(value, repairs);
    case 'dependencies':
      return mendDependencies(value, walk);
    case 'components':
      return mendComponents(value, walk);
    case 'default':
    case 'const':
      measure(value, repairs);
      return value;
    default:
      return mendUnknown(value, repairs);
  }
}

function mendIdentity(keyword: string, value: unknown, walk: Walk, place: SchemaRole): unknown {
  const { repairs, anchors } = walk;
  const drop = (why: string): typeof DROP => repairs.drop(why);
  switch (keyword) {
    case '$ref':
      if (typeof value !== 'string') return drop('is no reference and was left out');
      repairs.count(value.length);
      walk.refs += 1;
      return value.startsWith('#') ? value : drop('points outside of the schema; nothing is ever fetched');
    case '$id':
      return place === 'root' && isAddress(value) ? value : drop("doesn't apply to a tool and was left out");
    case '$anchor':
      if (typeof value !== 'string' || !/^[A-Za-z_][-A-Za-z0-9._]*$/.test(value) || anchors.has(value)) {
        return drop('is no anchor of its own and was left out');
      }
      anchors.add(value);
      return value;
    case '$schema':
      return place === 'root' ? value : drop('changes the dialect inside of a schema and was left out');
    case 'id':
      return drop('is an address of draft-04 and was left out');
    case '$dynamicRef':
    case '$dynamicAnchor':
    case '$recursiveRef':
    case '$recursiveAnchor':
    case '$vocabulary':
      return drop('is for schemas of schemas and was left out');
    default:
      return undefined;
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\/[\w.:/-]+$/.test(value) && URL.canParse(value);
}

function mendMap(keyword: string, value: unknown, walk: Walk): unknown {
  const { repairs } = walk;
  const isFields = keyword === 'properties';
  if (!isObject(value)) {
    if (!isFields) return repairs.drop('is no table of schemas and was left out');
    repairs.add('is no table of fields');
    return mendMap(keyword, namedFields(value), walk);
  }
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const schema = value[name];
    repairs.count(name.length);
    repairs.enter(name);
    const mended = mendEntry(keyword, name, schema, walk);
    repairs.leave();
    if (mended === schema) continue;
    copy ??= { ...value };
    if (mended === DROP) delete copy[name];
    else copy[name] = mended;
  }
  return copy ?? value;
}

function namedFields(value: unknown): Record<string, unknown> {
  if (!Array.isArray(value)) return {};
  return Object.fromEntries(
    value.flatMap((field: unknown) => {
      if (!isObject(field) || typeof field['name'] !== 'string') return [];
      const { name, ...schema } = field;
      return [[name, schema]];
    }),
  );
}

function mendEntry(keyword: string, name: string, schema: unknown, walk: Walk): unknown {
  const { repairs } = walk;
  if (name === '__proto__') return repairs.drop('is no name for a field and was left out');
  if (keyword === 'patternProperties' && !isPattern(name)) {
    return repairs.drop('is no regular expression of JSON Schema and was left out');
  }
  if (keyword === 'properties' && schema === false) {
    return repairs.drop('may never be given and was left out');
  }
  const place = keyword === 'dependentSchemas' ? 'branch' : 'own';
  if (typeof schema !== 'boolean') return asSchema(schema, walk, place) ?? anything(repairs);
  return keyword === 'properties' ? anything(repairs) : schema;
}

function anything(repairs: Repairs): Schema {
  repairs.add('says nothing about its value: any value is taken');
  return {};
}

function mendList(value: unknown, walk: Walk, place: SchemaRole): unknown {
  const { repairs } = walk;
  if (!Array.isArray(value)) {
    repairs.add('isn’t a list of schemas');
    return isObject(value) ? [mend(value, walk, place)] : DROP;
  }
  let changed = false;
  const mended = value.flatMap((schema: unknown, index) => {
    repairs.enter(String(index));
    const after = typeof schema === 'boolean' ? schema : asSchema(schema, walk, place);
    if (after === undefined) repairs.add('is no schema and was left out');
    repairs.leave();
    changed ||= after !== schema;
    return after === undefined ? [] : [after];
  });
  if (mended.length > 0) return changed ? mended : value;
  return repairs.drop('is empty and was left out');
}

function mendOne(keyword: string, value: unknown, walk: Walk): unknown {
  if (typeof value === 'boolean') return value;
  if (keyword === 'items' && Array.isArray(value)) return mendList(value, walk, 'own');
  const schema = asSchema(value, walk, IN_PLACE.has(keyword) ? 'branch' : 'own');
  return schema ?? walk.repairs.drop('is no schema and was left out');
}

function asSchema(value: unknown, walk: Walk, place: SchemaRole): Schema | undefined {
  if (isObject(value)) return mend(value, walk, place);
  walk.repairs.count(typeof value === 'string' ? value.length : 0);
  const type = typeof value === 'string' ? typeNamed(value) : undefined;
  if (type === undefined) return undefined;
  walk.repairs.add('is the name of a type instead of a schema');
  return type === 'any' ? {} : { type };
}

function mendRequired(value: unknown, repairs: Repairs): unknown {
  measure(value, repairs);
  if (isNameList(value)) return value;
  // Draft-03 has it at the field; the object takes it over.
  const names = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
  const kept = [...new Set(names.filter((name) => typeof name === 'string'))];
  if (kept.length === 0) return repairs.drop('isn’t a list of names and was left out');
  repairs.add('is no clean list of names');
  return kept;
}

function mendDependencies(value: unknown, walk: Walk): unknown {
  if (!isObject(value)) return walk.repairs.drop('is no table and was left out');
  let changed = false;
  const entries = Object.entries(value).flatMap(([name, each]): [string, unknown][] => {
    walk.repairs.count(name.length);
    if (isNameList(each)) {
      measure(each, walk.repairs);
      return [[name, each]];
    }
    const after = typeof each === 'boolean' ? each : asSchema(each, walk, 'branch');
    changed ||= after !== each;
    if (after !== undefined && name !== '__proto__') return [[name, after]];
    walk.repairs.add('is neither a schema nor a list of names and was left out', name);
    changed = true;
    return [];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Servers generated from OpenAPI bring `components.schemas`. */
function mendComponents(value: unknown, walk: Walk): unknown {
  if (!isObject(value) || !isObject(value['schemas'])) return mendUnknown(value, walk.repairs);
  const { schemas, ...rest } = value;
  const mended = mendMap('$defs', schemas, walk);
  if (Object.keys(rest).length === 0) return mended === schemas ? value : { schemas: mended };
  walk.repairs.add('was cut down to its schemas');
  return { schemas: mended };
}

/** Unknown keywords stay unless validators would read addresses in them. */
function mendUnknown(value: unknown, repairs: Repairs): unknown {
  if (!measure(value, repairs)) return value;
  return repairs.drop('is no keyword, holds addresses of schemas, and was left out');
}

const ADDRESSES = wordSet('$id $anchor $dynamicAnchor $ref');

/** Counts all values; returns whether there is an address. */
function measure(value: unknown, repairs: Repairs): boolean {
  repairs.count(typeof value === 'string' ? value.length : 1);
  if (typeof value !== 'object' || value === null) return false;
  let found = false;
  if (Array.isArray(value)) {
    repairs.enter('');
    for (const inner of value) found = measure(inner, repairs) || found;
    repairs.leave();
    return found;
  }
  for (const [key, inner] of Object.entries(value)) {
    repairs.enter(key);
    found = ADDRESSES.has(key) || found;
    found = measure(inner, repairs) || found;
    repairs.leave();
  }
  return found;
}
