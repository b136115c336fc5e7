import { faint, pieceText, type Output, type Piece } from '../output.ts';
import { sanitizeLine } from '../sanitize.ts';
import { cutToWidth, padToWidth, textWidth } from './text.ts';

interface Column {
  readonly title: string;
  /** Gives way when the terminal is too narrow; the others keep their width as long as they can. */
  readonly flexible?: boolean;
  /** Is left out on a terminal that is narrower still; the highest number goes first. */
  readonly drop?: number;
  /** Stands on a line of its own below the row where less than this is left for it. */
  readonly belowUnder?: number;
}

type Columns = readonly (Column | string)[];
type Rows = readonly (readonly Piece[])[];

export function flexible(title: string): Column {
  return { title, flexible: true };
}

/** Prints a table within the terminal's width, without empty columns or, if too wide, unimportant ones. */
export function printTable(out: Output, columns: Columns, rows: Rows, ...empty: readonly string[]): void {
  if (rows.length === 0 && empty.length > 0) {
    for (const line of empty) out.line(line);
    return;
  }
  const all = columns.map((column): Column => (typeof column === 'string' ? { title: column } : column));
  for (const line of tableLines(all, rows, out.width)) out.line(...line);
}

function tableLines(columns: readonly Column[], rows: Rows, width: number): Rows {
  const all = [columns.map(({ title }) => faint(title)), ...rows].map((row) =>
    row.map((cell) => withText(cell, sanitizeLine(pieceText(cell)))),
  );
  const isFilled = ({ title }: Column, index: number): boolean =>
    title === '' || rows.some((row) => pieceText(row[index] ?? '') !== '');
  const sized = columns.map((column, index) => {
    const natural = Math.max(...all.map((row) => textWidth(pieceText(row[index] ?? ''))));
    return { ...column, index, natural };
  });
  const shown = withoutDropped(
    sized.filter((column) => isFilled(column, column.index)),
    width,
  );
  const widths = fitWidths(shown, width);
  const low = shown.find(
    ({ belowUnder = 0, natural }, position) => (widths[position] ?? 0) < Math.min(belowUnder, natural),
  );
  if (low) return withLineBelow(columns, rows, { width, low: low.index });
  return all.map((row) =>
    trimEnd(
      shown.map(({ index }, position): Piece => {
        const cell = row[index] ?? '';
        const cellWidth = widths[position] ?? 0;
        const text =
          padToWidth(cutToWidth(pieceText(cell), cellWidth), cellWidth) + gapAfter(shown, position);
        return withText(cell, text);
      }),
    ),
  );
}

/** One column leaves the table, and each of its cells follows its row, indented. */
function withLineBelow(
  columns: readonly Column[],
  rows: Rows,
  { width, low }: { readonly width: number; readonly low: number },
): Rows {
  const [head = [], ...lines] = tableLines(
    columns.filter((_, index) => index !== low),
    rows.map((row) => row.filter((_, index) => index !== low)),
    width,
  );
  const below = (row: readonly Piece[] = []): Rows => {
    const text = sanitizeLine(pieceText(row[low] ?? ''));
    return text === '' ? [] : [[faint(`  ${cutToWidth(text, width - 2)}`)]];
  };
  return [head, ...lines.flatMap((line, index) => [line, ...below(rows[index])])];
}

/** A first column without a title is a symbol that belongs to the second: one space is enough. */
function gapAfter(columns: readonly Column[], position: number): string {
  if (position === columns.length - 1) return '';
  return columns[position]?.title === '' ? ' ' : '  ';
}

/** Minimum widths: of a flexible column while others can be left out, and of any column. */
const FLEXIBLE_WIDTH_MIN = 8;
const WIDTH_MIN = 3;

interface Sized extends Column {
  readonly index: number;
  readonly natural: number;
}

/** Leaves out one column after the other until the rest has room at its narrowest. */
function withoutDropped(columns: readonly Sized[], width: number): readonly Sized[] {
  const least = columns.map(({ flexible: gives, natural }) =>
    gives ? Math.min(natural, FLEXIBLE_WIDTH_MIN) : natural,
  );
  if (widthOf(least, columns) <= width) return columns;
  const [first] = columns
    .filter(({ drop }) => drop !== undefined)
    .toSorted((a, b) => (b.drop ?? 0) - (a.drop ?? 0));
  if (!first) return columns;
  const rest = columns.filter((one) => one !== first);
  return withoutDropped(rest, width);
}

function widthOf(widths: readonly number[], columns: readonly Sized[]): number {
  return widths.reduce((sum, one, position) => sum + one + gapAfter(columns, position).length, 0);
}

function fitWidths(columns: readonly Sized[], width: number): readonly number[] {
  const natural = columns.map((one) => one.natural);
  const tooMuch = widthOf(natural, columns) - width;
  const gives = columns.map((column) => column.flexible === true);
  const first = shrink(natural, { by: tooMuch, to: FLEXIBLE_WIDTH_MIN, which: gives });
  const still = widthOf(first, columns) - width;
  // A symbol is narrow already: it is never cut.
  return shrink(first, { by: still, to: WIDTH_MIN, which: columns.map(() => true) });
}

/** The widest gives way first, until it is as narrow as the next. */
function shrink(
  natural: readonly number[],
  { by, to, which }: { readonly by: number; readonly to: number; readonly which: readonly boolean[] },
): readonly number[] {
  const widths = [...natural];
  let tooMuch = by;
  while (tooMuch > 0) {
    const [widest, next] = widths
      .map((one, index) => ({ one, index }))
      .filter(({ one, index }) => which[index] && one > to)
      .toSorted((a, b) => b.one - a.one);
    if (!widest) break;
    const cut = Math.min(tooMuch, Math.max(1, widest.one - Math.max(to, next?.one ?? to)));
    widths[widest.index] = widest.one - cut;
    tooMuch -= cut;
  }
  return widths;
}

function withText(piece: Piece, text: string): Piece {
  return typeof piece === 'string' ? text : { ...piece, text };
}

/** No blanks at the end of a line: they wrap on narrow terminals and spoil a copy. */
function trimEnd(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.findLastIndex((piece) => pieceText(piece).trim() !== '');
  const piece = pieces[last];
  if (piece === undefined) return [];
  const text = pieceText(piece).trimEnd();
  return [...pieces.slice(0, last), withText(piece, text)];
}
