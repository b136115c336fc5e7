import { isObject, type Json, type JsonObject } from '../../base/json.ts';

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
