import { ExactNumber } from './exact-number.ts';

export interface ShapeBounds {
  readonly depthMax: number;
  readonly itemsMax: number;
}

/** Why a JSON text is too deep or too wide to be parsed, or undefined when it is not. */
export function findShapeProblem(text: string, bounds: ShapeBounds): string | undefined {
  // Every bracket is closed: so short a text has neither the depth nor the width.
  if (text.length < 2 * bounds.depthMax && text.length < bounds.itemsMax) return undefined;
  return new ShapeScan(bounds).feed(text);
}

/** The same for a text in parts: it can be refused before all of it is in memory. */
export class ShapeScan {
  readonly #bounds: ShapeBounds;
  #depth = 0;
  #items = 0;
  #inString = false;
  #isEscaped = false;

  constructor(bounds: ShapeBounds) {
    this.#bounds = bounds;
  }

  /** Structure is ASCII: it reads the same in a text and in its UTF-8 bytes. */
  feed(part: string | Uint8Array): string | undefined {
    const { depthMax, itemsMax } = this.#bounds;
    const codeAt = typeof part === 'string' ? (at: number) => part.charCodeAt(at) : (at: number) => part[at];
    for (let at = 0; at < part.length; at += 1) {
      const code = codeAt(at);
      if (this.#inString) this.#readString(code);
      else if (code === QUOTE) this.#inString = true;
      else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        this.#depth += 1;
        if (this.#depth > depthMax) return `It is nested deeper than ${depthMax} levels.`;
      } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) this.#depth -= 1;
      else if (code === COMMA) {
        this.#items += 1;
        if (this.#items >= itemsMax) return `It has more than ${itemsMax} values.`;
      }
    }
    return undefined;
  }

  #readString(code: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#inString = false;
  }
}

/** `chars` is the length of the text that was parsed: a short one need not be walked. */
export function isDeeper(value: unknown, depthMax: number, chars = Infinity): boolean {
  return chars > 2 * depthMax && goesDeeper(value, depthMax);
}

/** Goes down only `left` levels, so that no depth can exhaust the stack. */
function goesDeeper(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return !(value instanceof ExactNumber);
  if (Array.isArray(value)) {
    for (const item of value) if (goesDeeper(item, left - 1)) return true;
    return false;
  }
  for (const key in value) {
    // Any object can be read by its keys.
    if (goesDeeper((value as Record<string, unknown>)[key], left - 1)) return true;
  }
  return false;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
