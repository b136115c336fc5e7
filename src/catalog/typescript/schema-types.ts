import { isObject } from '../../base/json.ts';
import { followPointer, type Schema } from '../schemas/positions.ts';
import { typescriptLimits as limits } from './limits.ts';
import {
  arrayOf,
  atom,
  comment,
  firstSentence,
  intersectionOf,
  propertyKey,
  type TypeText,
  unionOf,
  UNKNOWN,
  valueType,
} from './literals.ts';

export interface TypePlace {
  readonly depth: number;
  readonly indent: string;
  /** References followed without entering a field or item: a repeat is a circle. */
  readonly followed: ReadonlySet<string>;
}

export interface SchemaTypesOptions {
  readonly root: Schema;
  readonly prefix: string;
  readonly taken: Set<string>;
}

/**
 * Draft-07 to 2020-12 and OpenAPI's `nullable`; `not`, `if` and patterns are left out. References become
 * named types, so that recursion ends.
 */
export class SchemaTypes {
  readonly declarations: string[] = [];
  readonly #options: SchemaTypesOptions;
  readonly #names = new Map<string, string>();
  #looked = 0;

  constructor(options: SchemaTypesOptions) {
    this.#options = options;
  }

  typeOf(schema: unknown, place: TypePlace): TypeText {
    if (schema === false) return atom('never');
    this.#looked += 1;
    if (!isObject(schema) || this.#looked > limits.schemasPerToolMax || place.depth > limits.schemaDepthMax)
      return UNKNOWN;
    const inner = { ...place, depth: place.depth + 1 };
    const parts = [this.#referred(schema, place), this.#own(schema, inner)];
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const list = schema[keyword];
      if (!Array.isArray(list) || list.length === 0) continue;
      const types = list.slice(0, limits.literalsMax).map((each) => this.typeOf(each, inner));
      // A truncated union would be wrong.
      if (keyword === 'allOf') parts.push(...types);
      else parts.push(list.length > types.length ? UNKNOWN : unionOf(types));
    }
    const type = intersectionOf(parts);
    return schema['nullable'] === true ? unionOf([type, atom('null')]) : type;
  }

  #own(schema: Schema, place: TypePlace): TypeText {
    if ('const' in schema) {
      const literal = valueType(schema['const']);
      if (literal !== undefined) return atom(literal);
    }
    const values = schema['enum'];
    if (Array.isArray(values) && values.length > 0 && values.length <= limits.literalsMax) {
      const literals = values.map((value) => valueType(value));
      if (!literals.includes(undefined))
        return unionOf(literals.map((literal) => atom(literal ?? 'unknown')));
    }
    const names = typesOf(schema).slice(0, limits.literalsMax);
    return names.length === 0 ? UNKNOWN : unionOf(names.map((name) => this.#named(name, schema, place)));
  }

  #named(name: unknown, schema: Schema, place: TypePlace): TypeText {
    const within = (inner: unknown, indent = place.indent): TypeText =>
      this.typeOf(inner, { depth: place.depth, indent, followed: new Set() });
    switch (name) {
      case 'string':
      case 'boolean':
      case 'null':
        return atom(name);
      case 'number':
      case 'integer':
        return atom('number');
      case 'array':
        return arrayType(schema, within);
      case 'object':
        return objectType(schema, place.indent, within);
      default:
        return UNKNOWN;
    }
  }

  #referred(schema: Schema, place: TypePlace): TypeText {
    const ref = schema['$ref'];
    if (typeof ref !== 'string' || place.followed.has(ref)) return UNKNOWN;
    const known = this.#names.get(ref);
    if (known !== undefined) return atom(known);
    const target = followPointer(this.#options.root, ref);
    if (target === undefined) return UNKNOWN;
    const name = this.#newName(ref);
    this.#names.set(ref, name);
    const followed = new Set([...place.followed, ref]);
    const { text } = this.typeOf(target, { depth: place.depth + 1, indent: '', followed });
    this.declarations.push(`type ${name} = ${text};`);
    return atom(name);
  }

  #newName(ref: string): string {
    const { prefix, taken } = this.#options;
    const last = ref
      .slice(ref.lastIndexOf('/') + 1, ref.length)
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
      .slice(0, limits.identifierCharsMax);
    const plain = `${prefix}_${/^_*$/.test(last) ? 'Root' : last}`;
    let name = plain;
    for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
    taken.add(name);
    return name;
  }
}

function typesOf({ type, ...schema }: Schema): readonly unknown[] {
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (OBJECT_WORDS.some((word) => word in schema)) return ['object'];
  return ARRAY_WORDS.some((word) => word in schema) ? ['array'] : [];
}

const OBJECT_WORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const;
const ARRAY_WORDS = ['items', 'prefixItems'] as const;

/** A tuple is `prefixItems`, or `items` as a list. */
function arrayType(schema: Readonly<Record<string, unknown>>, within: (item: unknown) => TypeText): TypeText {
  const { items, prefixItems, additionalItems, minItems } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = first === items ? additionalItems : items;
  const further = rest === undefined || rest === true ? UNKNOWN : within(rest);
  if (first.length === 0) return arrayOf(further);
  // Without a minimum, tuples are meant to be complete.
  const needed = typeof minItems === 'number' ? minItems : first.length;
  const texts = first.map((item, at) => {
    const { text, kind } = within(item);
    if (at < needed) return text;
    return kind === 'atom' ? `${text}?` : `(${text})?`;
  });
  const open = rest === false ? [] : [`...${arrayOf(further).text}`];
  return atom(`[${[...texts, ...open].join(', ')}]`);
}

type Within = (schema: unknown, indent?: string) => TypeText;

function objectType(schema: Schema, indent: string, within: Within): TypeText {
  const fields = fieldsOf(schema);
  const others = othersOf(schema, within);
  if (fields.length === 0) return others ?? atom(closed(schema) ? '{ [key: string]: never }' : OPEN);
  const lines = fields.map((field) => fieldText(field, `${indent}  `, within));
  // Only `unknown` fits beside any field.
  const isOpen = schema['additionalProperties'] === true;
  const all = isOpen ? [...lines, '[key: string]: unknown'] : lines;
  const type = atom(layOut(all, indent));
  return others === undefined || isOpen ? type : intersectionOf([type, others]);
}

interface Field {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

function fieldsOf({ properties, required }: Schema): readonly Field[] {
  const needed = new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []);
  const declared = isObject(properties) ? Object.entries(properties) : [];
  const undeclared = [...needed].filter((name) => !isObject(properties) || !Object.hasOwn(properties, name));
  return [
    ...declared.map(([name, schema]) => ({ name, schema, isRequired: needed.has(name) })),
    ...undeclared.map((name) => ({ name, schema: true, isRequired: true })),
  ];
}

function fieldText({ name, schema, isRequired }: Field, indent: string, within: Within): string {
  const about = isObject(schema) ? aboutField(schema) : '';
  const text = `${propertyKey(name)}${isRequired ? '' : '?'}: ${within(schema, indent).text}`;
  return about === '' ? text : `${comment(about)} ${text}`;
}

function aboutField(schema: Schema): string {
  const { description, format } = schema;
  const sentence =
    typeof description === 'string' ? firstSentence(description, limits.propertySentenceCharsMax) : '';
  const fallback = valueType(schema['default']);
  const facts = [
    typeof format === 'string' ? `format ${firstSentence(format, FACT_CHARS_MAX)}` : '',
    fallback === undefined || fallback.length > FACT_CHARS_MAX ? '' : `default ${fallback}`,
    ...BOUNDS.map(([keyword, words]) =>
      typeof schema[keyword] === 'number' ? `${words} ${schema[keyword]}` : '',
    ),
  ].filter((fact) => fact !== '');
  return [sentence, facts.join(', ')].filter((part) => part !== '').join(' — ');
}

function othersOf({ additionalProperties, patternProperties }: Schema, within: Within): TypeText | undefined {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const schemas = [...patterns, ...(isObject(additionalProperties) ? [additionalProperties] : [])];
  if (schemas.length === 0) return undefined;
  return atom(`{ [key: string]: ${unionOf(schemas.map((schema) => within(schema))).text} }`);
}

function closed({ additionalProperties, patternProperties }: Schema): boolean {
  return additionalProperties === false && patternProperties === undefined;
}

function layOut(lines: readonly string[], indent: string): string {
  const oneLine = `{ ${lines.join('; ')} }`;
  if (oneLine.length <= LINE_CHARS_MAX && !/\n|\/\*/.test(oneLine)) return oneLine;
  return `{\n${lines.map((line) => `${indent}  ${line};\n`).join('')}${indent}}`;
}

const OPEN = '{ [key: string]: unknown }';
const LINE_CHARS_MAX = 90;
const FACT_CHARS_MAX = 60;
const BOUNDS = [
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'less than'],
] as const;
