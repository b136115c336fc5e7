import { escapeHtml } from './escape-html.ts';
import type { Limits } from './limits.ts';

/**
 * Finds known values in one pass that skips most of the text (Wu and Manber): two characters tell how
 * far the next form can be. A close look is bounded by HEAD_CHARS, so the time is linear in the text
 * however many values are known and whatever a server writes to slow it down.
 */
export class KnownValues {
  readonly #limits: Limits;
  /** Least recently learned first; those go first when there are too many. */
  readonly #values = new Map<string, readonly string[]>();
  /** Learned but not looked for: a name may be the same word. */
  #spared: ReadonlySet<string> = new Set();
  #chars = 0;
  #index: Index | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#values.size;
  }

  /** No shorter text holds any of them. */
  get charsMin(): number {
    return this.#values.size === 0 ? Number.POSITIVE_INFINITY : this.#indexed().charsMin;
  }

  learn(value: string): void {
    const known = value.slice(0, this.#limits.redactedValueCharsMax);
    if (known.length < this.#limits.redactedCharsMin) return;
    const before = this.#values.get(known);
    const forms = before ?? formsOf(known, this.#limits.redactedCharsMin);
    // Moved to the end: the least recently learned comes first.
    this.#values.delete(known);
    this.#values.set(known, forms);
    if (before) return;
    this.#chars += charsOf(forms);
    this.#index = undefined;
    const { redactedValuesMax, redactedFormsCharsMax } = this.#limits;
    if (this.#values.size <= redactedValuesMax && this.#chars <= redactedFormsCharsMax) return;
    this.#forgetOldest(known);
  }

  /** From now on only these words (in lower case) stay readable. */
  spare(words: ReadonlySet<string>): void {
    this.#spared = words;
    this.#index = undefined;
  }

  /** The first hit at or after `from`; of several that begin there, the longest. */
  next(text: string, from: number): { readonly from: number; readonly to: number } | undefined {
    if (this.#values.size === 0) return undefined;
    const { leaps, byStart } = this.#indexed();
    for (let end = from + START_CHARS - 1; end < text.length;) {
      const leap = leaps[slotOf(text, end, leaps.length)] ?? 0; // every slot is there
      if (leap > 0) {
        end += leap;
        continue;
      }
      const at = end - START_CHARS + 1;
      const group = byStart.get(text.slice(at, at + START_CHARS));
      const to = group && endOfHit(text, at, group);
      if (to !== undefined) return { from: at, to };
      end += 1;
    }
    return undefined;
  }

  /** A quarter at once, so that the index is not rebuilt for each further value. */
  #forgetOldest(newest: string): void {
    const { redactedValuesMax, redactedFormsCharsMax } = this.#limits;
    for (const [value, forms] of this.#values) {
      const hasFewValues = this.#values.size <= redactedValuesMax * 0.75;
      if ((hasFewValues && this.#chars <= redactedFormsCharsMax * 0.75) || value === newest) return;
      this.#values.delete(value);
      this.#chars -= charsOf(forms);
    }
  }

  #indexed(): Index {
    this.#index ??= buildIndex(
      [...this.#values].flatMap(([value, forms]) => (this.#spared.has(value.toLowerCase()) ? [] : forms)),
    );
    return this.#index;
  }
}

const START_CHARS = 6;
/** So many characters decide; the rest of a longer form is covered as far as it agrees. */
const HEAD_CHARS = 64;
const LEAP_SLOTS_MIN = 1 << 10;
const LEAP_SLOTS_MAX = 1 << 16;
/** So many for each form: then few windows stop without need. */
const SLOTS_OF_FORM = 64;

/** Forms with the same start: their heads by length, longest first, each with the forms it begins. */
type Group = readonly (readonly [headChars: number, heads: ReadonlyMap<string, readonly string[]>])[];

interface Index {
  /** How far a window of START_CHARS may move, by the two characters at its end. */
  readonly leaps: Uint8Array;
  readonly byStart: ReadonlyMap<string, Group>;
  /** The length of the shortest head. */
  readonly charsMin: number;
}

function buildIndex(forms: readonly string[]): Index {
  const leaps = new Uint8Array(slotsFor(forms.length)).fill(START_CHARS - 1);
  const byStart = new Map<string, Map<number, Map<string, string[]>>>();
  let charsMin = Number.POSITIVE_INFINITY;
  for (const form of forms) {
    for (let end = 1; end < START_CHARS; end += 1) {
      const slot = slotOf(form, end, leaps.length);
      leaps[slot] = Math.min(leaps[slot] ?? 0, START_CHARS - 1 - end);
    }
    const head = form.slice(0, HEAD_CHARS);
    charsMin = Math.min(charsMin, head.length);
    const byLength = getOrAdd(byStart, form.slice(0, START_CHARS), () => new Map());
    const heads = getOrAdd(byLength, head.length, () => new Map<string, string[]>());
    getOrAdd(heads, head, (): string[] => []).push(form);
  }
  const groups = [...byStart].map(
    ([start, byLength]) => [start, [...byLength].toSorted(([a], [b]) => b - a)] as const,
  );
  return { leaps, byStart: new Map<string, Group>(groups), charsMin };
}

function endOfHit(text: string, at: number, group: Group): number | undefined {
  for (const [headChars, heads] of group) {
    const forms = heads.get(text.slice(at, at + headChars));
    if (forms) return Math.max(...forms.map((form) => agreeingEnd(text, at, form, headChars)));
  }
  return undefined;
}

/** A head alone already gives a secret away: it is covered even when the rest differs. */
function agreeingEnd(text: string, at: number, form: string, headChars: number): number {
  let length = headChars;
  while (length < form.length && text.charCodeAt(at + length) === form.charCodeAt(length)) length += 1;
  return at + length;
}

/** A power of two. A hub for each person of a team has few values of its own. */
function slotsFor(forms: number): number {
  const wanted = 2 ** Math.ceil(Math.log2(Math.max(forms, 1) * SLOTS_OF_FORM));
  return Math.min(Math.max(wanted, LEAP_SLOTS_MIN), LEAP_SLOTS_MAX);
}

function slotOf(text: string, end: number, slots: number): number {
  return (text.charCodeAt(end - 1) * 251 + text.charCodeAt(end)) & (slots - 1);
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

function charsOf(forms: readonly string[]): number {
  return forms.reduce((sum, form) => sum + form.length, 0);
}

/** How a value can appear: plain, in JSON, URLs, forms, HTML, base64, hexadecimal. Longest first. */
export function formsOf(value: string, charsMin: number): readonly string[] {
  const forms = new Set<string>();
  for (const text of [value, ...linesOf(value)]) {
    const bytes = Buffer.from(text);
    // As its bytes, as it comes out of a decoded text.
    const decoded = bytes.toString('latin1');
    for (const form of [...writtenForms(text), decoded, ...base64Forms(bytes), ...hexForms(bytes)]) {
      forms.add(form);
    }
  }
  return [...forms].filter((form) => form.length >= charsMin).toSorted((a, b) => b.length - a.length);
}

/** A key of several lines is often printed line by line. Its first and last line are not secret. */
function linesOf(value: string): readonly string[] {
  if (!value.includes('\n')) return [];
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_CHARS_MIN && !line.startsWith('-----'));
}

const LINE_CHARS_MIN = 16;

function writtenForms(text: string): readonly string[] {
  const json = inJson(text);
  const url = encodeURIComponent(text.toWellFormed());
  // Other encoders also escape these.
  const strict = url.replaceAll(/[!'()*~]/g, hexOf);
  return [
    text,
    json,
    inJson(json),
    json.replaceAll('/', String.raw`\/`),
    json.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ...[url, strict, encodeURI(text.toWellFormed())].flatMap((form) => [
      form,
      form.replaceAll('%20', '+'),
      form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    ]),
    new URLSearchParams([['', text]]).toString().slice(1),
    escapeHtml(text),
  ];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function hexOf(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Base64 of the value, and of it inside a longer text, as `user:password` in a Basic header. */
function base64Forms(bytes: Buffer): readonly string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const standard = [bytes.toString('base64'), ...inner];
  return standard.flatMap((text) => {
    const url = text.replaceAll('+', '-').replaceAll('/', '_');
    return [text, url, url.replace(/=+$/, ''), encodeURIComponent(text)];
  });
}

function hexForms(bytes: Buffer): readonly string[] {
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase()];
}
