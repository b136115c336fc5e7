import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { isDataName } from './data-names.ts';
import { learnedLimits as limits } from './limits.ts';
import { mergeShapes } from './merge-shapes.ts';

/**
 * The shape of a value as JSON Schema: types and names of properties. No value enters it, and no
 * name that looks like one.
 */
export function shapeOf(value: unknown): JsonObject {
  return new Look().at(value, 0);
}

class Look {
  #left: number = limits.valuesPerResultMax;

  at(value: unknown, depth: number): JsonObject {
    this.#left -= 1;
    if (depth > limits.depthMax || this.#left < 0) return {};
    if (value === null) return { type: 'null' };
    if (Array.isArray(value)) return this.#list(value, depth);
    if (isObject(value)) return this.#object(value, depth);
    if (typeof value === 'number') return { type: Number.isInteger(value) ? 'integer' : 'number' };
    return typeof value === 'string' || typeof value === 'boolean' ? { type: typeof value } : {};
  }

  #list(items: readonly unknown[], depth: number): JsonObject {
    const shapes = items.slice(0, limits.itemsMax).map((item) => this.at(item, depth + 1));
    const [first, ...others] = shapes;
    if (first === undefined) return { type: 'array' };
    return { type: 'array', items: others.reduce(mergeShapes, first) };
  }

  #object(object: Record<string, unknown>, depth: number): JsonObject {
    const names = Object.keys(object);
    if (names.length > limits.propertiesMax || names.some(isDataName)) {
      const values = names.slice(0, limits.itemsMax).map((name) => this.at(object[name], depth + 1));
      return { type: 'object', additionalProperties: values.reduce(mergeShapes, values[0] ?? {}) };
    }
    const shapes: [string, Json][] = names.map((name) => [name, this.at(object[name], depth + 1)]);
    return { type: 'object', properties: Object.fromEntries(shapes), required: names.toSorted() };
  }
}
