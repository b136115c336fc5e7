import { SOLID } from './components.ts';
import type { Grid } from './grid.ts';
import type { Ink } from './ink.ts';
import type { Line } from './lines.ts';

export interface Cell {
  readonly line: number;
  readonly column: number;
  readonly x: number;
  readonly patch: Patch;
}

/** A glyph from the picture, with its baseline at a fixed height. */
export interface Patch {
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
  readonly data: Uint8Array;
  readonly weight: number;
}

export function cutCells(
  ink: Ink,
  lines: readonly Line[],
  { grid, glyphHeight }: { readonly grid: Grid; readonly glyphHeight: number },
): readonly Cell[] {
  const baselines = findBaselines(lines, glyphHeight);
  const columns = Math.ceil((ink.width - grid.origin) / grid.pitch) + 1;
  const cells: Cell[] = [];
  lines.forEach((line, index) => {
    const left = line.glyphs[0]?.left ?? 0;
    const right = Math.max(...line.glyphs.map((glyph) => glyph.right));
    for (let column = 0; column < columns; column += 1) {
      const from = grid.origin + (column - 1) * grid.pitch;
      // Ink left of the first glyph is a line number.
      if (from + grid.pitch / 2 < left - grid.pitch / 2 || from + grid.pitch / 2 > right + grid.pitch / 2)
        continue;
      const patch = cutPatch(ink, {
        from,
        pitch: grid.pitch,
        baseline: baselines[index] ?? line.bottom,
        glyphHeight,
        line,
      });
      if (patch) cells.push({ line: index, column, x: from + grid.pitch / 2, patch });
    }
  });
  return cells;
}

/** Lines without letters, such as a lone bracket, get theirs from the usual line distance. */
function findBaselines(lines: readonly Line[], glyphHeight: number): readonly number[] {
  const own = lines.map(({ glyphs }) => {
    const feet = glyphs
      .filter(({ top, bottom }) => bottom - top >= glyphHeight * 0.8 && bottom - top <= glyphHeight * 1.65)
      .map(({ bottom }) => bottom);
    return feet.length < 3 ? undefined : mode(feet);
  });
  const steps = own.flatMap((foot, index) => {
    const next = own[index + 1];
    return foot === undefined || next === undefined ? [] : [next - foot];
  });
  const step = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 4)];
  return lines.map(
    ({ top, bottom }, index) =>
      own[index] ?? borrowed(own, lines, index, step) ?? bottom - Math.round((bottom - top) * 0.2),
  );
}

function borrowed(
  own: readonly (number | undefined)[],
  lines: readonly Line[],
  index: number,
  step?: number,
) {
  if (step === undefined) return undefined;
  const middle = ((lines[index]?.top ?? 0) + (lines[index]?.bottom ?? 0)) / 2;
  for (let away = 1; away < own.length; away += 1) {
    const foot = own[index - away] ?? own[index + away];
    // A bracket's middle is a little above its baseline.
    if (foot !== undefined) return foot + Math.round((middle + step * 0.2 - foot) / step) * step;
  }
  return undefined;
}

function mode(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([a, m], [b, n]) => n - m || a - b)[0]?.[0] ?? 0;
}

/** Rows above and below the baseline, in x-heights. */
const ABOVE = 2;
const BELOW = 0.75;

function cutPatch(
  ink: Ink,
  {
    from,
    pitch,
    baseline,
    glyphHeight,
    line,
  }: { from: number; pitch: number; baseline: number; glyphHeight: number; line: Line },
): Patch | undefined {
  const width = Math.round(pitch);
  const left = Math.round(from);
  const above = Math.round(glyphHeight * ABOVE);
  const height = above + Math.round(glyphHeight * BELOW);
  const data = new Uint8Array(width * height);
  let weight = 0;
  let solid = 0;
  for (let y = 0; y < height; y += 1) {
    const row = baseline - above + y;
    if (row < line.top - 1 || row > line.bottom || row >= ink.height) continue;
    for (let x = 0; x < width; x += 1) {
      const column = left + x;
      if (column < 0 || column >= ink.width) continue;
      const value = ink.data[row * ink.width + column] ?? 0;
      data[y * width + x] = value;
      weight += value;
      // A neighbor's edge may reach into this cell: only ink off the border counts.
      if (value >= SOLID && x > width * 0.15 && x < width * 0.85) solid += 1;
    }
  }
  return solid >= Math.max(2, glyphHeight * 0.15)
    ? { width, height, baseline: above, data, weight }
    : undefined;
}
