import type { Piece, Style } from '../output.ts';
import { sanitizeLine } from '../sanitize.ts';
import { cutToWidth, padToWidth, textWidth } from './width.ts';

interface Column {
  readonly title: string;
  /** Gives way when the terminal is too narrow; the others keep their width. */
  readonly flexible?: boolean;
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

/** Lines of a table within the given width. A column that is empty everywhere is left out. */
export function renderTable({ columns, rows, width }: TableOptions): readonly (readonly Piece[])[] {
  const header = columns.map((column): Cell => ({ text: column.title, style: 'faint' }));
  const all = [header, ...rows].map((row) => row.map(cleanCell));
  const shown = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column, index }) => column.title === '' || rows.some((row) => row[index]?.text));
  const shownColumns = shown.map(({ column }) => column);
  const natural = shown.map(({ index }) => Math.max(...all.map((row) => textWidth(row[index]?.text ?? ''))));
  const widths = fitWidths(
    natural,
    shownColumns.map((column) => column.flexible === true),
    width,
  );
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

/** What a flexible column keeps however narrow the terminal is. */
const FLEXIBLE_WIDTH_MIN = 8;

function fitWidths(
  natural: readonly number[],
  flexible: readonly boolean[],
  width: number,
): readonly number[] {
  const gaps = Math.max(0, natural.length - 1) * GAP.length;
  const widths = [...natural];
  let tooMuch = widths.reduce((sum, one) => sum + one, gaps) - width;
  while (tooMuch > 0) {
    // The widest flexible column gives way first, column by column.
    const candidates = widths
      .map((one, index) => ({ one, index }))
      .filter(({ one, index }) => flexible[index] && one > FLEXIBLE_WIDTH_MIN)
      .toSorted((a, b) => b.one - a.one);
    const widest = candidates[0];
    if (!widest) break;
    const floor = Math.max(FLEXIBLE_WIDTH_MIN, candidates[1]?.one ?? FLEXIBLE_WIDTH_MIN);
    const cut = Math.min(tooMuch, Math.max(1, widest.one - floor));
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
