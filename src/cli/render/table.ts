import type { Piece, Style } from '../output.ts';
import { sanitizeLine } from '../sanitize.ts';
import { cutToWidth, padToWidth, textWidth } from './width.ts';

interface Column {
  readonly title: string;
  /** Gives way when the terminal is too narrow; the others keep their width as long as they can. */
  readonly flexible?: boolean;
  /** Is left out on a terminal that is narrower still; the highest number goes first. */
  readonly drop?: number;
}

export interface Cell {
  readonly text: string;
  readonly style?: Style;
}

export interface TableOptions {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
  readonly width: number;
}

/**
 * Lines of a table within the given width, however narrow. A column that is empty everywhere is left
 * out, and so are the least important ones where there is no room for all.
 */
export function renderTable({ columns, rows, width }: TableOptions): readonly (readonly Piece[])[] {
  const header = columns.map((column): Cell => ({ text: column.title, style: 'faint' }));
  const all = [header, ...rows].map((row) => row.map(cleanCell));
  const filled = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column, index }) => column.title === '' || rows.some((row) => row[index]?.text))
    .map(({ column, index }) => ({
      column,
      index,
      natural: Math.max(...all.map((row) => textWidth(row[index]?.text ?? ''))),
    }));
  const shown = withoutDropped(filled, width);
  const shownColumns = shown.map(({ column }) => column);
  const widths = fitWidths(shown, width);
  return all.map((row) =>
    trimEnd(
      shown.map(({ index }, position): Piece => {
        const cell = row[index] ?? { text: '' };
        const cellWidth = widths[position] ?? 0;
        const text =
          padToWidth(cutToWidth(cell.text, cellWidth), cellWidth) + gapAfter(shownColumns, position);
        return cell.style ? { style: cell.style, text } : text;
      }),
    ),
  );
}

const GAP = '  ';

/** A first column without a title is a symbol that belongs to the second: one space is enough. */
function gapAfter(columns: readonly Column[], position: number): string {
  if (position === columns.length - 1) return '';
  return columns[position]?.title === '' ? ' ' : GAP;
}

/** What a flexible column keeps as long as others can be left out, and what any column keeps. */
const FLEXIBLE_WIDTH_MIN = 8;
const WIDTH_MIN = 3;

interface Sized {
  readonly column: Column;
  readonly index: number;
  readonly natural: number;
}

/** Leaves out one column after the other until the rest has room at its narrowest. */
function withoutDropped(columns: readonly Sized[], width: number): readonly Sized[] {
  const least = columns.map(({ column, natural }) =>
    column.flexible ? Math.min(natural, FLEXIBLE_WIDTH_MIN) : natural,
  );
  if (widthOf(least, columns) <= width) return columns;
  const [first] = columns
    .filter(({ column }) => column.drop !== undefined)
    .toSorted((a, b) => (b.column.drop ?? 0) - (a.column.drop ?? 0));
  return first
    ? withoutDropped(
        columns.filter((one) => one !== first),
        width,
      )
    : columns;
}

function widthOf(widths: readonly number[], columns: readonly Sized[]): number {
  const titles = columns.map(({ column }) => column);
  return widths.reduce((sum, one, position) => sum + one + gapAfter(titles, position).length, 0);
}

function fitWidths(columns: readonly Sized[], width: number): readonly number[] {
  const natural = columns.map((one) => one.natural);
  const tooMuch = widthOf(natural, columns) - width;
  const flexible = columns.map(({ column }) => column.flexible === true);
  const first = shrink(natural, { by: tooMuch, to: FLEXIBLE_WIDTH_MIN, which: flexible });
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

function cleanCell(cell: Cell): Cell {
  return { ...cell, text: sanitizeLine(cell.text) };
}

/** No blanks at the end of a line: they wrap on narrow terminals and spoil a copy. */
function trimEnd(pieces: readonly Piece[]): readonly Piece[] {
  const last = pieces.findLastIndex((piece) => textOf(piece).trim() !== '');
  const piece = pieces[last];
  if (piece === undefined) return [];
  const text = textOf(piece).trimEnd();
  return [...pieces.slice(0, last), typeof piece === 'string' ? text : { style: piece.style, text }];
}

function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text;
}
