import { faint, paint, pieceText, type Piece } from './output.ts';
import { cutToWidth, textWidth } from './render/text.ts';
import type { TerminalWriter } from './terminal.ts';

export type Row = readonly Piece[];

interface LiveRowsOptions {
  readonly writer: TerminalWriter;
  readonly height: () => number;
  readonly styled: boolean;
}

/** Rows at the end of the screen that the next ones overwrite. */
export class LiveRows {
  readonly #options: LiveRowsOptions;
  #drawn: readonly number[] = [];

  constructor(options: LiveRowsOptions) {
    this.#options = options;
  }

  draw(rows: readonly Row[]): void {
    const { writer, height, styled } = this.#options;
    const fitting = fit(rows, Math.max(2, height() - 2)).map((row) => cutRow(row, writer.width - 1));
    const text = fitting.map((row) => `${row.map((piece) => paint(piece, styled)).join('')}\n`).join('');
    writer.write(this.#back() + text);
    this.#drawn = fitting.map((row) => row.reduce((sum, piece) => sum + textWidth(pieceText(piece)), 0));
  }

  erase(): void {
    const back = this.#back();
    if (back !== '') this.#options.writer.write(back);
    this.#drawn = [];
  }

  /** A terminal that became narrower has wrapped the rows: they take more of its lines now. */
  #back(): string {
    const { width } = this.#options.writer;
    const lines = this.#drawn.reduce((sum, columns) => sum + Math.max(1, Math.ceil(columns / width)), 0);
    return lines === 0 ? '' : `\u001b[${lines}A\r\u001b[J`;
  }
}

/** Rows beyond the screen could not be drawn over: the last ones are left. */
function fit(rows: readonly Row[], linesMax: number): readonly Row[] {
  if (rows.length <= linesMax) return rows;
  const left = rows.slice(rows.length - linesMax + 1);
  return [[faint(`  … ${rows.length - left.length} rows above`)], ...left];
}

function cutRow(row: Row, width: number): Row {
  let left = width;
  return row.map((piece): Piece => {
    const text = left <= 0 ? '' : cutToWidth(pieceText(piece), left);
    left -= textWidth(text);
    return typeof piece === 'string' ? text : { ...piece, text };
  });
}
