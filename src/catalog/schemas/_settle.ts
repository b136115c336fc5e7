import { isObject } from '../../base/json.ts';
import type { Repairs } from './_repairs.ts';
import { isOfType } from './_values.ts';
import type { Schema } from './positions.ts';

/** A branch judges the same value as the schema around it. */
export type SchemaRole = 'root' | 'own' | 'branch';

interface Settling {
  readonly before: Schema;
  readonly place: SchemaRole;
  readonly repairs: Repairs;
  readonly tuples: boolean;
}

export function settle(schema: Schema, settling: Settling): Schema {
  let now = schema;
  if (typeof now['exclusiveMinimum'] === 'boolean') now = settleBound(now, 'minimum', settling.repairs);
  if (typeof now['exclusiveMaximum'] === 'boolean') now = settleBound(now, 'maximum', settling.repairs);
  if (Array.isArray(now['items']) && !settling.tuples) now = settleTuple(now, settling.repairs);
  if (now['nullable'] !== undefined) now = settleNullable(now, settling.repairs);
  if (isObject(now['properties'])) now = settleRequired(now, settling);
  if (now['default'] !== undefined && now['type'] !== undefined) now = settleDefault(now, settling.repairs);
  return now;
}

/** Draft-04: `exclusiveMinimum: true` sharpens `minimum`; since draft-06 it is the bound. */
function settleBound(schema: Schema, bound: 'minimum' | 'maximum', repairs: Repairs): Schema {
  const keyword = bound === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  repairs.add('is written as in draft-04', keyword);
  const { [keyword]: exclusive, ...rest } = schema;
  if (exclusive !== true || typeof rest[bound] !== 'number') return rest;
  const { [bound]: value, ...others } = rest;
  return { ...others, [keyword]: value };
}

/** Since 2020-12 a list of schemas is `prefixItems`, followed by `items`. */
function settleTuple(schema: Schema, repairs: Repairs): Schema {
  repairs.add('is a list of schemas, as before 2020-12', 'items');
  const { items, additionalItems, ...rest } = schema;
  const further = additionalItems === undefined ? {} : { items: additionalItems };
  return { ...rest, prefixItems: items, ...further };
}

/** OpenAPI's `nullable` needs a `type`. */
function settleNullable(schema: Schema, repairs: Repairs): Schema {
  const { nullable, ...rest } = schema;
  const { type } = schema;
  const contradicts =
    nullable === false && (type === 'null' || (Array.isArray(type) && type.includes('null')));
  if (type !== undefined && !contradicts) return schema;
  repairs.add('says nothing beside these keywords and was left out', 'nullable');
  return rest;
}

const OTHER_FIELDS = '$ref allOf anyOf oneOf if dependentSchemas patternProperties'.split(' ');

/** Providers refuse required fields that don't exist. Left alone where other keywords may define them. */
function settleRequired(schema: Schema, { before, place, repairs }: Settling): Schema {
  const { properties, required } = schema;
  const own = Array.isArray(required) ? required : [];
  const lifted = requiredAtFields(before['properties'], properties).filter((name) => !own.includes(name));
  if (lifted.length > 0) return { ...schema, required: [...own, ...lifted] };
  if (own.length === 0 || place === 'branch' || !isObject(properties)) return schema;
  const open = schema['additionalProperties'] !== undefined && schema['additionalProperties'] !== false;
  if (open || OTHER_FIELDS.some((keyword) => keyword in schema)) return schema;
  const known = own.filter((name) => Object.hasOwn(properties, String(name)));
  if (known.length === own.length) return schema;
  repairs.add('names fields that do not exist; they were left out', 'required');
  const { required: _required, ...rest } = schema;
  return known.length === 0 ? rest : { ...rest, required: known };
}

/** Draft-03 has `required: true` at the field. */
function requiredAtFields(before: unknown, after: unknown): readonly string[] {
  if (before === after || !isObject(before) || !isObject(after)) return [];
  return Object.keys(after).filter((name) => {
    const field = before[name];
    return isObject(field) && field['required'] === true;
  });
}

function settleDefault(schema: Schema, repairs: Repairs): Schema {
  const { default: value, ...rest } = schema;
  const { type } = schema;
  if (typeof type !== 'string' && !Array.isArray(type)) return schema;
  if (isOfType(value, type) || (value === null && schema['nullable'] === true)) return schema;
  repairs.add('is not of the type it is a default for and was left out', 'default');
  return rest;
}

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';
const KNOWN: ReadonlySet<unknown> = new Set([
  DRAFT_07,
  DRAFT_07.slice(0, -1),
  'https://json-schema.org/draft/2020-12/schema',
  'https://json-schema.org/draft/2020-12/schema#',
]);

/** The default is 2020-12 (MCP specification, JSON Schema usage). */
export function mendDialect(schema: Schema, repairs: Repairs): Schema {
  const dialect = schema['$schema'];
  if (dialect === undefined || KNOWN.has(dialect)) return schema;
  const { $schema: _dialect, ...rest } = schema;
  if (typeof dialect === 'string' && dialect.includes('draft-07')) {
    repairs.add('has an address for draft-07 that is not quite right', '$schema');
    return { ...rest, $schema: DRAFT_07 };
  }
  repairs.add('is a dialect that is not known here: the schema is read as JSON Schema 2020-12', '$schema');
  return rest;
}

/** Before 2020-12, `items` may be a list. */
export function hasTuples(root: Schema): boolean {
  return typeof root['$schema'] === 'string' && root['$schema'].includes('draft-07');
}
