import { lineAtIn, blank, type Block, type Range } from './view.ts';
import type { PasteChange } from './paste.ts';
import type { TextEdit } from './repair.ts';

/** Removes invisible characters. Line numbers stay the same. */
export function cleanText(pasted: string): {
  readonly text: string;
  readonly changes: readonly PasteChange[];
} {
  const changes: PasteChange[] = [];
  let text = pasted.replaceAll(/\r\n?|\u2028|\u2029|\u0085/g, '\n');
  const note = (at: number, what: string): void => void changes.push({ line: lineAtIn(text)(at), what });
  const hidden = text.search(INVISIBLE);
  if (hidden > 0) note(hidden, 'invisible characters were removed');
  if (hidden >= 0) text = text.replaceAll(INVISIBLE_ALL, '');
  const odd = text.search(ODD_SPACE);
  if (odd >= 0) {
    note(odd, 'special spaces were replaced by plain ones');
    text = text.replaceAll(ODD_SPACE_ALL, ' ');
  }
  const wide = text.search(/[｛［＂]/);
  if (wide >= 0) {
    note(wide, 'full-width characters were replaced by plain ones');
    const to =
      Math.max(text.lastIndexOf('｝'), text.lastIndexOf('］'), text.lastIndexOf('＂')) + 1 || text.length;
    text = text.slice(0, wide) + text.slice(wide, to).replaceAll(/[！-～]/g, narrow) + text.slice(to);
  }
  // Within an address `？` begins what is asked for.
  const query = /https?:\/\/[^\s"'“”＂？]+？(?=[\w-]+[=＝])/;
  if (query.test(text)) {
    note(text.search(query), 'full-width characters were replaced by plain ones');
    text = text.replaceAll(new RegExp(query.source, 'g'), (found) => `${found.slice(0, -1)}?`);
  }
  if (/&quot;|&#34;|&#x22;/.test(text) && !text.includes('"')) {
    note(text.search(/&(quot|#)/), '&quot; was replaced by a plain quote');
    text = text.replaceAll(/&(?:quot|#34|#x22);/g, '"').replaceAll('&amp;', '&');
  }
  return { text, changes };
}

/** Full-width forms stand in the order of ASCII. */
function narrow(char: string): string {
  return String.fromCharCode(char.charCodeAt(0) - 0xfee0);
}

// Zero-width and direction marks, byte order mark, soft hyphen, and control characters but tab and line end.
const INVISIBLE =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const INVISIBLE_ALL = new RegExp(INVISIBLE.source, 'g');
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const ODD_SPACE_ALL = new RegExp(ODD_SPACE.source, 'g');

/** Finds fenced code, and blanks fences and line prefixes: quotes, comments, numbers, prompts. */
export function findBlocks(pasted: string): {
  readonly text: string;
  /** With its fences. */
  readonly readable: string;
  readonly edits: readonly TextEdit[];
  readonly blocks: readonly Block[];
  readonly changes: readonly PasteChange[];
} {
  const changes: PasteChange[] = [];
  const unquoted = stripPrefixes(pasted, changes);
  const { blocks, fences, edits } = splitFences(unquoted, changes);
  return { text: blank(unquoted, fences), readable: unquoted, blocks, edits, changes };
}

const FENCE = /^[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(\\?`\\?`\\?`+|~~~+)[ \t]*([\w+#.-]*)[^`\n]*$/;

function splitFences(
  text: string,
  changes: PasteChange[],
): { blocks: Block[]; fences: Range[]; edits: TextEdit[] } {
  const blocks: Block[] = [];
  const edits: TextEdit[] = [];
  const fences: Range[] = [];
  let open: { readonly from: number; readonly lang: string; readonly mark: string } | undefined;
  let textFrom = 0;
  let at = 0;
  let line = 0;
  for (const content of text.split('\n')) {
    line += 1;
    const end = at + content.length;
    const fence = content.length < 200 ? FENCE.exec(content) : null;
    const mark = fence?.[1]?.replaceAll('\\', '')[0];
    if (mark !== undefined && (open === undefined || mark === open.mark)) {
      if (fence?.[1]?.includes('\\') && open === undefined)
        changes.push({ line, what: 'an escaped code fence was read as a code fence' });
      if (open === undefined) {
        blocks.push({ kind: 'text', lang: '', from: textFrom, to: at });
        open = { from: end + 1, lang: (fence?.[2] ?? '').toLowerCase(), mark };
      } else {
        blocks.push({ kind: 'code', lang: open.lang, from: Math.min(open.from, at), to: at });
        open = undefined;
        textFrom = end + 1;
      }
      fences.push({ from: at, to: end });
      if (fence?.[1]?.includes('\\')) edits.push({ from: at, to: end, by: content.replaceAll('\\`', '`') });
    }
    at = end + 1;
  }
  if (open)
    blocks.push({ kind: 'code', lang: open.lang, from: Math.min(open.from, text.length), to: text.length });
  else if (textFrom < text.length) blocks.push({ kind: 'text', lang: '', from: textFrom, to: text.length });
  const filled = blocks.filter(({ from, to }) => text.slice(from, to).trim() !== '');
  return { blocks: filled, fences, edits };
}

interface Prefix {
  readonly what: string;
  readonly pattern: RegExp;
  readonly linesMin: number;
}

const PREFIXES: readonly Prefix[] = [
  { what: 'quote marks (>) before the lines', pattern: /^[ \t]*>[ \t]?/, linesMin: 1 },
  { what: 'comment marks (//) before the lines', pattern: /^[ \t]*\/\/[ \t]?/, linesMin: 2 },
  {
    what: 'comment marks (*) before the lines',
    pattern: /^[ \t]*(?:\/\*\*?|\*\/|\*(?=\s|$))[ \t]?/,
    linesMin: 3,
  },
  { what: 'comment marks (#) before the lines', pattern: /^[ \t]*#(?!#)[ \t]?/, linesMin: 2 },
  { what: 'comment marks (--) before the lines', pattern: /^[ \t]*-- /, linesMin: 2 },
  { what: 'line numbers', pattern: /^[ \t]*\d{1,5}(?:[ \t]*[|│:→]|\t)[ \t]?/, linesMin: 2 },
  { what: 'line numbers', pattern: /^[ \t]*\d{1,5}(?=[ \t]+["{}[\]]|[ \t]*$)/, linesMin: 3 },
];

function stripPrefixes(pasted: string, changes: PasteChange[]): string {
  let text = stripDiff(pasted, changes);
  for (let round = 0; round < 3; round += 1) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    const prefix = PREFIXES.find((candidate) => fits(lines, candidate));
    if (!prefix) break;
    changes.push({ line: 1, what: `${prefix.what} were removed` });
    text = text
      .split('\n')
      .map((line) => line.replace(prefix.pattern, (found) => ' '.repeat(found.length)))
      .join('\n');
  }
  return text;
}

function fits(lines: readonly string[], { pattern, linesMin }: Prefix): boolean {
  return lines.length >= linesMin && lines.every((line) => pattern.test(line));
}

/** Added and unchanged lines of a diff are the config. */
function stripDiff(text: string, changes: PasteChange[]): string {
  const lines = text.split('\n');
  const full = lines.filter((line) => line.trim() !== '');
  const added = full.filter((line) => line.startsWith('+')).length;
  const isDiff = full.every((line) => /^([+\- ]|@@|diff |index |\\ )/.test(line));
  if (added === 0 || !isDiff || (added < 2 && full.length > 1)) return text;
  changes.push({ line: 1, what: 'the marks of a diff were removed' });
  return lines
    .map((line) => {
      if (/^(@@|diff |index |\+\+\+ |--- |-|\\ )/.test(line)) return ' '.repeat(line.length);
      return line.startsWith('+') ? ` ${line.slice(1)}` : line;
    })
    .join('\n');
}
