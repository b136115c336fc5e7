import { isObject, type Json, type JsonObject } from '../../../../src/base/json.ts';
import { fieldOfSchema } from './schema-field.ts';
import { isBlank, textOf, textsOf, valueOf, type FieldSpec, type FieldValues } from './field-spec.ts';

/**
 * The fields of a JSON Schema of an object: a tool's arguments, or what a server asks for. Objects
 * inside it are opened up twice; what no field fits becomes a field for JSON.
 */
export function fieldsOfSchema(schema: JsonObject): readonly FieldSpec[] {
  return fieldsUnder(schema, []);
}

const DEPTH_MAX = 2;

function fieldsUnder(schema: JsonObject, path: readonly string[], mustBeThere = true): readonly FieldSpec[] {
  const { properties, required } = schema;
  if (!isObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).flatMap(([key, property]) => {
    const here = [...path, key];
    const inner: JsonObject = isObject(property) ? property : {}; // a schema may be `true`
    const must = mustBeThere && needed.has(key);
    if (path.length < DEPTH_MAX && opensUp(inner)) return fieldsUnder(inner, here, must);
    return [fieldOfSchema({ id: idOf(here), key, parents: path, schema: inner, required: must })];
  });
}

/** An object whose parts are all known has fields of its own; any other is JSON. */
function opensUp({ type, properties, additionalProperties }: JsonObject): boolean {
  if (type !== 'object' || !isObject(properties) || Object.keys(properties).length === 0) return false;
  return !isObject(additionalProperties);
}

/** The arguments that a filled-in form stands for. What is blank is left out. */
export function argsOf(fields: readonly FieldSpec[], values: FieldValues): JsonObject {
  const args: Nested = {};
  for (const field of fields) {
    const value = jsonOf(field, values);
    if (value !== undefined) put(args, pathOf(field.id), value);
  }
  return args;
}

/** The other way: what a form shows for arguments that are there. */
export function valuesOfArgs(fields: readonly FieldSpec[], args: JsonObject): FieldValues {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = pathOf(field.id).reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), args);
      return value === undefined ? [] : [[field.id, shown(field, value)]];
    }),
  );
}

type Nested = { [key: string]: Json | Nested };

function put(into: Nested, [key = '', ...rest]: readonly string[], value: Json): void {
  if (rest.length === 0) {
    define(into, key, value);
    return;
  }
  if (!Object.hasOwn(into, key)) define(into, key, {});
  put(into[key] as Nested, rest, value); // made in the line above, or by another field below it
}

/** A property may be called `__proto__`: it is defined, never assigned. */
function define(into: Nested, key: string, value: Json | Nested): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

function jsonOf(field: FieldSpec, values: FieldValues): Json | undefined {
  const value = valueOf(field, values);
  if (value === undefined || isBlank(value)) return undefined;
  switch (field.kind) {
    case 'number':
      return Number(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true';
    case 'json':
      return JSON.parse(textOf(value)) as Json; // JSON.parse answers nothing else
    case 'choice':
      return choiceOf(field, textOf(value));
    case 'choices':
      return textsOf(value).map((one) => choiceOf(field, one));
    case 'list':
      return textsOf(value).filter((one) => one !== '');
    case 'text':
    case 'long-text':
    case 'secret':
    case 'file':
      break;
  }
  return textOf(value);
}

function choiceOf({ jsonChoices }: FieldSpec, text: string): Json {
  return jsonChoices ? (JSON.parse(text) as Json) : text; // written by fieldOfSchema as JSON
}

function shown(field: FieldSpec, value: unknown): FieldValues[string] {
  const written = (one: unknown): string =>
    typeof one === 'string' && !field.jsonChoices ? one : JSON.stringify(one);
  switch (field.kind) {
    case 'boolean':
      return value === true;
    case 'list':
    case 'choices':
      return Array.isArray(value) ? value.map(written) : [];
    case 'json':
      return JSON.stringify(value, undefined, 2);
    case 'text':
    case 'long-text':
    case 'secret':
    case 'number':
    case 'choice':
    case 'file':
      break;
  }
  return written(value);
}

/** `address.city`; a dot of a name's own is written %2E. */
function idOf(path: readonly string[]): string {
  return path.map((key) => key.replaceAll('%', '%25').replaceAll('.', '%2E')).join('.');
}

function pathOf(id: string): readonly string[] {
  return id.split('.').map((key) => key.replaceAll('%2E', '.').replaceAll('%25', '%'));
}
