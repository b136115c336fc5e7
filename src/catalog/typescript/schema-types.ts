import { isObject } from '../../base/json.ts';
import { followPointer } from '../schemas/positions.ts';
import { arrayType } from './array-type.ts';
import { typescriptLimits as limits } from './limits.ts';
import { valueType } from './literals.ts';
import { objectType } from './object-type.ts';
import { atom, intersectionOf, UNKNOWN, unionOf, type TypeText } from './type-text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Where in a type we are. */
export interface Place {
  readonly depth: number;
  /** Spaces before a line of this type. */
  readonly indent: string;
  /** References that were followed without entering a field or an item: one of them again is a circle. */
  readonly followed: ReadonlySet<string>;
}

export interface SchemaTypesOptions {
  /** The document that references point into. */
  readonly root: Schema;
  /** How the types of its definitions are called: `PREFIX_Name`. */
  readonly prefix: string;
  /** Names of types that are in use already; new ones are added. */
  readonly taken: Set<string>;
}

/**
 * Types for a JSON Schema of any usual dialect (draft-07 to 2020-12, and OpenAPI's `nullable`).
 * What cannot be said in TypeScript (`not`, `if`, patterns) is left out. What is referred to gets a
 * name, so that recursion ends.
 */
export class SchemaTypes {
  /** `type NAME = …;` for everything that was referred to. */
  readonly declarations: string[] = [];
  readonly #options: SchemaTypesOptions;
  readonly #names = new Map<string, string>();
  #looked = 0;

  constructor(options: SchemaTypesOptions) {
    this.#options = options;
  }

  typeOf(schema: unknown, place: Place): TypeText {
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
      // Of a longer list the rest would be missing from the union.
      if (keyword === 'allOf') parts.push(...types);
      else parts.push(list.length > types.length ? UNKNOWN : unionOf(types));
    }
    const type = intersectionOf(parts);
    return schema['nullable'] === true ? unionOf([type, atom('null')]) : type;
  }

  #own(schema: Schema, place: Place): TypeText {
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

  #named(name: unknown, schema: Schema, place: Place): TypeText {
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

  #referred(schema: Schema, place: Place): TypeText {
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

/** What a schema says it describes, or what its keywords tell. */
function typesOf({ type, ...schema }: Schema): readonly unknown[] {
  if (Array.isArray(type)) return type;
  if (type !== undefined) return [type];
  if (OBJECT_WORDS.some((word) => word in schema)) return ['object'];
  return ARRAY_WORDS.some((word) => word in schema) ? ['array'] : [];
}

const OBJECT_WORDS = ['properties', 'required', 'additionalProperties', 'patternProperties'] as const;
const ARRAY_WORDS = ['items', 'prefixItems'] as const;
