import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import { wordSet } from '../word-set.ts';
import { limits } from '../../base/limits.ts';
import { followPointer, type Schema, listOf } from '../schemas/positions.ts';
import { adaptSchema, flattenTop } from './adapt-schema.ts';
import { GEMINI_FORMATS, PROVIDER_LIMITS } from './provider-limits.ts';

const PARTS_MAX = 100;

export interface GeminiParameters {
  /** Absent without arguments, as the API wants it. */
  readonly parameters?: JsonObject;
  readonly lost: readonly string[];
}

/** A subset of OpenAPI 3.0: no references, one type, only text in `enum`; the rest goes into descriptions. */
export function geminiParameters(checked: JsonObject): GeminiParameters {
  const { schema, lost } = adaptSchema(checked, PROVIDER_LIMITS.gemini);
  const parameters = convert(schema, { root: schema, left: limits.inlinedSchemasMax, depth: 0 }, 0);
  return isObject(parameters['properties']) ? { parameters, lost } : { lost };
}

interface Walk {
  readonly root: Schema;
  /** References can multiply a schema. */
  left: number;
  depth: number;
}

function convert(value: unknown, walk: Walk, refs: number): JsonObject {
  walk.left -= 1;
  if (!isObject(value)) return { type: 'STRING' };
  if (walk.left < 0 || walk.depth > limits.schemaDepthMax) return cutOff(value);
  walk.depth += 1;
  const converted = convertObject(value, walk, refs);
  walk.depth -= 1;
  return converted;
}

function convertObject(value: Schema, walk: Walk, refs: number): JsonObject {
  const ref = value['$ref'];
  if (typeof ref === 'string') return convertRef(value, ref, walk, refs);
  if (Array.isArray(value['allOf'])) return convert(merged(value, value['allOf'], walk.root), walk, refs);
  const branches = value['anyOf'] ?? value['oneOf'];
  if (Array.isArray(branches)) return convertBranches(value, branches, walk, refs);
  const { type } = value;
  if (!Array.isArray(type)) return convertOne(value, walk, refs);
  const types = type.filter((each) => each !== 'null');
  const nullable = types.length < type.length ? { nullable: true } : {};
  if (types.length < 2) return convertOne({ ...value, type: types[0] ?? 'string', ...nullable }, walk, refs);
  return { anyOf: types.map((each) => convertOne({ ...value, type: each, ...nullable }, walk, refs)) };
}

function convertRef(schema: Schema, ref: string, walk: Walk, refs: number): JsonObject {
  const { $ref: _ref, ...siblings } = schema;
  const target = followPointer(walk.root, ref);
  if (!isObject(target)) return convert(siblings, walk, refs);
  if (refs < limits.inlinedRefsDepthMax) return convert({ ...target, ...siblings }, walk, refs + 1);
  return { ...cutOff(target), description: 'Nested further in the same way.' };
}

/** An array without `items` is refused. */
function cutOff(schema: Schema): JsonObject {
  const type = typeOf(schema) ?? 'object';
  if (type === 'null') return { type: 'STRING', nullable: true };
  return { type: type.toUpperCase(), ...(type === 'array' ? { items: { type: 'STRING' } } : {}) };
}

/** Fields are merged; of other keywords the first counts. */
function merged(schema: Schema, parts: readonly unknown[], root: Schema): Schema {
  const { allOf: _all, ...own } = schema;
  const wholes = parts.slice(0, PARTS_MAX).flatMap((part): Schema[] => {
    if (!isObject(part)) return [];
    const ref = typeof part['$ref'] === 'string' ? followPointer(root, part['$ref']) : undefined;
    return [{ ...(isObject(ref) ? ref : {}), ...without(part, '$ref') }];
  });
  // The last of equal keys wins.
  const all = [...wholes.toReversed(), own];
  const properties = Object.fromEntries(all.flatMap((each) => Object.entries(fieldsOf(each))));
  const required = [...new Set(all.flatMap((each) => listOf(each['required'])))];
  return {
    ...Object.fromEntries(all.flatMap((each) => Object.entries(each))),
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** The API takes nothing beside `anyOf`: the rest moves into each branch. */
function convertBranches(schema: Schema, all: readonly unknown[], walk: Walk, refs: number): JsonObject {
  const { anyOf: _any, oneOf: _one, ...own } = schema;
  const branches = all.filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  const nullable = branches.length < all.length ? { nullable: true } : {};
  if (branches.length === 0) return convertOne({ ...own, ...nullable }, walk, refs);
  if (branches.length === 1) return convert(merged({ ...own, ...nullable }, branches, walk.root), walk, refs);
  if (isObject(own['properties'])) {
    const { schema: flat, lost } = flattenTop(schema, walk.root);
    const description = [own['description'], ...lost].filter(isText).join(' ');
    return convertOne({ ...flat, description }, walk, refs);
  }
  const shared = { ...nullable, ...(isText(own['description']) ? { description: own['description'] } : {}) };
  const converted = branches.map((branch) =>
    convert(isObject(branch) ? { ...shared, ...branch } : shared, walk, refs),
  );
  // Nested choices are flattened.
  return {
    anyOf: converted.flatMap((each) => (Array.isArray(each['anyOf']) ? (each['anyOf'] as Json[]) : [each])),
  };
}

function convertOne(schema: Schema, walk: Walk, refs: number): JsonObject {
  const type = typeOf(schema) ?? 'string';
  const said = isText(schema['description']) ? [schema['description']] : [];
  const description = [...said, ...lostWords(schema, type)].join(' ');
  return {
    type: type === 'null' ? 'STRING' : type.toUpperCase(),
    ...(isText(schema['title']) ? { title: schema['title'] } : {}),
    ...(description === '' ? {} : { description }),
    ...(schema['nullable'] === true || type === 'null' ? { nullable: true } : {}),
    // Parts of JSON are JSON.
    ...(schema['default'] === undefined || schema['default'] === null
      ? {}
      : { default: schema['default'] as Json }),
    ...byType(schema, type, walk, refs),
  };
}

function byType(schema: Schema, type: string, walk: Walk, refs: number): JsonObject {
  const format = (GEMINI_FORMATS[type] ?? []).find((each) => each === schema['format']);
  switch (type) {
    case 'string':
      return {
        ...(format ? { format } : {}),
        ...choices(schema),
        ...kept(schema, ['minLength', 'maxLength', 'pattern']),
      };
    case 'integer':
    case 'number':
      return { ...(format ? { format } : {}), ...bounds(schema, type) };
    case 'array': {
      const first = Array.isArray(schema['prefixItems'])
        ? (schema['prefixItems'] as unknown[])[0]
        : undefined;
      const items = isObject(schema['items']) ? schema['items'] : first;
      return { items: convert(items, walk, refs), ...kept(schema, ['minItems', 'maxItems']) };
    }
    case 'object':
      return fields(schema, walk, refs);
    default:
      return {};
  }
}

function fields(schema: Schema, walk: Walk, refs: number): JsonObject {
  const own = Object.entries(fieldsOf(schema));
  if (own.length === 0) return {};
  const properties = Object.fromEntries(own.map(([name, field]) => [name, convert(field, walk, refs)]));
  const isField = (name: unknown): boolean => isText(name) && Object.hasOwn(properties, name);
  const required = listOf(schema['required']).filter(isField);
  return {
    properties,
    ...(required.length === 0 ? {} : { required: required as string[] }), // as just filtered
    ...kept(schema, ['minProperties', 'maxProperties']),
  };
}

function choices(schema: Schema): JsonObject {
  const all = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  // An empty choice is refused.
  const texts = all.filter((each) => isText(each) && each !== '');
  return texts.length === 0 ? {} : { enum: texts as string[] };
}

function bounds(schema: Schema, type: string): JsonObject {
  const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  return {
    ...(type === 'integer' && Number.isInteger(above) ? { minimum: Number(above) + 1 } : {}),
    ...(type === 'integer' && Number.isInteger(below) ? { maximum: Number(below) - 1 } : {}),
    ...kept(schema, ['minimum', 'maximum']),
  };
}

function typeOf(schema: Schema): string | undefined {
  const { type } = schema;
  if (isText(type)) return type;
  if (Array.isArray(type)) return type.find((each) => isText(each) && each !== 'null');
  if ('properties' in schema || 'additionalProperties' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return 'number';
  return undefined;
}

function kept(schema: Schema, keywords: readonly string[]): JsonObject {
  // Parts of JSON are JSON.
  return Object.fromEntries(
    keywords.flatMap((key) => (schema[key] === undefined ? [] : [[key, schema[key] as Json]])),
  );
}

function fieldsOf(schema: Schema): Record<string, unknown> {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function without(schema: Schema, keyword: string): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Keywords the API lacks; a model can follow them when told. */
const TOLD: ReadonlySet<string> = wordSet(
  `multipleOf not if then else patternProperties propertyNames contains minContains maxContains uniqueItems
  prefixItems dependentRequired dependentSchemas dependencies`,
);

function lostWords(schema: Schema, type: string): readonly string[] {
  const told = Object.entries(schema).filter(([key, value]) => isLost(key, value, type));
  if (told.length === 0) return [];
  const text = JSON.stringify(Object.fromEntries(told));
  const cut = text.length > limits.lostRuleCharsMax ? `${text.slice(0, limits.lostRuleCharsMax)}…` : text;
  return [`Rules: ${cut}`];
}

function isLost(key: string, value: unknown, type: string): boolean {
  switch (key) {
    case 'format':
      return !(GEMINI_FORMATS[type] ?? []).includes(String(value));
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return !(type === 'integer' && Number.isInteger(value));
    case 'enum':
      return type !== 'string' || (Array.isArray(value) && value.some((each) => typeof each !== 'string'));
    case 'const':
      return type !== 'string' || typeof value !== 'string' || value === '';
    case 'additionalProperties':
      return isObject(value);
    default:
      return TOLD.has(key);
  }
}
