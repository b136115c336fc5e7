/** Letters per fingerprint: three or four words, rarely equal by chance. */
export const PRINT_LETTERS = 16;
/** Winnowing: of this many in a row the smallest is kept, so that equal stretches share one. */
export const PRINT_WINDOW = 10;

/** Buffers come with the first text: most hubs of a team never look at one. */
const BUFFER_MIN = 4_096;

function bufferSize(length: number): number {
  return Math.max(BUFFER_MIN, 2 ** Math.ceil(Math.log2(length)));
}

/** One fingerprint per letter, with two hashes against chance matches. Buffers are reused. */
export class Prints {
  hashes: Uint32Array = new Uint32Array(0);
  checks: Uint32Array = new Uint32Array(0);
  chosen: Uint32Array = new Uint32Array(0);
  own: Uint8Array = new Uint8Array(0);
  length = 0;

  read(codes: Uint16Array, length: number): void {
    if (length > this.hashes.length) this.#grow(length);
    const { hashes, checks } = this;
    let first = 0;
    let second = 0;
    for (let index = 0; index < length; index += 1) {
      const code = codes[index] ?? 0;
      first = (Math.imul(first, BASE_1) + code) | 0;
      second = (Math.imul(second, BASE_2) + code) | 0;
      const place = index - PRINT_LETTERS + 1;
      if (place < 0) continue;
      hashes[place] = mix(first);
      checks[place] = second;
      const gone = codes[place] ?? 0;
      first = (first - Math.imul(gone, TOP_1)) | 0;
      second = (second - Math.imul(gone, TOP_2)) | 0;
    }
    this.length = Math.max(0, length - PRINT_LETTERS + 1);
  }

  /** Fills `chosen` and returns the count. Equal stretches choose equal places. */
  choose(): number {
    const { hashes, chosen, length } = this;
    let count = 0;
    if (length === 0) return 0;
    let best = -1;
    for (let end = Math.min(PRINT_WINDOW, length); end <= length; end += 1) {
      const start = Math.max(0, end - PRINT_WINDOW);
      if (best >= start) {
        if ((hashes[end - 1] ?? 0) > (hashes[best] ?? 0)) continue;
        best = end - 1;
      } else {
        best = start;
        for (let place = start + 1; place < end; place += 1) {
          if ((hashes[place] ?? 0) <= (hashes[best] ?? 0)) best = place;
        }
      }
      chosen[count] = best;
      count += 1;
    }
    return count;
  }

  #grow(length: number): void {
    const size = bufferSize(length);
    this.hashes = new Uint32Array(size);
    this.checks = new Uint32Array(size);
    this.chosen = new Uint32Array(size);
    this.own = new Uint8Array(size);
  }
}

const BASE_1 = 0x01_00_01_93;
const BASE_2 = 0x2c_1b_3c_6d;
const TOP_1 = power(BASE_1, PRINT_LETTERS - 1);
const TOP_2 = power(BASE_2, PRINT_LETTERS - 1);

function power(base: number, exponent: number): number {
  let answer = 1;
  for (let count = 0; count < exponent; count += 1) answer = Math.imul(answer, base);
  return answer;
}

/** Spreads the hash over all bits, for a fair minimum. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7f_eb_35_2d);
  const twice = Math.imul(once ^ (once >>> 15), 0x84_6c_a6_8b);
  return twice ^ (twice >>> 16);
}

export class TextPrints {
  readonly letters: Letters = new Letters();
  readonly prints: Prints = new Prints();

  read(given: string): string {
    const text = this.letters.read(given);
    this.prints.read(this.letters.codes, this.letters.length);
    return text;
  }

  /** Prints that identify the text; of a short one all. */
  choose(onPrint: (hash: number, check: number) => void): void {
    const { hashes, checks, chosen, length } = this.prints;
    const all = length <= 2 * PRINT_WINDOW;
    const count = all ? length : this.prints.choose();
    for (let index = 0; index < count; index += 1) {
      const place = all ? index : (chosen[index] ?? 0);
      onPrint(hashes[place] ?? 0, checks[place] ?? 0);
    }
  }
}

/** A text for comparison: lower-case letters and digits only. Buffers are reused. */
export class Letters {
  #codes = new Uint16Array(0);
  #places = new Uint32Array(0);
  length = 0;

  get codes(): Uint16Array {
    return this.#codes;
  }

  get places(): Uint32Array {
    return this.#places;
  }

  read(given: string): string {
    // Most texts are ASCII and need no normalization.
    const text = ASCII.test(given) ? given : given.normalize('NFKC');
    if (text.length > this.#codes.length) this.#grow(text.length);
    const codes = this.#codes;
    const places = this.#places;
    let count = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      const folded = code < 128 ? (FOLDED[code] ?? 0) : foldWide(code);
      if (folded === 0) {
        // In JSON and code a line break is a backslash and a letter.
        if (code === BACKSLASH && isBreak(text.charCodeAt(index + 1))) index += 1;
        // Every address begins like this.
        else if (code === COLON && text.startsWith('://', index)) count -= schemeBefore(text, index);
        continue;
      }
      codes[count] = folded;
      places[count] = index;
      count += 1;
    }
    this.length = count;
    return text;
  }

  hasWords(): boolean {
    let digits = 0;
    for (let index = 0; index < this.length; index += 1) if ((this.#codes[index] ?? 0) <= NINE) digits += 1;
    return digits * 2 < this.length;
  }

  #grow(length: number): void {
    const size = bufferSize(length);
    this.#codes = new Uint16Array(size);
    this.#places = new Uint32Array(size);
  }
}

// oxlint-disable-next-line no-control-regex -- “everything but ASCII” begins at its control characters.
const ASCII = /^[\u0000-\u007f]*$/;
const BACKSLASH = 92;
const COLON = 58;
const NINE = 57;

const FOLDED = Uint8Array.from({ length: 128 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return /[a-z0-9]/.test(lower) ? lower.charCodeAt(0) : 0;
});

function schemeBefore(text: string, end: number): number {
  if (text.slice(Math.max(0, end - 5), end).toLowerCase() === 'https') return 5;
  return text.slice(Math.max(0, end - 4), end).toLowerCase() === 'http' ? 4 : 0;
}

function isBreak(code: number): boolean {
  return code === 110 || code === 114 || code === 116; // n, r, t
}

/** Spaces, punctuation and invisible characters beyond ASCII are ignored. */
function foldWide(code: number): number {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba ? code : 0;
  if (code >= 0x20_00 && code <= 0x20_6f) return 0;
  if (code >= 0x30_00 && code <= 0x30_04) return 0;
  if (code >= 0x30_08 && code <= 0x30_20) return 0;
  if ((code >= 0xfe_00 && code <= 0xfe_0f) || code === 0xfe_ff || code === 0xdb_40) return 0;
  const lower = LOWER.get(code);
  if (lower !== undefined) return lower;
  const folded = String.fromCharCode(code).toLowerCase();
  const answer = folded.length === 1 ? folded.charCodeAt(0) : code;
  LOWER.set(code, answer);
  return answer;
}

/** At most 65,536 entries. */
const LOWER = new Map<number, number>();
