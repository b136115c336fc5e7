import { SOLID } from './components.ts';
import type { Ink } from './ink.ts';
import type { Line } from './lines.ts';

/** Code is set in fonts whose characters are all equally wide: they stand on a grid. */
export interface Grid {
  readonly pitch: number;
  /** Where the first column starts; other columns follow at multiples of the pitch. */
  readonly origin: number;
}

/** The lines on a common grid, and those set in another font: headings, prose, tabs of a window. */
export interface Gridded {
  readonly grid: Grid;
  readonly on: ReadonlySet<Line>;
}

/** Fits a grid, sets aside the lines that do not stand on it, and fits it again to the rest. */
export function fitGrid(ink: Ink, lines: readonly Line[], glyphHeight: number): Gridded | undefined {
  const first = findGrid(ink, lines, glyphHeight);
  if (!first) return undefined;
  const standing = lines.filter((line) => standsOn(ink, line, first));
  const grid = findGrid(ink, standing, glyphHeight) ?? first;
  return { grid, on: new Set(lines.filter((line) => standsOn(ink, line, grid))) };
}

function standsOn(ink: Ink, line: Line, { pitch, origin }: Grid): boolean {
  const profile = columnProfile(ink, [line]);
  const [left, right] = [line.glyphs[0]?.left ?? 0, Math.max(...line.glyphs.map((glyph) => glyph.right))];
  const average = profile.reduce((sum, value) => sum + value, 0) / Math.max(1, right - left);
  return crossingInk(profile.subarray(left, right), pitch, (((origin - left) % pitch) + pitch) % pitch) < average * LINE_CROSSING_MAX;
}

/** A single line may have a few wide glyphs that touch a border. */
const LINE_CROSSING_MAX = 0.6;

/**
 * Finds the grid on which nearly no ink crosses a border between two columns. Undefined when
 * there is none, as in text set in a proportional font.
 */
function findGrid(ink: Ink, lines: readonly Line[], glyphHeight: number): Grid | undefined {
  const profile = columnProfile(ink, lines);
  const average = profile.reduce((sum, value) => sum + value, 0) / Math.max(1, profile.length);
  if (average === 0) return undefined;
  const tries: Try[] = [];
  // The advance of monospaced fonts lies between once and nearly twice the height of an x.
  const step = (glyphHeight * glyphHeight) / ink.width / 6;
  for (let pitch = glyphHeight * 0.8; pitch <= glyphHeight * 1.75; pitch += Math.max(0.004, step)) {
    for (let phase = 0; phase < 1; phase += 0.05) {
      tries.push({ pitch, origin: phase * pitch, crossing: crossingInk(profile, pitch, phase * pitch) / average });
    }
  }
  const best = least(tries);
  if (best === undefined || best.crossing > CROSSING_MAX) return undefined;
  // Every second border of a grid is as clean as the grid itself: the finer one is meant.
  const finer = least(tries.filter(({ pitch }) => pitch < best.pitch * 0.6));
  return finer !== undefined && finer.crossing < Math.max(FINER_CROSSING_MAX, best.crossing * 1.5) ? finer : best;
}

interface Try extends Grid {
  /** The ink on borders, as a share of the average ink of a column. */
  readonly crossing: number;
}

function least(tries: readonly Try[]): Try | undefined {
  return tries.reduce<Try | undefined>((a, b) => (a === undefined || b.crossing < a.crossing ? b : a), undefined);
}

const CROSSING_MAX = 0.45;
const FINER_CROSSING_MAX = 0.3;

/** How much ink stands in each column of pixels, over the lines that are long enough to tell. */
function columnProfile(ink: Ink, lines: readonly Line[]): Float64Array {
  const profile = new Float64Array(ink.width);
  for (const { top, bottom } of lines) {
    for (let y = top; y < bottom; y += 1) {
      for (let x = 0; x < ink.width; x += 1) {
        const value = ink.data[y * ink.width + x] ?? 0;
        if (value >= SOLID / 2) profile[x] = (profile[x] ?? 0) + value;
      }
    }
  }
  return profile;
}

function crossingInk(profile: Float64Array, pitch: number, origin: number): number {
  let sum = 0;
  let count = 0;
  for (let border = origin; border < profile.length - 1; border += pitch) {
    const at = Math.floor(border);
    const part = border - at;
    sum += (profile[at] ?? 0) * (1 - part) + (profile[at + 1] ?? 0) * part;
    count += 1;
  }
  return sum / Math.max(1, count);
}
