/**
 * A text as it is compared: lower case, letters and digits only. Whatever changes case, spaces,
 * line breaks, quotes or punctuation leaves it the same. The buffers are used again by the next
 * text, so that reading costs no memory of its own.
 */
export class Letters {
  #codes = new Uint16Array(4_096);
  #places = new Uint32Array(4_096);
  length = 0;

  get codes(): Uint16Array {
    return this.#codes;
  }

  /** Where each letter stands in the text as it was given to `read`, normalized. */
  get places(): Uint32Array {
    return this.#places;
  }

  /** Answers the text that the places refer to. */
  read(given: string): string {
    // Two ways to write é, and wide letters, are one; most texts need no second look.
    const text = ASCII.test(given) ? given : given.normalize('NFKC');
    if (text.length > this.#codes.length) this.#grow(text.length);
    const codes = this.#codes;
    const places = this.#places;
    let count = 0;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      const folded = code < 128 ? (FOLDED[code] ?? 0) : foldWide(code);
      if (folded === 0) {
        // In JSON and in code a line break is written as a backslash and a letter.
        if (code === BACKSLASH && isBreak(text.charCodeAt(index + 1))) index += 1;
        // The beginning of an address is in every address.
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

  /** Whether it is no mere number or date. */
  hasWords(): boolean {
    let digits = 0;
    for (let index = 0; index < this.length; index += 1) if ((this.#codes[index] ?? 0) <= NINE) digits += 1;
    return digits * 2 < this.length;
  }

  #grow(length: number): void {
    const size = 2 ** Math.ceil(Math.log2(length));
    this.#codes = new Uint16Array(size);
    this.#places = new Uint32Array(size);
  }
}

// oxlint-disable-next-line no-control-regex -- “everything but ASCII” begins at its control characters.
const ASCII = /^[\u0000-\u007f]*$/;
const BACKSLASH = 92;
const COLON = 58;
const NINE = 57;

/** What each ASCII character counts as; 0: nothing. */
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

/** Spaces, punctuation and invisible characters beyond ASCII count as nothing. */
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

/** At most one entry for each of 65,536 code units. */
const LOWER = new Map<number, number>();
