import type { Component } from './components.ts';
import type { Ink } from './ink.ts';

export interface Line {
  readonly top: number;
  readonly bottom: number;
  readonly glyphs: readonly Component[];
}

export function findLines(glyphs: readonly Component[], glyphHeight: number): readonly Line[] {
  const lines: Growing[] = [];
  // Tall glyphs make the lines; dots, quotes and dashes join the nearest.
  const tall = glyphs.filter(({ top, bottom }) => bottom - top >= glyphHeight * 0.7);
  for (const glyph of tall.toSorted((a, b) => middle(a) - middle(b))) {
    const line = lines.findLast(
      (other) =>
        glyph.top < other.bottom &&
        glyph.bottom > other.top &&
        Math.abs(middle(glyph) - other.middle) < glyphHeight * 0.75,
    );
    if (line) grow(line, glyph);
    else lines.push({ top: glyph.top, bottom: glyph.bottom, middle: middle(glyph), glyphs: [glyph] });
  }
  for (const glyph of glyphs.filter(({ top, bottom }) => bottom - top < glyphHeight * 0.7)) {
    const near = lines
      .map((line) => ({ line, distance: Math.max(line.top - middle(glyph), middle(glyph) - line.bottom, 0) }))
      .toSorted((a, b) => a.distance - b.distance)[0];
    if (near && near.distance <= glyphHeight * 0.6) near.line.glyphs.push(glyph);
  }
  return lines
    .map(({ glyphs: members }) => ({
      top: Math.min(...members.map(({ top }) => top)),
      bottom: Math.max(...members.map(({ bottom }) => bottom)),
      glyphs: members.toSorted((a, b) => a.left - b.left),
    }))
    .toSorted((a, b) => a.top - b.top);
}

interface Growing {
  top: number;
  bottom: number;
  middle: number;
  glyphs: Component[];
}

function grow(line: Growing, glyph: Component): void {
  line.glyphs.push(glyph);
  line.top = Math.min(line.top, glyph.top);
  line.bottom = Math.max(line.bottom, glyph.bottom);
  const count = line.glyphs.length;
  line.middle += (middle(glyph) - line.middle) / count;
}

function middle({ top, bottom }: Component): number {
  return (top + bottom) / 2;
}

interface LineImage {
  /** PGM, the simplest format that the engine reads. */
  readonly bytes: Uint8Array;
  toPictureX(x: number): number;
}

/** The x-height that the engine reads best (measured). */
const GLYPH_HEIGHT = 22;
const MARGIN = 12;

export function imageOfLine(ink: Ink, line: Line, glyphHeight: number): LineImage {
  const left = Math.max(0, Math.min(...line.glyphs.map((glyph) => glyph.left)) - 2);
  const right = Math.min(ink.width, Math.max(...line.glyphs.map((glyph) => glyph.right)) + 2);
  const top = Math.max(0, line.top - 1);
  const bottom = Math.min(ink.height, line.bottom + 1);
  const scale = GLYPH_HEIGHT / glyphHeight;
  const innerWidth = Math.max(1, Math.round((right - left) * scale));
  const innerHeight = Math.max(1, Math.round((bottom - top) * scale));
  const width = innerWidth + 2 * MARGIN;
  const header = Buffer.from(`P5\n${width} ${innerHeight + 2 * MARGIN}\n255\n`);
  const bytes = Buffer.alloc(header.length + width * (innerHeight + 2 * MARGIN), 255);
  header.copy(bytes);
  for (let y = 0; y < innerHeight; y += 1) {
    const sourceY = clamp((y + 0.5) / scale - 0.5 + top, top, bottom - 1);
    const row = header.length + (y + MARGIN) * width + MARGIN;
    for (let x = 0; x < innerWidth; x += 1) {
      const sourceX = clamp((x + 0.5) / scale - 0.5 + left, left, right - 1);
      bytes[row + x] = 255 - between(ink, sourceX, sourceY);
    }
  }
  return { bytes, toPictureX: (x) => (x - MARGIN) / scale + left };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

function between(ink: Ink, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(ink.width - 1, left + 1);
  const bottom = Math.min(ink.height - 1, top + 1);
  const at = (column: number, row: number): number => ink.data[row * ink.width + column] ?? 0;
  const upper = at(left, top) * (1 - x + left) + at(right, top) * (x - left);
  const lower = at(left, bottom) * (1 - x + left) + at(right, bottom) * (x - left);
  return Math.round(upper * (1 - y + top) + lower * (y - top));
}
