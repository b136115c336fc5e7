import type { Ink } from './ink.ts';

/** Connected ink: a letter, the dot of an i, a guide, a frame. */
export interface Component {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly pixels: number;
}

/** Ink above this belongs to a glyph; below, to its soft edge. */
export const SOLID = 96;

/** Finds glyphs and erases guides, rules, frames and icons, judged by relative size. */
export function separateGlyphs(ink: Ink): {
  readonly ink: Ink;
  readonly glyphs: readonly Component[];
  readonly glyphHeight: number;
} {
  const { labels, components } = label(ink);
  const glyphHeight = typicalHeight(components);
  const wiped = new Set<number>();
  components.forEach((component, index) => {
    if (!isGlyph(component, glyphHeight)) wiped.add(index + 1);
  });
  const data = Uint8Array.from(ink.data);
  if (wiped.size > 0) wipe(data, labels, wiped, ink.width);
  return {
    ink: { ...ink, data },
    glyphs: components.filter((_component, index) => !wiped.has(index + 1)),
    glyphHeight,
  };
}

function isGlyph({ left, top, right, bottom, pixels }: Component, glyphHeight: number): boolean {
  const width = right - left;
  const height = bottom - top;
  const guide = height > glyphHeight * 1.9 && width < height * 0.14;
  const rule = width > glyphHeight * 3 && height < Math.max(3, width * 0.06);
  const frame = height > glyphHeight * 4 || width > glyphHeight * 14;
  // Text cursors, and areas of another background.
  const patch = height > glyphHeight * 1.7 && pixels > width * height * 0.85;
  return !guide && !rule && !frame && !patch;
}

/** The x-height: the median without dots, quotes and dashes. */
export function typicalHeight(components: readonly Component[]): number {
  const heights = components
    .map(({ top, bottom, left, right }) => ({ height: bottom - top, width: right - left }))
    .filter(({ height, width }) => height >= 4 && width <= height * 2 && height <= width * 6)
    .map(({ height }) => height)
    .toSorted((a, b) => a - b);
  const tall = heights[Math.floor(heights.length * 0.8)] ?? 0;
  const letters = heights.filter((height) => height > tall * 0.55 && height <= tall * 1.5);
  return letters[Math.floor(letters.length * 0.4)] ?? tall;
}

function wipe(data: Uint8Array, labels: Int32Array, wiped: ReadonlySet<number>, width: number): void {
  for (let at = 0; at < labels.length; at += 1) {
    if (!wiped.has(labels[at] ?? 0)) continue;
    // The soft edge goes too, unless it is a neighbor's.
    for (const row of [at - width, at, at + width]) {
      for (const near of [row - 1, row, row + 1]) {
        const other = labels[near];
        if (other === 0 || (other !== undefined && wiped.has(other))) data[near] = 0;
      }
    }
  }
}

function label({ width, height, data }: Ink) {
  const labels = new Int32Array(width * height);
  const components: Component[] = [];
  const stack: number[] = [];
  for (let start = 0; start < data.length; start += 1) {
    if ((data[start] ?? 0) < SOLID || labels[start] !== 0) continue;
    const number = components.length + 1;
    const box = { left: width, top: height, right: 0, bottom: 0, pixels: 0 };
    labels[start] = number;
    stack.push(start);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const x = at % width;
      const y = (at - x) / width;
      box.pixels += 1;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y + 1);
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny += 1) {
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx += 1) {
          const near = ny * width + nx;
          if (labels[near] !== 0 || (data[near] ?? 0) < SOLID) continue;
          labels[near] = number;
          stack.push(near);
        }
      }
    }
    components.push(box);
  }
  return { labels, components };
}
