import { type Cell, cutCells, type Patch } from './cells.ts';
import type { Engine } from './engine.ts';
import { correctByShape, couldBe, heightOfInk } from './glyph-shape.ts';
import type { Grid } from './grid.ts';
import type { Ink } from './ink.ts';
import { imageOfLine, type Line } from './lines.ts';

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
      const sized = { ...picture, glyphHeight: picture.glyphHeight / size };
      ballots.push(...(await ballotsOf(engine, line, byLine.get(index) ?? [], sized)));
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

async function ballotsOf(
  engine: Engine,
  line: Line,
  cells: readonly Cell[],
  { ink, grid, glyphHeight }: GridPicture,
): Promise<readonly Ballot[]> {
  const image = imageOfLine(ink, line, glyphHeight);
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

interface Ballot {
  readonly cell: Cell;
  readonly char: string;
  readonly confidence: number;
}

type ShapeOf = (patch: Patch, read: string | undefined) => string | undefined;

/** Equal pictures are the same character, so all their cells vote: single misreadings are outvoted. */
function elect(
  cells: readonly Cell[],
  ballots: readonly Ballot[],
  shape: ShapeOf,
): ReadonlyMap<Cell, string> {
  const ballotsOf = Map.groupBy(ballots, ({ cell }) => cell);
  const groups = groupByPicture(cells.map(({ patch }) => patch));
  const chars = new Map<Cell, string>();
  for (const members of Map.groupBy(cells, (_cell, index) => groups[index]).values()) {
    const read = winner(members.flatMap((cell) => ballotsOf.get(cell) ?? []));
    const char = shapeOfGroup(members, shape, read);
    for (const cell of members) if (char !== undefined) chars.set(cell, char);
  }
  return chars;
}

function shapeOfGroup(
  members: readonly Cell[],
  shape: ShapeOf,
  read: string | undefined,
): string | undefined {
  const shapes = members.slice(0, 5).map(({ patch }) => shape(patch, read));
  return shapes.every((char) => char === shapes[0]) ? shapes[0] : read;
}

function winner(ballots: readonly Ballot[]): string | undefined {
  const weights = new Map<string, number>();
  for (const { char, confidence } of ballots)
    weights.set(char, (weights.get(char) ?? 0) + Math.max(1, confidence));
  return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** Above this difference pictures aren't compared further. */
const ALIKE = 0.3;
/** Measured: the same glyph differs less than this over a stroke, other glyphs more. */
const STROKE_DIFFERENCE_MAX = 105;
const GROUPS_MAX = 400;

function groupByPicture(patches: readonly Patch[]): readonly number[] {
  const leaders: Patch[] = [];
  return patches.map((patch) => {
    let best = -1;
    let least = STROKE_DIFFERENCE_MAX;
    leaders.forEach((leader, index) => {
      if (Math.abs(leader.weight - patch.weight) > (leader.weight + patch.weight) * 0.1) return;
      const difference = differenceOf(leader, patch);
      if (difference < least) [best, least] = [index, difference];
    });
    if (best >= 0) return best;
    if (leaders.length >= GROUPS_MAX) return GROUPS_MAX;
    leaders.push(patch);
    return leaders.length - 1;
  });
}

/** Glyphs may be a pixel off. */
function differenceOf(a: Patch, b: Patch): number {
  let least = Infinity;
  const difference = new Uint8Array(a.data.length);
  for (const dy of [0, -1, 1]) {
    for (const dx of [0, -1, 1]) {
      const sum = subtract(a, b, { dx, dy, into: difference });
      if (sum > (a.weight + b.weight) * ALIKE) continue;
      least = Math.min(least, worstStroke(a, difference));
    }
  }
  return least;
}

function subtract(
  a: Patch,
  b: Patch,
  { dx, dy, into }: { readonly dx: number; readonly dy: number; readonly into: Uint8Array },
): number {
  let sum = 0;
  for (let y = 0; y < a.height; y += 1) {
    for (let x = 0; x < a.width; x += 1) {
      const [ox, oy] = [x + dx, y + dy];
      const other =
        ox < 0 || oy < 0 || ox >= b.width || oy >= b.height ? 0 : (b.data[oy * b.width + ox] ?? 0);
      const difference = Math.abs((a.data[y * a.width + x] ?? 0) - other);
      into[y * a.width + x] = difference;
      sum += difference;
    }
  }
  return sum;
}

/** A stroke is three times as long as wide; a corner is a square. */
function worstStroke(patch: Patch, difference: Uint8Array): number {
  const unit = Math.max(1, Math.round(patch.height / 25));
  return Math.max(
    worstArea(patch, difference, { wide: unit, high: unit * 3 }),
    worstArea(patch, difference, { wide: unit * 3, high: unit }),
    worstArea(patch, difference, { wide: unit + 1, high: unit + 1 }),
  );
}

function worstArea(
  { width, height }: Patch,
  difference: Uint8Array,
  { wide, high }: { readonly wide: number; readonly high: number },
): number {
  let worst = 0;
  for (let y = 0; y + high <= height; y += 1) {
    for (let x = 0; x + wide <= width; x += 1) {
      let sum = 0;
      for (let row = y; row < y + high; row += 1) {
        for (let column = x; column < x + wide; column += 1) sum += difference[row * width + column] ?? 0;
      }
      worst = Math.max(worst, sum);
    }
  }
  return worst / (wide * high);
}
