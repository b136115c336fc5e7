import { isObject, type Json, type JsonObject } from '../../base/json.ts';

export class ForeignFields {
  readonly #raw: JsonObject;
  readonly #taken = new Set<string>();

  constructor(raw: JsonObject) {
    this.#raw = raw;
  }

  /** The first name with a value counts; null is no value. A dot goes one level down. */
  take(...names: readonly string[]): Json | undefined {
    for (const name of names) {
      const value = fieldAt(this.#raw, name);
      if (value === undefined || value === null) continue;
      this.#taken.add(name);
      return value;
    }
    return undefined;
  }

  peek(name: string): Json | undefined {
    return fieldAt(this.#raw, name);
  }

  rest(): JsonObject {
    let left = this.#raw;
    for (const name of this.#taken) left = withoutField(left, name);
    return left;
  }
}

function fieldAt(object: JsonObject, name: string): Json | undefined {
  const [head = '', ...tail] = name.split('.');
  const value = Object.hasOwn(object, head) ? object[head] : undefined;
  if (tail.length === 0) return value;
  return isJsonObject(value) ? fieldAt(value, tail.join('.')) : undefined;
}

export function withField(object: JsonObject, name: string, value: Json): JsonObject {
  const [head = '', ...tail] = name.split('.');
  if (tail.length === 0) return { ...object, [head]: value };
  const inner = object[head];
  return { ...object, [head]: withField(isJsonObject(inner) ? inner : {}, tail.join('.'), value) };
}

export function withoutField(object: JsonObject, name: string): JsonObject {
  const [head = '', ...tail] = name.split('.');
  const { [head]: inner, ...others } = object;
  if (tail.length === 0 || !isJsonObject(inner)) return others;
  const left = withoutField(inner, tail.join('.'));
  return Object.keys(left).length === 0 ? others : { ...object, [head]: left };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
