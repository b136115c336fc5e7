import { type Cell, cutCells } from './cells.ts';
import type { Engine } from './engine.ts';
import { correctByShape, couldBe, heightOfInk } from './glyph-shape.ts';
import type { Grid } from './grid.ts';
import type { Ink } from './ink.ts';
import { imageOfLine } from './line-image.ts';
import type { Line } from './lines.ts';
import { type Ballot, elect } from './vote.ts';

export interface GridText {
  readonly text: string;
  readonly confidences: readonly number[];
}

export interface GridPicture {
  readonly ink: Ink;
  readonly grid: Grid;
  readonly glyphHeight: number;
}

/** What the engine misreads at one size it often reads at another. */
const SIZES = [1, 1.3, 0.8];
/** Long texts need fewer sizes: each glyph occurs often enough to vote on. */
const LINES_PER_SIZE = 60;

export async function readOnGrid(
  engine: Engine,
  lines: readonly Line[],
  picture: GridPicture,
): Promise<readonly GridText[]> {
  const cells = cutCells(picture.ink, lines, picture);
  const byLine = Map.groupBy(cells, ({ line }) => line);
  const sizes = SIZES.slice(0, Math.max(1, SIZES.length - Math.floor(lines.length / LINES_PER_SIZE)));
  const ballots: Ballot[] = [];
  for (const [index, line] of lines.entries()) {
    for (const size of sizes) {
      ballots.push(...(await ballotsOf(engine, { line, cells: byLine.get(index) ?? [], size, picture })));
    }
  }
  // Letters that were read give the best x-height.
  const glyphHeight = heightOfSmallLetters(ballots) ?? picture.glyphHeight;
  const weighed = ballots.map((ballot) =>
    couldBe(ballot.cell.patch, ballot.char, glyphHeight) ? ballot : { ...ballot, confidence: 1 },
  );
  const chars = elect(cells, weighed, (patch, read) => correctByShape(patch, read, glyphHeight));
  return lines.map((_line, index) => {
    const text: string[] = [];
    for (const cell of byLine.get(index) ?? []) {
      while (text.length < cell.column) text.push(' ');
      text[cell.column] = chars.get(cell) ?? '';
    }
    return {
      text: text.join(''),
      confidences: ballots.filter(({ cell }) => cell.line === index).map(({ confidence }) => confidence),
    };
  });
}

function heightOfSmallLetters(ballots: readonly Ballot[]): number | undefined {
  const heights = ballots
    .filter(({ char }) => 'aemnr'.includes(char))
    .map(({ cell }) => heightOfInk(cell.patch))
    .toSorted((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)];
}

interface LineToRead {
  readonly line: Line;
  readonly cells: readonly Cell[];
  readonly size: number;
  readonly picture: GridPicture;
}

async function ballotsOf(
  engine: Engine,
  { line, cells, size, picture: { ink, grid, glyphHeight } }: LineToRead,
): Promise<readonly Ballot[]> {
  const image = imageOfLine(ink, line, glyphHeight / size);
  const { symbols } = await engine.readLine(image.bytes);
  const placed = symbols.map(({ char, left, right, confidence }) => ({
    char,
    x: image.toPictureX((left + right) / 2),
    confidence,
  }));
  const aligned = alignSymbols(cells, placed, grid.pitch);
  return cells.flatMap((cell, index) => {
    const symbol = aligned[index];
    return symbol ? [{ cell, char: symbol.char, confidence: symbol.confidence }] : [];
  });
}

interface ReadSymbol {
  readonly char: string;
  readonly x: number;
  readonly confidence: number;
}

/** Matches symbols to cells in order; invented symbols and missed cells stay alone. */
function alignSymbols(
  cells: readonly Cell[],
  symbols: readonly ReadSymbol[],
  pitch: number,
): readonly (ReadSymbol | undefined)[] {
  const rows = cells.length + 1;
  const columns = symbols.length + 1;
  const cost = new Float64Array(rows * columns);
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1) {
      if (i === 0 || j === 0) cost[i * columns + j] = (i + j) * ALONE;
      else {
        cost[i * columns + j] = Math.min(
          at(cost, (i - 1) * columns + j - 1) + apart(cells[i - 1], symbols[j - 1], pitch),
          at(cost, (i - 1) * columns + j) + ALONE,
          at(cost, i * columns + j - 1) + ALONE,
        );
      }
    }
  }
  const found: (ReadSymbol | undefined)[] = cells.map(() => undefined);
  let [i, j] = [cells.length, symbols.length];
  while (i > 0 && j > 0) {
    const here = at(cost, i * columns + j);
    if (here === at(cost, (i - 1) * columns + j - 1) + apart(cells[i - 1], symbols[j - 1], pitch)) {
      found[i - 1] = symbols[j - 1];
      i -= 1;
      j -= 1;
    } else if (here === at(cost, (i - 1) * columns + j) + ALONE) i -= 1;
    else j -= 1;
  }
  return found;
}

const ALONE = 0.75;

function at(cost: Float64Array, index: number): number {
  return cost[index] ?? Infinity;
}

function apart(cell: Cell | undefined, symbol: ReadSymbol | undefined, pitch: number): number {
  if (!cell || !symbol) return Infinity;
  return Math.abs(cell.x - symbol.x) / pitch;
}
