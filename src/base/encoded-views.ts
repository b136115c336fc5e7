import { base64Views, hexViews } from './encoded-runs.ts';

/**
 * A text as it reads once an encoding in it is undone, and the way back: which part of the source a
 * part of it was made from.
 */
export interface View {
  readonly text: string;
  readonly sourceOf: (from: number, to: number) => Span;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Without line ends, and what indents the next line: where a program or a person broke a value. */
export function joinedLines(text: string): View | undefined {
  if (!text.includes('\n') && !text.includes('\\n')) return undefined;
  const joined = text.replaceAll(LINE_BREAK, '');
  if (joined.length === text.length) return undefined;
  // Nearly no text holds anything: the way back is made when it is needed.
  let made: View | undefined;
  return {
    text: joined,
    sourceOf: (from, to) => (made ??= rewritten(text, LINE_BREAK, () => '')).sourceOf(from, to),
  };
}

/** Also as JSON writes a line end, and with the sign that says that a line goes on. */
const LINE_BREAK = /\\?\r?\n[ \t]*|\\{1,4}(?:r\\{1,4})?n[ \t]*/g;

/**
 * Everything in a text that could be an encoding, undone once: escapes of addresses, of JSON and
 * other languages and of HTML; hexadecimal with any usual separator; base64 of both alphabets,
 * wherever it begins. A text that holds none of these costs little more than being looked at.
 */
export function viewsOf(text: string): readonly View[] {
  if (text.length < ENCODED_CHARS_MIN) return [];
  const views: View[] = [];
  if ((text.includes('%') || text.includes('\\') || text.includes('&')) && ESCAPED.test(text)) {
    views.push(rewritten(text, ESCAPE, unescaped));
  }
  hexViews(text, views);
  base64Views(text, views);
  return views;
}

/** Nothing shorter is the encoding of a value that is hidden. */
const ENCODED_CHARS_MIN = 8;

/** A backslash before a quotation mark alone says nothing: every text in JSON has those. */
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

const NAMED_CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  colon: ':',
  lowbar: '_',
  num: '#',
  excl: '!',
  dollar: '$',
};

/** A text with each match in other words. */
function rewritten(text: string, pattern: RegExp, words: (found: RegExpExecArray) => string): View {
  // Where the view and the source part, in the order of the text: FIELDS numbers each.
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

/** Where one character of a view comes from. */
function placeOf(marks: readonly number[], at: number): Span {
  let low = 0;
  let high = marks.length / FIELDS;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle * FIELDS] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return { from: at, to: at + 1 };
  const [shownAt = 0, chars = 0, sourceAt = 0, sourceChars = 0] = marks.slice(
    (low - 1) * FIELDS,
    low * FIELDS,
  );
  if (at < shownAt + chars) return { from: sourceAt, to: sourceAt + sourceChars };
  const from = sourceAt + sourceChars + (at - shownAt - chars);
  return { from, to: from + 1 };
}
