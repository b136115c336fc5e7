import { base64Views, hasLongRun, hexViews } from './encoded-runs.ts';
import type { KnownValues } from './known-values.ts';
import type { Limits } from './limits.ts';

export interface Finding {
  readonly known: KnownValues;
  readonly limits: Limits;
}

/** Whether one is in a text. Nearly all texts are clean and in plain words: nothing is decoded for those. */
export function holdsKnown(text: string, finding: Finding): boolean {
  const { known } = finding;
  const { charsMin } = known;
  if (text.length < charsMin) return false;
  if (known.next(text, 0)) return true;
  const joined = hasLineBreak(text) ? text.replaceAll(LINE_BREAK, '') : text;
  if (joined !== text && known.next(joined, 0)) return true;
  return mayBeEncoded(joined, charsMin) && spansIn(text, finding, 1).length > 0;
}

/**
 * Whether its JSON alone shows that a value holds none, in a text, a key, a number or split over a list: one
 * look instead of one at each text. False when in doubt, as where something is escaped or could be decoded.
 */
export function isSurelyClean(json: string, { known }: Finding): boolean {
  if (known.size === 0) return true;
  if (json.includes('\\') || TEXTS_APART.test(json)) return false;
  // The texts of a list are looked at as one, which also finds what is split over them.
  const joined = json.replaceAll(NEXT_IN_LIST, '');
  return known.next(joined, 0) === undefined && !mayBeEncoded(joined, known.charsMin);
}

/** Texts of one list that don't stand side by side: in blocks, or with something else between them. */
const TEXTS_APART = /",[^"]|"text":"/;

/** Between two texts of a list: after that in an object comes a key, and its colon. */
const NEXT_IN_LIST = /","(?=[^"]*"[,\]])/g;

/** Whether there is anything that viewsOf would undo. */
function mayBeEncoded(text: string, charsMin: number): boolean {
  return hasEscape(text) || hasLongRun(text, charsMin);
}

function hasEscape(text: string): boolean {
  return (text.includes('%') || text.includes('\\') || text.includes('&')) && ESCAPED.test(text);
}

/** The known values in a text, encoded or not: in its order, none within another. */
export function findKnown(text: string, finding: Finding): readonly Span[] {
  if (text.length < finding.known.charsMin) return [];
  return merged(spansIn(text, finding, Number.POSITIVE_INFINITY));
}

/** How often an encoding is undone. */
const DEPTH_MAX = 2;

function spansIn(text: string, { known, limits }: Finding, spansMax: number): Span[] {
  const spans: Span[] = [];
  let left = limits.redactedDecodedCharsMax;
  const { charsMin } = known;
  const look = (shown: string, sourceOf: View['sourceOf'], depth: number): void => {
    for (let hit = known.next(shown, 0); hit; hit = known.next(shown, hit.to)) {
      spans.push(sourceOf(hit.from, hit.to));
      if (spans.length >= spansMax) return;
    }
    if (depth >= DEPTH_MAX) return;
    for (const view of viewsOf(shown, charsMin)) {
      left -= view.text.length;
      if (left < 0) return;
      const sourceOfView = (from: number, to: number): Span => {
        const span = view.sourceOf(from, to);
        return sourceOf(span.from, span.to);
      };
      look(view.text, sourceOfView, depth + 1);
      if (spans.length >= spansMax) return;
    }
  };
  const joined = joinedLines(text);
  look(text, (from, to) => ({ from, to }), joined ? DEPTH_MAX : 0);
  // A line end can be inside any encoding, so the encodings of the joined lines are all there are.
  if (joined && spans.length < spansMax) look(joined.text, joined.sourceOf, 0);
  return spans;
}

function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const apart: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = apart.at(-1);
    if (last && span.from < last.to) {
      apart[apart.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    } else apart.push(span);
  }
  return apart;
}

/** A decoded text, and the way back: the part of the source that a part of it was made from. */
export interface View {
  readonly text: string;
  readonly sourceOf: (from: number, to: number) => Span;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Without line ends and indents: a program or a person may have broken a value over lines. */
function joinedLines(text: string): View | undefined {
  if (!hasLineBreak(text)) return undefined;
  const joined = text.replaceAll(LINE_BREAK, '');
  if (joined.length === text.length) return undefined;
  // Few texts hold anything: the way back is made when it is needed.
  let made: View | undefined;
  return {
    text: joined,
    sourceOf: (from, to) => (made ??= rewritten(text, LINE_BREAK, () => '')).sourceOf(from, to),
  };
}

function hasLineBreak(text: string): boolean {
  return text.includes('\n') || text.includes('\\n');
}

/** Also as JSON writes a line end, and after a backslash that continues a line. */
const LINE_BREAK = /\\?\r?\n[ \t]*|\\{1,4}(?:r\\{1,4})?n[ \t]*/g;

/**
 * Undoes once all that could be an encoding: escapes of URLs, JSON and HTML; hexadecimal; base64. To
 * undo one never makes a text longer, so texts of fewer than `charsMin` characters are left out.
 */
function viewsOf(text: string, charsMin: number): readonly View[] {
  if (text.length < charsMin) return [];
  const views: View[] = [];
  if (hasEscape(text)) views.push(rewritten(text, ESCAPE, unescaped));
  hexViews(text, charsMin, views);
  base64Views(text, charsMin, views);
  return views;
}

/** A backslash before a quotation mark doesn't count: every text in JSON has those. */
const ESCAPED = /%[0-9a-f]{2}|\\(?:u[0-9a-f{]|x[0-9a-f])|&(?:#[\dx]|[a-z]{2,6};)/i;
const ESCAPE =
  /%([0-9a-f]{2})|\\{1,4}(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,5})\}|(["'/]))|&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(amp|lt|gt|quot|apos|sol|plus|equals|colon|lowbar|num|excl|dollar));/gi;

function unescaped(found: RegExpExecArray): string {
  const [, percent, unicode, byte, point, itself, decimal, hex, name] = found;
  if (itself !== undefined) return itself;
  if (name !== undefined) return NAMED_CHARACTERS[name.toLowerCase()] ?? '';
  if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
  return String.fromCodePoint(Number.parseInt(percent ?? unicode ?? byte ?? point ?? hex ?? '20', 16));
}

/** Each name with its character behind it. */
const NAMED_CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  `amp& lt< gt> quot" apos' sol/ plus+ equals= colon: lowbar_ num# excl! dollar$`
    .split(' ')
    .map((pair) => [pair.slice(0, -1), pair.slice(-1)]),
);

function rewritten(text: string, pattern: RegExp, words: (found: RegExpExecArray) => string): View {
  // Where the view differs from the source, in the order of the text: FIELDS numbers each.
  const marks: number[] = [];
  let shown = '';
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    shown += text.slice(from, found.index);
    from = found.index + found[0].length;
    const said = words(found);
    marks.push(shown.length, said.length, found.index, found[0].length);
    shown += said;
  }
  // From the source of its first character to the end of the source of its last.
  const sourceOf = (start: number, end: number): Span => ({
    from: placeOf(marks, start).from,
    to: placeOf(marks, end - 1).to,
  });
  return { text: shown + text.slice(from), sourceOf };
}

const FIELDS = 4;

function placeOf(marks: readonly number[], at: number): Span {
  let low = 0;
  let high = marks.length / FIELDS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle * FIELDS] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return { from: at, to: at + 1 };
  const mark = marks.slice((low - 1) * FIELDS, low * FIELDS);
  const [shownAt = 0, chars = 0, sourceAt = 0, sourceChars = 0] = mark;
  if (at < shownAt + chars) return { from: sourceAt, to: sourceAt + sourceChars };
  const from = sourceAt + sourceChars + (at - shownAt - chars);
  return { from, to: from + 1 };
}
