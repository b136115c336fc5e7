import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { learnedLimits as limits } from './limits.ts';

/** An empty shape is anything, and stays so. */
export function mergeShapes(one: JsonObject, other: JsonObject): JsonObject {
  const types = [...new Set([...typesOf(one), ...typesOf(other)])];
  if (typesOf(one).length === 0 || typesOf(other).length === 0) return {};
  const named = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  const [only, ...more] = named.toSorted();
  return {
    type: more.length === 0 ? (only ?? 'null') : named.toSorted(),
    ...pick(one, other, 'array', mergeLists),
    ...pick(one, other, 'object', mergeObjects),
  };
}

function pick(
  one: JsonObject,
  other: JsonObject,
  type: 'array' | 'object',
  merge: (one: JsonObject, other: JsonObject) => JsonObject,
): JsonObject {
  const [here, there] = [typesOf(one).includes(type), typesOf(other).includes(type)];
  if (here && there) return merge(one, other);
  const said = here ? one : there ? other : {};
  const fields = type === 'array' ? ['items'] : ['properties', 'required', 'additionalProperties'];
  return Object.fromEntries(fields.flatMap((field) => (field in said ? [[field, said[field] ?? null]] : [])));
}

/** An empty list says nothing about its items. */
function mergeLists({ items: one }: JsonObject, { items: other }: JsonObject): JsonObject {
  if (isShape(one) && isShape(other)) return { items: mergeShapes(one, other) };
  const items = one ?? other;
  return items === undefined ? {} : { items };
}

function mergeObjects(one: JsonObject, other: JsonObject): JsonObject {
  const [here, there] = [propertiesOf(one), propertiesOf(other)];
  if (!here || !there || areKeyedByData(here, there)) {
    const values = [...valuesOf(one), ...valuesOf(other)];
    return { additionalProperties: values.reduce(mergeShapes, values[0] ?? {}) };
  }
  const names = [...new Set([...Object.keys(here), ...Object.keys(there)])];
  const properties = names.map((name): [string, Json] => {
    const [a, b] = [own(here, name), own(there, name)];
    return [name, isShape(a) && isShape(b) ? mergeShapes(a, b) : (a ?? b ?? {})];
  });
  const always = new Set(namesIn(other['required']));
  const required = namesIn(one['required']).filter((name) => always.has(name));
  return { properties: Object.fromEntries(properties), required };
}

/** Too many names, or none in common with equal types: the names are data. */
function areKeyedByData(one: JsonObject, other: JsonObject): boolean {
  const [a, b] = [Object.keys(one), Object.keys(other)];
  const common = a.filter((name) => Object.hasOwn(other, name)).length;
  if (a.length + b.length - common > limits.propertiesMax) return true;
  if (common > 0 || a.length === 0 || b.length === 0) return false;
  const shapes = [...Object.values(one), ...Object.values(other)];
  return new Set(shapes.map((shape) => (isShape(shape) ? JSON.stringify(typesOf(shape)) : ''))).size === 1;
}

/** A result may call a property `constructor`. */
function own(properties: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function propertiesOf({ properties }: JsonObject): JsonObject | undefined {
  return isShape(properties) ? properties : undefined;
}

function valuesOf(shape: JsonObject): readonly JsonObject[] {
  const { properties, additionalProperties } = shape;
  if (isShape(additionalProperties)) return [additionalProperties];
  return isShape(properties) ? Object.values(properties).filter(isShape) : [];
}

function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type];
  return namesIn(type);
}

function namesIn(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((name) => typeof name === 'string') : [];
}

function isShape(value: Json | undefined): value is JsonObject {
  return isObject(value);
}
