import type { Json } from '../../base/json.ts';

export interface TextRead {
  readonly value: string;
  readonly end: number;
  readonly note?: string;
  readonly truncated?: boolean;
}

/** Opening quotes, and the characters that may close them. */
export const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”“"„‟'],
  ['”', '”“"'],
  ['„', '“”"'],
  ['‟', '”"'],
  ['‘', "’‘'"],
  ['’', "’‘'"],
  ['«', '»'],
  ['″', '″"'],
  ['＂', '＂"'],
]);

/** A quote that never closes must not read the whole paste. */
const STRING_CHARS_MAX = 64 * 1024;

export function readString(text: string, from: number): TextRead {
  const escaped = text[from] === '\\';
  const opening = escaped ? '"' : (text[from] ?? '"');
  const closers = QUOTES.get(opening) ?? '"';
  const start = from + (escaped ? 2 : 1);
  // A Windows path with single backslashes.
  const literal = /^[A-Za-z]:\\(?![\\"])/.test(text.slice(start, start + 5));
  let value = '';
  let note = noteOfQuote(opening, escaped);
  if (literal) note = 'the backslashes of a Windows path must be doubled';
  let at = start;
  const last = Math.min(text.length, start + STRING_CHARS_MAX);
  for (; at < last; at += 1) {
    const char = text[at] ?? '';
    if (escaped && char === '\\' && text[at + 1] === '"') return { value, end: at + 2, ...noted(note) };
    if (!escaped && closers.includes(char)) return { value, end: at + 1, ...noted(note) };
    if (char === '\n' && opening !== '`') {
      const lineEnd = endOfBrokenLine(text, at, value);
      if (lineEnd) return { ...lineEnd, note: 'a closing quote was missing' };
      note = 'a text was broken over two lines; they were joined';
      while (/\s/.test(text[at + 1] ?? '')) at += 1;
      continue;
    }
    if (char !== '\\' || literal) {
      value += char;
      continue;
    }
    const read = readEscape(text, at, escaped);
    value += read.value;
    if (read.wrong) note = `\\${text[at + 1] ?? ''} is no escape; the backslash was kept`;
    at = read.last;
  }
  return { value, end: text.length, truncated: true };
}

function noted(note: string | undefined): { note?: string } {
  return note === undefined ? {} : { note };
}

function noteOfQuote(opening: string, escaped: boolean): string | undefined {
  if (escaped) return 'the quotes were escaped with backslashes';
  if (opening === '"') return undefined;
  return opening === "'" || opening === '`'
    ? `${opening} was read as a double quote`
    : 'curly quotes were replaced by straight ones';
}

/** The next line starts like a member: the closing quote is missing. */
function endOfBrokenLine(
  text: string,
  at: number,
  value: string,
): { value: string; end: number } | undefined {
  const next = /^\s*(.?)/.exec(text.slice(at, at + 200))?.[1] ?? '';
  if (next !== '' && !'"}]“”\''.includes(next)) return undefined;
  const whole = value.replace(/,\s*$/, '');
  // `"key],`: the bracket stands behind the quote that is missing, unless it was opened before.
  const brackets = /\s*([\]}]+)$/.exec(whole);
  const end = brackets && !/[[{]/.test(whole) ? brackets.index : whole.length;
  return end === 0 ? undefined : { value: whole.slice(0, end), end: at - value.length + end };
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
  '/': '/',
};

function readEscape(
  text: string,
  at: number,
  escaped: boolean,
): { value: string; last: number; wrong?: boolean } {
  const next = text[at + 1] ?? '';
  if (next === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6)))
    return { value: String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)), last: at + 5 };
  if (escaped && text.startsWith('\\\\\\"', at)) return { value: '"', last: at + 3 };
  if (next === '\n') return { value: '', last: at + 1 };
  const known = ESCAPES[next];
  return known === undefined || !Object.hasOwn(ESCAPES, next)
    ? { value: `\\${next}`, last: at + 1, wrong: true }
    : { value: known, last: at + 1 };
}

const WORDS: ReadonlyMap<string, Json> = new Map<string, Json>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
  ['undefined', null],
]);

/** A number, a keyword, or text without quotes. */
export function readBareword(
  text: string,
  from: number,
): { readonly value: Json; readonly end: number; readonly note?: string } | undefined {
  const raw =
    /^[^\n,}\]"“”]{1,400}/.exec(text.slice(from, from + 400))?.[0].replace(/\s*(\/\/.*)?$/, '') ?? '';
  if (raw === '' || raw.startsWith(':')) return undefined;
  const end = from + raw.length;
  const word = WORDS.get(raw);
  if (word !== undefined) {
    const plain = JSON.stringify(word);
    return { value: word, end, ...noted(raw === plain ? undefined : `${raw} was read as ${plain}`) };
  }
  if (/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(raw)) return { value: Number(raw), end };
  const variable = /^(?:process\.env|import\.meta\.env|Deno\.env|os\.environ)\.([A-Za-z_]\w*)!?$/.exec(
    raw,
  )?.[1];
  if (variable !== undefined)
    return { value: `\${${variable}}`, end, note: `${raw} was read as the variable ${variable}` };
  return { value: raw.trim(), end, note: `a text without quotes: ${raw.slice(0, 40)}` };
}

export const TRIVIA: RegExp =
  /\s+|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|#(?!\{)[^\n]*|<!--[^]*?(?:-->|$)|\.\.\.(?:,|(?=\s))|…,?/y;
export const KEY_AHEAD: RegExp = /^[\p{L}_$][\p{L}\p{N}_$.-]*\s*:\s*[[{"'“]/u;
export const BARE_KEY: RegExp = /^[\p{L}_$@./#-][\p{L}\p{N}_$@./ -]{0,100}?(?=\s*[:={[])/u;
