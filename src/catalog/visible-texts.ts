import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { withoutHidden } from './hidden-text.ts';

/** Cleans titles and descriptions. Names and values stay: arguments are made of them. */
export function visibleTexts(value: JsonObject): JsonObject {
  return visible(value, 0) as JsonObject; // an object stays one
}

function visible(value: Json, depth: number): Json {
  if (Array.isArray(value)) return value.map((item: Json) => visible(item, depth + 1));
  if (!isObject(value)) return value;
  // Nobody reads that deep; an empty schema takes anything.
  if (depth > limits.flaggedDepthMax) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item = null]) => {
      if (typeof item === 'string') return [key, TEXTS.has(key) ? withoutHidden(item) : item];
      return [key, VALUES.has(key) ? item : visible(item, depth + 1)];
    }),
  );
}

const TEXTS: ReadonlySet<string> = new Set(['title', 'description', '$comment']);
/** JSON Schema 2020-12, validation: these hold data, not schemas. */
const VALUES: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);
