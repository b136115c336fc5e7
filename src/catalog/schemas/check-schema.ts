import { isObject, type JsonObject } from '../../base/json.ts';
import { hasTuples, mendDialect, settle } from './_settle.ts';
import { mendSchema } from './_mend.ts';
import { Hopeless, Repairs, type SchemaLimits } from './_repairs.ts';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from './positions.ts';
import { VALUE_KEYWORDS } from './_values.ts';

/** What came of a server's input schema. */
export type SchemaCheck =
  /** Without repairs it is the very object that was given. */
  | { readonly ok: true; readonly schema: JsonObject; readonly repairs?: readonly string[] }
  /** The tool is set aside; the reason is a sentence. */
  | { readonly ok: false; readonly reason: string };

/**
 * Mends what real servers send, so that one bad schema never costs the whole list. Nothing is
 * compiled, fetched or run on the way, and the work is bounded; it never throws.
 */
export function checkSchema(raw: unknown, limits: SchemaLimits): SchemaCheck {
  const repairs = new Repairs(limits);
  try {
    const mended = mendSchema(mendDialect(asObject(raw, repairs), repairs), repairs);
    // What was JSON and was mended with JSON is JSON.
    const schema = asArguments(mended, repairs) as JsonObject;
    const { sentences } = repairs;
    return sentences.length === 0 ? { ok: true, schema } : { ok: true, schema, repairs: sentences };
  } catch (error) {
    if (error instanceof Hopeless) return { ok: false, reason: error.message };
    // Only values that are not JSON get here, such as getters that throw.
    return { ok: false, reason: 'The schema could not be read.' };
  }
}

type Schema = Readonly<Record<string, unknown>>;

function asObject(raw: unknown, repairs: Repairs): Schema {
  if (isObject(raw)) return isPropertyTable(raw) ? wrap(raw, repairs) : raw;
  if (raw === undefined || raw === null || raw === true || (Array.isArray(raw) && raw.length === 0)) {
    repairs.add('was missing: the tool is offered without arguments');
    return { type: 'object', properties: {} };
  }
  if (raw === false) throw new Hopeless('The schema accepts no arguments at all, not even none.');
  throw new Hopeless('The schema is not an object.');
}

/** Some servers send the fields alone, as in `{ "city": { "type": "string" } }`. */
function isPropertyTable(raw: Schema): boolean {
  const keys = Object.keys(raw);
  return (
    keys.length > 0 &&
    !('type' in raw && typeof raw['type'] !== 'object') &&
    keys.every((key) => !isOurKeyword(key, raw[key]) && isObject(raw[key]) && 'type' in raw[key])
  );
}

/** A field may be called like a keyword: then its value is no value of that keyword. */
function isOurKeyword(key: string, value: unknown): boolean {
  if (key.startsWith('$') || SCHEMA_MAP.has(key) || SCHEMA_LIST.has(key) || ONE_SCHEMA.has(key)) return true;
  return VALUE_KEYWORDS.has(key) && !isObject(value);
}

function wrap(raw: Schema, repairs: Repairs): Schema {
  repairs.add('was a bare table of fields');
  return { type: 'object', properties: raw };
}

/** The arguments of a call are always an object (MCP specification, tools, `inputSchema`). */
function asArguments(schema: Schema, repairs: Repairs): Schema {
  const { type } = schema;
  if (type === 'object') return schema;
  if (type === undefined) repairs.add('did not say that it describes an object');
  else if (Array.isArray(type) && type.includes('object'))
    repairs.add('allowed arguments other than an object');
  else
    throw new Hopeless(`The schema describes ${JSON.stringify(type)}, and arguments are always an object.`);
  const typed = { ...schema, type: 'object' };
  // With its type, a default may have become a wrong one.
  return settle(typed, { before: typed, place: 'root', repairs, tuples: hasTuples(typed) });
}
