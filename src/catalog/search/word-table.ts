import { searchLimits } from './limits.ts';

/** What is known of ASCII words, found by their bytes: a word that was seen before needs no string. */
export class WordTable {
  /**
   * Open addressing. Four numbers for each word, which stand side by side in memory: its hash, the start
   * of its bytes, how many they are (0 for a free place), and what is known of it.
   */
  #entries = new Int32Array(FIELDS << 7);
  #bytes = new Uint8Array(1 << 9);
  #used = 0;
  #count = 0;
  /** Where the last word that wasn't found may be put; -1 where it may not. */
  #free = -1;

  get size(): number {
    return this.#count;
  }

  /** What was added for it; `unknownWord` for a word that isn't there. The hash is made with `hashByte`. */
  find(text: Uint8Array, from: number, to: number, hash: number): number {
    const entries = this.#entries;
    const length = to - from;
    this.#free = -1;
    if (length > searchLimits.tableWordBytesMax) return unknownWord;
    let at = this.#placeOf(hash);
    // A server may choose words of one hash: after a few, the word is looked up as a string instead.
    for (let probe = 0; probe < searchLimits.tableProbesMax; probe += 1) {
      const size = entries[at + LENGTH] ?? 0;
      if (size === 0) {
        this.#free = at;
        return unknownWord;
      }
      if (entries[at] === hash && size === length && this.#equals(entries[at + START] ?? 0, text, from, to))
        return entries[at + VALUE] ?? 0;
      at = (at + FIELDS) & (entries.length - 1);
    }
    return unknownWord;
  }

  /** After `find` of the same word. False where there is no place near its hash. */
  add(word: Uint8Array, hash: number, value: number): boolean {
    if (this.#free < 0) return false;
    const start = this.#used;
    this.#used += word.length;
    if (this.#used > this.#bytes.length) {
      const old = this.#bytes;
      this.#bytes = new Uint8Array(2 * this.#used);
      this.#bytes.set(old);
    }
    this.#bytes.set(word, start);
    this.#entries.set([hash, start, word.length, value], this.#free);
    this.#count += 1;
    if (2 * FIELDS * this.#count > this.#entries.length) this.#spread();
    return true;
  }

  clear(): void {
    this.#entries.fill(0);
    this.#used = 0;
    this.#count = 0;
  }

  #placeOf(hash: number): number {
    // The low bits of FNV depend on the low bits of the letters alone.
    return ((hash ^ (hash >>> 15)) * FIELDS) & (this.#entries.length - 1);
  }

  #equals(start: number, text: Uint8Array, from: number, to: number): boolean {
    const [bytes, offset] = [this.#bytes, start - from];
    for (let at = from; at < to; at += 1) if (bytes[offset + at] !== text[at]) return false;
    return true;
  }

  /** A word that finds no place near its hash any more is looked up as a string from then on. */
  #spread(): void {
    const old = this.#entries;
    this.#entries = new Int32Array(2 * old.length);
    for (let from = 0; from < old.length; from += FIELDS) {
      if (old[from + LENGTH] === 0) continue;
      let at = this.#placeOf(old[from] ?? 0);
      for (let probe = 0; probe < searchLimits.tableProbesMax; probe += 1) {
        if (this.#entries[at + LENGTH] === 0) {
          this.#entries.set(old.subarray(from, from + FIELDS), at);
          break;
        }
        at = (at + FIELDS) & (this.#entries.length - 1);
      }
    }
  }
}

/** FNV-1a, from 0. */
export function hashByte(hash: number, byte: number): number {
  return (Math.imul(hash ^ byte, 0x01000193) + 1) | 0;
}

export const unknownWord: number = -(2 ** 31);

const FIELDS = 4;
const START = 1;
const LENGTH = 2;
const VALUE = 3;
