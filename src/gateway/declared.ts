import { isObject, type JsonObject } from '../base/json.ts';

/**
 * What modern hosts say in every request that they can do, as one object for all requests that say
 * the same: what is made from it further on is then made once, not for every call.
 */
export class Declared {
  readonly #known = new Map<string, JsonObject>();

  of(capabilities: unknown): JsonObject {
    if (!isObject(capabilities)) return NOTHING;
    const text = JSON.stringify(capabilities);
    if (text === '{}') return NOTHING;
    const given = capabilities as JsonObject; // it came as JSON
    if (text.length > CHARS_KEPT_MAX) return given;
    const known = this.#known.get(text);
    if (known) return known;
    // There are as many as kinds of hosts; a flood of new ones must not stay.
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(text, given);
    return given;
  }
}

const NOTHING: JsonObject = {};
const KNOWN_MAX = 256;
const CHARS_KEPT_MAX = 4_000;
