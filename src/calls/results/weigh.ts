import { ExactNumber } from '../../base/exact-number.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** Text includes structured content, names and unknown kinds. */
export interface Weight {
  readonly textBytes: number;
  readonly mediaBytes: number;
}

/** Sums lengths without serializing; stops soon after `enough`. */
export function weigh(result: JsonObject, enough: number): Weight {
  const scale = new Scale(enough, false);
  const weight = scale.result(result);
  // Bytes are counted exactly only where other alphabets could matter.
  if (scale.text > enough || scale.text * 3 <= enough) return weight;
  return new Scale(enough, true).result(result);
}

/** Approximate; at most a little more than `enough`. */
export function roughChars(value: unknown, enough: number): number {
  const scale = new Scale(enough, false);
  scale.value(value, 0);
  return scale.text;
}

/** Deeper values count as huge: recursion must not exhaust the stack. Servers' frames are never deeper. */
const DEPTH_MAX = limits.messageDepthMax;

class Scale {
  text = 0;
  media = 0;
  readonly #enough: number;
  readonly #exact: boolean;

  constructor(enough: number, exact: boolean) {
    this.#enough = enough;
    this.#exact = exact;
  }

  result(result: JsonObject): Weight {
    for (const key in result) {
      const field = result[key];
      if (key === 'content' && Array.isArray(field)) {
        for (let index = 0; index < field.length; index += 1) this.#block(field[index]);
      } else this.value(field, 1);
    }
    return { textBytes: this.text, mediaBytes: this.media };
  }

  #block(block: Json | undefined): void {
    const media = mediaOf(block);
    if (media === undefined) this.value(block, 2);
    else this.media += media.length; // what else such a block says is a few words
  }

  value(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      this.text += this.#exact ? Buffer.byteLength(value) : value.length;
    } else if (typeof value !== 'object' || value === null) this.text += 5;
    else if (value instanceof ExactNumber) this.text += value.source.length;
    else if (depth > DEPTH_MAX) this.text += this.#enough + 1;
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length && this.text <= this.#enough; index += 1) {
        this.text += 1;
        this.value(value[index], depth + 1);
      }
    } else {
      for (const key in value) {
        if (this.text > this.#enough) return;
        this.text += key.length + 4;
        this.value((value as Record<string, unknown>)[key], depth + 1); // any object can be read by its keys
      }
    }
  }
}

export function mediaOf(block: Json | undefined): string | undefined {
  if (!isObject(block)) return undefined;
  const { type, data, resource } = block;
  const blob = type === 'resource' && isObject(resource) ? resource['blob'] : undefined;
  const media = type === 'image' || type === 'audio' ? data : blob;
  return typeof media === 'string' ? media : undefined;
}
