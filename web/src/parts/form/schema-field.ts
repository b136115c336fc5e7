import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import { isObject, type JsonObject } from '../../../../src/base/json.ts';
import type { FieldSpec, FieldValue } from './field-spec.ts';

interface Property {
  readonly id: string;
  readonly key: string;
  readonly parents: readonly string[];
  readonly schema: JsonObject;
  readonly required: boolean;
}

/** One property of a JSON Schema as a field. */
export function fieldOfSchema({ id, key, parents, schema, required }: Property): FieldSpec {
  const shape = shapeOf(schema);
  const preset = presetOf(shape, schema['default']);
  const title = text(schema['title']) ?? key;
  const description = text(schema['description']);
  return {
    id,
    label: showHidden([...parents, title].join(' › ')),
    required,
    ...(description === undefined ? {} : { description: showHidden(description) }),
    ...(preset === undefined ? {} : { preset }),
    ...shape,
  };
}

type Shape = Omit<FieldSpec, 'id' | 'label' | 'required'>;

function shapeOf(schema: JsonObject): Shape {
  const choices = choicesOf(schema);
  if (choices) return { kind: 'choice', ...choices };
  switch (typeOf(schema)) {
    case 'string':
      return shapeOfText(schema);
    case 'number':
      return { kind: 'number', ...bounds(schema, 'minimum', 'maximum') };
    case 'integer':
      return { kind: 'number', integer: true, ...bounds(schema, 'minimum', 'maximum') };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return shapeOfArray(schema);
    case undefined:
    default:
      return { kind: 'json' };
  }
}

/** `string`, or `["string", "null"]`: what may be left out need not be null. */
function typeOf({ type }: JsonObject): string | undefined {
  if (typeof type === 'string') return type;
  const others = Array.isArray(type) ? type.filter((one) => one !== 'null') : [];
  return others.length === 1 ? text(others[0]) : undefined;
}

function shapeOfText(schema: JsonObject): Shape {
  const { format, pattern, maxLength } = schema;
  const isLong = typeof maxLength === 'number' && maxLength > LONG_CHARS;
  return {
    kind: format === 'password' || schema['writeOnly'] === true ? 'secret' : isLong ? 'long-text' : 'text',
    ...bounds(schema, 'minLength', 'maxLength'),
    ...(typeof pattern === 'string' ? { pattern } : {}),
    ...(isFormat(format) ? { format } : {}),
  };
}

const LONG_CHARS = 300;

function isFormat(format: unknown): format is NonNullable<FieldSpec['format']> {
  return format === 'email' || format === 'uri' || format === 'date' || format === 'date-time';
}

function shapeOfArray(schema: JsonObject): Shape {
  const items: JsonObject = isObject(schema['items']) ? schema['items'] : {};
  const count = bounds(schema, 'minItems', 'maxItems');
  const choices = choicesOf(items);
  if (choices) return { kind: 'choices', ...choices, ...count };
  return typeOf(items) === 'string' ? { kind: 'list', ...count } : { kind: 'json' };
}

type Choices = Pick<FieldSpec, 'choices' | 'jsonChoices'>;

/** `enum`, `enumNames` beside it, or `oneOf`/`anyOf` of constants with titles. */
function choicesOf(schema: JsonObject): Choices | undefined {
  const names = Array.isArray(schema['enumNames']) ? schema['enumNames'] : [];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) {
    return written(schema['enum'].map((value, at) => ({ value, title: text(names[at]) })));
  }
  for (const several of [schema['oneOf'], schema['anyOf']]) {
    if (!Array.isArray(several) || several.length === 0) continue;
    if (!several.every((one) => isObject(one) && 'const' in one)) continue;
    return written(several.map((one) => ({ value: one['const'], title: text(one['title']) })));
  }
  return undefined;
}

function written(all: readonly { readonly value: unknown; readonly title: string | undefined }[]): Choices {
  const plain = all.every(({ value }) => typeof value === 'string' && value !== '');
  return {
    choices: all.map(({ value, title }) => ({
      value: plain ? String(value) : JSON.stringify(value),
      label: showHidden(title ?? (typeof value === 'string' ? value : JSON.stringify(value))),
    })),
    ...(plain ? {} : { jsonChoices: true }),
  };
}

function presetOf({ kind, jsonChoices }: Shape, preset: unknown): FieldValue | undefined {
  if (preset === undefined || preset === null) return undefined;
  const one = (value: unknown): string =>
    typeof value === 'string' && !jsonChoices ? value : JSON.stringify(value);
  if (kind === 'json') return JSON.stringify(preset, undefined, 2);
  if (kind === 'boolean') return preset === true;
  if (kind === 'list' || kind === 'choices') return Array.isArray(preset) ? preset.map(one) : undefined;
  return one(preset);
}

function bounds(schema: JsonObject, least: string, most: string): Pick<FieldSpec, 'min' | 'max'> {
  const min = schema[least];
  const max = schema[most];
  return {
    ...(typeof min === 'number' ? { min } : {}),
    ...(typeof max === 'number' ? { max } : {}),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
