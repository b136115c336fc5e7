import type { Cell, Patch } from './cells.ts';

export interface Ballot {
  readonly cell: Cell;
  readonly char: string;
  readonly confidence: number;
}

export type ShapeOf = (patch: Patch, read: string | undefined) => string | undefined;

/** Equal pictures are the same character, so all their cells vote: single misreadings are outvoted. */
export function elect(
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
