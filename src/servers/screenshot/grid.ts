import { SOLID } from './components.ts';
import type { Ink } from './ink.ts';
import type { Line } from './lines.ts';

/** The grid of a monospaced font. */
export interface Grid {
  readonly pitch: number;
  /** Start of the first column. */
  readonly origin: number;
}

/** Lines off the grid are in another font: headings, prose, window tabs. */
export interface Gridded {
  readonly grid: Grid;
  readonly on: ReadonlySet<Line>;
}

/** The grid with the least ink on its column borders; undefined for proportional fonts. */
export function fitGrid(ink: Ink, lines: readonly Line[], glyphHeight: number): Gridded | undefined {
  const profiles = lines.map((line) => profileOf(ink, line));
  const telling = profiles.toSorted((a, b) => b.glyphs - a.glyphs).slice(0, TELLING_LINES_MAX);
  const tries = allGrids(ink.width, glyphHeight).map((grid) => ({ ...grid, score: scoreOf(grid, telling) }));
  const best = highest(tries);
  if (!best) return undefined;
  // Every second border is as clean: the finer grid is meant.
  const finer = highest(tries.filter(({ pitch }) => pitch < best.pitch * 0.6));
  const grid = finer && finer.score > best.score * 0.8 ? finer : best;
  if (!isSure(grid, profiles)) return undefined;
  return {
    grid,
    on: new Set(lines.filter((_line, index) => crossing(grid, profiles[index]) < CROSSING_MAX)),
  };
}

const TELLING_LINES_MAX = 24;
/** Maximum ink on the borders, relative to the line's average. */
const CROSSING_MAX = 0.5;
/** Short lines fit any grid: only long, clean ones count. */
const LONG_GLYPHS = 8;
const CLEAN_CROSSING = 0.35;
const CLEAN_SHARE = 0.3;

function isSure(grid: Grid, profiles: readonly Profile[]): boolean {
  const long = profiles.filter(({ glyphs }) => glyphs >= LONG_GLYPHS);
  const count = (some: readonly Profile[]): number => some.reduce((sum, { glyphs }) => sum + glyphs, 0);
  const clean = count(long.filter((profile) => crossing(grid, profile) < CLEAN_CROSSING));
  return clean > 0 && clean >= count(long) * CLEAN_SHARE;
}

interface Profile {
  readonly left: number;
  readonly glyphs: number;
  readonly average: number;
  readonly columns: Float64Array;
}

function profileOf(ink: Ink, line: Line): Profile {
  const left = line.glyphs[0]?.left ?? 0;
  const right = Math.max(left + 1, ...line.glyphs.map((glyph) => glyph.right));
  const columns = new Float64Array(right - left);
  let sum = 0;
  for (let y = line.top; y < line.bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const value = ink.data[y * ink.width + x] ?? 0;
      if (value < SOLID / 2) continue;
      columns[x - left] = (columns[x - left] ?? 0) + value;
      sum += value;
    }
  }
  return { left, glyphs: line.glyphs.length, average: sum / columns.length, columns };
}

/** Monospaced advances are 0.8 to 1.75 x-heights. */
function allGrids(width: number, glyphHeight: number): readonly Grid[] {
  // Over the whole width, one step shifts the last column by at most a sixth.
  const step = Math.max(0.004, (glyphHeight * glyphHeight) / width / 6);
  const grids: Grid[] = [];
  for (let pitch = glyphHeight * 0.8; pitch <= glyphHeight * 1.75; pitch += step) {
    for (let phase = 0; phase < 1; phase += 0.05) grids.push({ pitch, origin: phase * pitch });
  }
  return grids;
}

function scoreOf(grid: Grid, profiles: readonly Profile[]): number {
  let score = 0;
  for (const profile of profiles) {
    score += Math.min(profile.glyphs, 40) * Math.max(0, 1 - crossing(grid, profile) / CROSSING_MAX);
  }
  return score;
}

function crossing({ pitch, origin }: Grid, profile: Profile | undefined): number {
  if (!profile || profile.average === 0) return Infinity;
  const { left, columns, average } = profile;
  let sum = 0;
  let count = 0;
  for (
    let border = (((origin - left) % pitch) + pitch) % pitch;
    border < columns.length - 1;
    border += pitch
  ) {
    const at = Math.floor(border);
    const part = border - at;
    sum += (columns[at] ?? 0) * (1 - part) + (columns[at + 1] ?? 0) * part;
    count += 1;
  }
  return sum / Math.max(1, count) / average;
}

function highest<T extends { readonly score: number }>(tries: readonly T[]): T | undefined {
  return tries.reduce<T | undefined>((a, b) => (a === undefined || b.score > a.score ? b : a), undefined);
}
