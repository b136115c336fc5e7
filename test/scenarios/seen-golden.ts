/** What differs from run to run, and the words that stand for it. */
export interface Names {
  readonly [found: string]: string;
}

/**
 * A transcript as documentation: folders, ports, process ids, times and ids get names, and tables are
 * laid out anew, as their columns are as wide as what was in them.
 */
export function asDocument(transcript: string, names: Names): string {
  const known = Object.entries(names).toSorted(([a], [b]) => b.length - a.length);
  const plain = (text: string): string => {
    let named = text;
    for (const [found, name] of known) named = named.replaceAll(found, name);
    for (const [pattern, name] of CHANGING) named = named.replaceAll(pattern, name);
    return named;
  };
  return layOut(transcript.split('\n'), plain).join('\n');
}

const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\bPlugboard \d+\.\d+\.\d+\S*/g, 'Plugboard VERSION'],
  [/\bNode \d+\.\d+\.\d+/g, 'Node VERSION'],
  [/\b\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'DATE UTC'],
  [/\bpid \d+/g, 'pid PID'],
  [/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT'],
  [/\b\d+[smh] ago\b/g, 'N s ago'],
  [/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, 'N s'],
  [/\b\d+(?:\.\d+)? (?:kB|KB|MB)\b/g, 'N MB'],
  [/\b(appr|grant|call|res)_[0-9a-f]{8,}(?:-\d+)?/g, '$1_ID'],
  // Tokens are counted in the background, some time after a server has told what it offers.
  [/ \(\d+ tokens\)/g, ''],
];

/** The titles of a table are in capitals, two blanks apart at least. */
const TITLES = /^ *[A-Z][A-Z ]*(?: {2,}[A-Z][A-Z ]*)+$/;

function layOut(lines: readonly string[], plain: (text: string) => string): readonly string[] {
  const done: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (!TITLES.test(line)) {
      done.push(plain(line));
      continue;
    }
    const starts = startsOf(line);
    const rows = [line];
    while (isRow(lines[at + 1], starts)) rows.push(lines[(at += 1)] ?? '');
    done.push(...tableOf(withoutTokens(rows.map((row) => cellsOf(row, starts).map(plain)))));
  }
  return done;
}

/** Where each column begins; the first may have no title. */
function startsOf(titles: string): readonly number[] {
  const found = [...titles.matchAll(/(?<=^| {2})\S/g)].map(({ index }) => index);
  return found[0] === 0 ? found : [0, ...found];
}

/** The column is there once they are counted. */
function withoutTokens(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const column = rows[0]?.indexOf('TOKENS') ?? -1;
  return column < 0 ? rows : rows.map((row) => row.toSpliced(column, 1));
}

/** A row leaves the gap before each column empty. */
function isRow(line: string | undefined, starts: readonly number[]): boolean {
  if (line === undefined || line.trim() === '' || line.startsWith('$ ')) return false;
  return starts.slice(1).every((start) => line.slice(start - 1, start).trim() === '');
}

function cellsOf(row: string, starts: readonly number[]): readonly string[] {
  return starts.map((start, at) => row.slice(start, starts[at + 1]).trim());
}

function tableOf(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const padded = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)));
  // A symbol stands close to what it is about.
  return padded.map(([first = '', ...more]) =>
    `${first}${first.length > 1 ? '  ' : ' '}${more.join('  ')}`.trimEnd(),
  );
}
