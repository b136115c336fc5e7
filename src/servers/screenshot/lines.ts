import type { Component } from './components.ts';

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
