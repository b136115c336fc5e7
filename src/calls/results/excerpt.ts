import type { Json, JsonObject } from '../../base/json.ts';
import { ExactNumber } from '../../base/exact-number.ts';
import { cutText } from './cut.ts';
import { roughChars } from './weigh.ts';

/** A smaller value of the same shape, valid JSON; the same object if it is small enough. */
export function excerptOf(value: Json, charsMax: number): Json {
  return new Excerpt(charsMax).take(value, 0);
}

export function excerptOfObject(value: JsonObject, charsMax: number): JsonObject {
  return roughChars(value, charsMax) <= charsMax ? value : new Excerpt(charsMax).object(value, 0);
}

const LEFT_OUT = '…';
const DEPTH_MAX = 40;
/** One text may not use up the whole room. */
const TEXT_SHARE = 0.5;
const KEY_CHARS_MAX = 200;

class Excerpt {
  #room: number;

  constructor(charsMax: number) {
    this.#room = charsMax;
  }

  take(value: Json, depth: number): Json {
    const chars = roughChars(value, this.#room);
    if (chars <= this.#room) {
      this.#room -= chars;
      return value;
    }
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
    if (depth >= DEPTH_MAX) return `${LEFT_OUT} (deeper values left out)`;
    return Array.isArray(value) ? this.#list(value, depth) : this.object(value as JsonObject, depth); // no list, no null
  }

  #text(text: string): string {
    const shown = cutText(text, Math.max(0, Math.floor(this.#room * TEXT_SHARE)));
    this.#room -= shown.length;
    return `${shown}${LEFT_OUT} (${text.length - shown.length} more characters)`;
  }

  #list(list: readonly Json[], depth: number): Json {
    const shown: Json[] = [];
    for (const item of list) {
      if (this.#room <= 0) break;
      this.#room -= 1;
      shown.push(this.take(item, depth + 1));
    }
    const left = list.length - shown.length;
    return left === 0 ? shown : [...shown, `${LEFT_OUT} (${left} of ${list.length} items left out)`];
  }

  object(object: JsonObject, depth: number): JsonObject {
    const keys = Object.keys(object);
    const shown: [string, Json][] = [];
    for (const key of keys) {
      if (this.#room <= 0) break;
      this.#room -= Math.min(key.length, KEY_CHARS_MAX) + 4;
      const field = object[key];
      if (field !== undefined) shown.push([shortKey(key), this.take(field, depth + 1)]);
    }
    const left = keys.length - shown.length;
    if (left > 0) shown.push([LEFT_OUT, `${left} of ${keys.length} fields left out`]);
    // Unlike an assignment, this makes an own field of __proto__.
    return Object.fromEntries(shown);
  }
}

function shortKey(key: string): string {
  return key.length <= KEY_CHARS_MAX ? key : `${cutText(key, KEY_CHARS_MAX)}${LEFT_OUT}`;
}
