import type { Span, View } from './find-known.ts';

function eachRun(text: string, table: Uint8Array, charsMin: number, tell: (run: Span) => void): void {
  for (let run = nextRun(text, table, charsMin, 0); run; run = nextRun(text, table, charsMin, run.to))
    tell(run);
}

/** The next run of at least `charsMin` characters of a table: every `charsMin`-th is looked at first. */
function nextRun(text: string, table: Uint8Array, charsMin: number, begin: number): Span | undefined {
  let done = begin;
  for (let at = begin + charsMin - 1; at < text.length; at += charsMin) {
    if (!isIn(table, text.charCodeAt(at))) continue;
    let from = at;
    while (from > done && isIn(table, text.charCodeAt(from - 1))) from -= 1;
    let to = at + 1;
    while (to < text.length && isIn(table, text.charCodeAt(to))) to += 1;
    if (to - from >= charsMin) return { from, to };
    done = to;
    at = to;
  }
  return undefined;
}

/** Whether a text has a run that could be decoded, by either way below. */
export function hasLongRun(text: string, charsMin: number): boolean {
  return (
    nextRun(text, SEXTETS, lettersMinOf(charsMin), 0) !== undefined ||
    nextRun(text, DIGITS, charsMin * 2, 0) !== undefined
  );
}

/** Values plus one, by character code; 0 means “not in the table”. */
function tableOf(entries: Iterable<readonly [string, number]>): Uint8Array {
  const table = new Uint8Array(128);
  for (const [char, value] of entries) table[char.charCodeAt(0)] = value + 1;
  return table;
}

function isIn(table: Uint8Array, code: number): boolean {
  return code < 128 && table[code] !== 0;
}

function valueAt(table: Uint8Array, text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (table[code] ?? 0) - 1 : -1;
}

/** Decodes base64 that is readable text. Letters before it may shift it, so all four starts are tried. */
export function base64Views(text: string, charsMin: number, views: View[]): void {
  const lettersMin = lettersMinOf(charsMin);
  eachRun(text, SEXTETS, lettersMin, (run) => {
    for (let shift = 0; shift < GROUP; shift += 1) readableBase64(text, run, { shift, lettersMin }, views);
  });
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = tableOf([
  ...Array.from(ALPHABET, (char, value) => [char, value] as const),
  ['-', 62] as const,
  ['_', 63] as const,
]);

/** Four letters are three bytes. */
const GROUP = 4;
/** The length of base64 of base64 of the shortest hidden value. */
const BASE64_CHARS_MIN = 11;

function lettersMinOf(charsMin: number): number {
  return Math.max(BASE64_CHARS_MIN, Math.floor((charsMin * GROUP) / 3));
}

/** Parts in which every byte is below 128, as in any encoding that could be inside. */
function readableBase64(
  text: string,
  { from, to }: Span,
  { shift, lettersMin }: { readonly shift: number; readonly lettersMin: number },
  views: View[],
): void {
  const start = from + shift;
  const groupsMin = groupsMinOf(to - from);
  let begin = start;
  for (let at = start; ; at += GROUP) {
    // The last group may lack its fourth letter.
    if (at + GROUP - 1 <= to && isReadable(text, at)) continue;
    if (at - begin >= groupsMin * GROUP) {
      // It may begin or end within the group beside it.
      const part = { from: Math.max(start, begin - GROUP), to: Math.min(to, at + GROUP) };
      if (part.to - part.from >= lettersMin) views.push(base64View(text, part));
    }
    begin = at + GROUP;
    if (begin > to) return;
  }
}

/** A long run that is no text has short readable stretches by chance. */
function groupsMinOf(chars: number): number {
  if (chars < 16) return 2;
  return chars < 64 ? 3 : 5;
}

/** The first bit of each of the three bytes is zero. */
function isReadable(text: string, at: number): boolean {
  return (
    valueAt(SEXTETS, text, at) < 32 &&
    (valueAt(SEXTETS, text, at + 1) & 8) === 0 &&
    (valueAt(SEXTETS, text, at + 2) & 2) === 0
  );
}

function base64View(text: string, part: Span): View {
  return {
    text: Buffer.from(text.slice(part.from, part.to), 'base64').toString('latin1'),
    sourceOf: (from, to) => ({
      from: part.from + Math.floor((from * GROUP) / 3),
      to: Math.min(part.to, part.from + Math.ceil((to * GROUP) / 3)),
    }),
  };
}

/** Decodes bytes in hexadecimal, joined or separated: `6b65`, `6b:65`, `6b 65`, `0x6b, 0x65`. */
export function hexViews(text: string, charsMin: number, views: View[]): void {
  const digitsMin = charsMin * 2;
  eachRun(text, DIGITS, digitsMin, (run) => {
    const groups = groupsIn(text, run);
    const digits = groups.reduce((sum, { from, to }) => sum + to - from, 0);
    if (digits < digitsMin) return;
    if (digits > groups.length * GROUP_DIGITS_MAX) {
      for (const group of groups) {
        for (const shift of [0, 1]) readableHex(text, group, { shift, digitsMin }, views);
      }
      return;
    }
    views.push(hexView(text, placesIn(groups)));
    // The first digit of an odd group may belong to something else.
    const odd = groups.flatMap(({ from, to }, index) => ((to - from) % 2 === 1 ? [index] : []));
    for (const index of odd.slice(0, ODD_TRIED_MAX)) views.push(hexView(text, placesIn(groups, index)));
  });
}

const APART = 16;
const DIGITS = tableOf([
  ...Array.from('0123456789abcdef', (char, value) => [char, value] as const),
  ...Array.from('ABCDEF', (char, value) => [char, value + 10] as const),
  ...Array.from(' \t:,;-xX\\', (char) => [char, APART] as const),
]);
/** Separated bytes come in small groups; hashes in a row are long ones. */
const GROUP_DIGITS_MAX = 16;

const ODD_TRIED_MAX = 4;

/** Adjacent digits. One alone is no byte: it is the 0 of `0x6b`. */
function groupsIn(text: string, { from, to }: Span): readonly Span[] {
  const groups: Span[] = [];
  for (let at = from; at < to; at += 1) {
    let end = at;
    while (end < to && valueAt(DIGITS, text, end) < APART) end += 1;
    if (end - at > 1) groups.push({ from: at, to: end });
    at = end;
  }
  return groups;
}

/** The start of each byte's two digits; the group `shifted` has an extra digit at its start. */
function placesIn(groups: readonly Span[], shifted = -1): readonly number[] {
  const places: number[] = [];
  for (const [index, { from, to }] of groups.entries()) {
    for (let at = from + (index === shifted ? 1 : 0); at + 1 < to; at += 2) places.push(at);
  }
  return places;
}

/** Hashes and ids have hardly any stretch of printable bytes. */
function readableHex(
  text: string,
  { from, to }: Span,
  { shift, digitsMin }: { readonly shift: number; readonly digitsMin: number },
  views: View[],
): void {
  let begin = from + shift;
  for (let at = begin; ; at += 2) {
    const high = at + 1 < to ? valueAt(DIGITS, text, at) : 0;
    if (high >= 2 && high <= 7) continue;
    if (at - begin >= digitsMin) views.push(hexView(text, placesIn([{ from: begin, to: at }])));
    begin = at + 2;
    if (begin >= to) return;
  }
}

function hexView(text: string, places: readonly number[]): View {
  const digits = places.map((at) => text.slice(at, at + 2)).join('');
  const startOf = (index: number): number => places[index] ?? 0;
  return {
    text: Buffer.from(digits, 'hex').toString('latin1'),
    sourceOf: (from, to) => ({ from: startOf(from), to: startOf(to - 1) + 2 }),
  };
}
