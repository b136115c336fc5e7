/**
 * A number of a JSON text that JavaScript would write differently: 9007199254740993, 1e400, -0, 1.0.
 * It is written as it was read, and reads as the nearest JavaScript number wherever one is expected.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The nearest finite number; what is not zero stays so, as schemas ask for signs and whole numbers. */
  get nearest(): number {
    const value = Number(this.source);
    if (value === Infinity) return Number.MAX_VALUE;
    if (value === -Infinity) return -Number.MAX_VALUE;
    if (value !== 0 || !/[1-9]/.test(this.source.split(/e/i, 1)[0] ?? '')) return value + 0;
    return this.source.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE;
  }

  /** The same text for every spelling of a number; that of JavaScript where JavaScript has the number. */
  get canonical(): string {
    const usual = String(this.nearest);
    const own = scientific(this.source);
    return scientific(usual) === own ? usual : own;
  }

  /** For `JSON.stringify`, which writes it as it is. */
  toJSON(): unknown {
    return rawJson(this.source);
  }

  toString(): string {
    return this.source;
  }

  valueOf(): number {
    return Number(this.source);
  }
}

/** In V8 since 11.4, so in every Node that we run on; TypeScript's library does not know it yet. */
const { rawJSON: rawJson, isRawJSON: isRawJson } = JSON as typeof JSON & {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => value is { readonly rawJSON: string };
};

/** What `JSON.stringify` has made of an exact number, in its canonical form; undefined for anything else. */
export function canonicalNumber(written: unknown): unknown {
  return isRawJson(written) ? rawJson(new ExactNumber(written.rawJSON).canonical) : undefined;
}

/** Digits without zeros at either end, and the exponent of the last one. */
function scientific(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = PARTS.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  if (significant === '') return '0';
  const dropped = digits.length - significant.length - fraction.length;
  // Reading a long one takes quadratic time; left as it is, it still equals itself.
  if (exponent.length > EXPONENT_CHARS_MAX) return text;
  return `${sign}${significant}e${BigInt(exponent) + BigInt(dropped)}`;
}

const EXPONENT_CHARS_MAX = 100;

const PARTS = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]\+?(-?\d+))?$/;

/** A loop: a pattern for zeros at the end takes quadratic time. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === ZERO) end -= 1;
  return digits.slice(0, end);
}

const ZERO = 0x30;

/** The JavaScript number in place of an exact one; anything else as it is. */
export function plainNumber(value: unknown): unknown {
  return value instanceof ExactNumber ? Number(value.source) : value;
}

/** A copy in which every number is JavaScript's, if there is any other; `read` says which one. */
export function withPlainNumbers<T>(
  value: T,
  read: (exact: ExactNumber) => number = (exact) => Number(exact.source),
): T {
  // The same shape: only numbers are replaced by numbers.
  return plainIn(value, read) as T;
}

function plainIn(value: unknown, read: (exact: ExactNumber) => number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return read(value);
  if (Array.isArray(value)) {
    let copy: unknown[] | undefined;
    for (const [at, item] of value.entries()) {
      const plain = plainIn(item, read);
      if (plain !== item) (copy ??= [...value])[at] = plain;
    }
    return copy ?? value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const plain = plainIn(item, read);
    // A spread makes every key an own field, `__proto__` included, so that setting it stays harmless.
    if (plain !== item) (copy ??= { ...value })[key] = plain;
  }
  return copy ?? value;
}

/** For a map by JSON-RPC id: the same for equal ids, however they are spelled. */
export function idKey(id: string | number | ExactNumber): string | number {
  if (!(id instanceof ExactNumber)) return id;
  const { canonical, nearest } = id;
  return canonical === String(nearest) ? nearest : `number ${canonical}`;
}
