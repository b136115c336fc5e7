import { isObject, type JsonObject } from '../../base/json.ts';
import { hasTuples, mendDialect, settle } from './_settle.ts';
import { mendSchema } from './_mend.ts';
import { Hopeless, Repairs, type SchemaLimits } from './_repairs.ts';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP, type Schema } from './positions.ts';
import { VALUE_KEYWORDS } from './_values.ts';

export type SchemaCheck =
  /** The same object when nothing was repaired. */
  | { readonly ok: true; readonly schema: JsonObject; readonly repairs?: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Repairs what real servers send: one bad schema never costs the list. Bounded; never throws. */
export function checkSchema(raw: unknown, limits: SchemaLimits): SchemaCheck {
  const repairs = new Repairs(limits);
  try {
    const mended = mendSchema(mendDialect(asObject(raw, repairs), repairs), repairs);
    // Repaired JSON is JSON.
    const schema = asArguments(mended, repairs) as JsonObject;
    const { sentences } = repairs;
    return sentences.length === 0 ? { ok: true, schema } : { ok: true, schema, repairs: sentences };
  } catch (error) {
    if (error instanceof Hopeless) return { ok: false, reason: error.message };
    // Only non-JSON values get here, such as getters that throw.
    return { ok: false, reason: 'The schema could not be read.' };
  }
}

function asObject(raw: unknown, repairs: Repairs): Schema {
  if (isObject(raw)) return isPropertyTable(raw) ? wrap(raw, repairs) : raw;
  if (raw === undefined || raw === null || raw === true || (Array.isArray(raw) && raw.length === 0)) {
    repairs.add('was missing: the tool is offered without arguments');
    return { type: 'object', properties: {} };
  }
  if (raw === false) throw new Hopeless('The schema accepts no arguments at all, not even none.');
  throw new Hopeless('The schema is not an object.');
}

/** Bare fields: `{ "city": { "type": "string" } }`. */
function isPropertyTable(raw: Schema): boolean {
  const keys = Object.keys(raw);
  return (
    keys.length > 0 &&
    !('type' in raw && typeof raw['type'] !== 'object') &&
    keys.every((key) => !isOurKeyword(key, raw[key]) && isObject(raw[key]) && 'type' in raw[key])
  );
}

/** A field may be named like a keyword. */
function isOurKeyword(key: string, value: unknown): boolean {
  if (key.startsWith('$') || SCHEMA_MAP.has(key) || SCHEMA_LIST.has(key) || ONE_SCHEMA.has(key)) return true;
  return VALUE_KEYWORDS.has(key) && !isObject(value);
}

function wrap(raw: Schema, repairs: Repairs): Schema {
  repairs.add('was a bare table of fields');
  return { type: 'object', properties: raw };
}

/** Arguments are always an object (MCP specification, tools). */
function asArguments(schema: Schema, repairs: Repairs): Schema {
  const { type } = schema;
  if (type === 'object') return schema;
  if (type === undefined) repairs.add('did not say that it describes an object');
  else if (Array.isArray(type) && type.includes('object'))
    repairs.add('allowed arguments other than an object');
  else
    throw new Hopeless(`The schema describes ${JSON.stringify(type)}, and arguments are always an object.`);
  const typed = { ...schema, type: 'object' };
  // The default may not fit the new type.
  return settle(typed, { before: typed, place: 'root', repairs, tuples: hasTuples(typed) });
}
