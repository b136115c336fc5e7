import type { Component } from './components.ts';
import { findLines, type Line } from './lines.ts';

/**
 * Cuts the picture where a wide blank strip runs from top to bottom, as between a list of files
 * and the code beside it, and finds the lines of each part. Left to right, lines top to bottom.
 */
export function findBlocks(glyphs: readonly Component[], glyphHeight: number): readonly (readonly Line[])[] {
  const lines = findLines(glyphs, glyphHeight);
  // The bar of a window at the top or the bottom may run across the strip.
  const inner = lines.length < 6 ? lines : lines.slice(1, -1);
  for (const { from, to } of blankStrips(inner, glyphHeight)) {
    const left = glyphs.filter((glyph) => glyph.left + glyph.right < from + to);
    const right = glyphs.filter((glyph) => glyph.left + glyph.right >= from + to);
    if (
      isText(inner, { from: 0, to: from }, glyphHeight) &&
      isText(inner, { from: to, to: Infinity }, glyphHeight)
    ) {
      return [findLines(left, glyphHeight), ...findBlocks(right, glyphHeight)];
    }
  }
  return [lines];
}

interface Strip {
  readonly from: number;
  readonly to: number;
}

const STRIP_WIDTH = 2;

/** Strips without ink, from left to right. */
function blankStrips(lines: readonly Line[], glyphHeight: number): readonly Strip[] {
  const strips: Strip[] = [];
  let inkEnd: number | undefined;
  for (const { left, right } of lines.flatMap(({ glyphs }) => glyphs).toSorted((a, b) => a.left - b.left)) {
    if (inkEnd !== undefined && left - inkEnd >= glyphHeight * STRIP_WIDTH)
      strips.push({ from: inkEnd, to: left });
    inkEnd = Math.max(inkEnd ?? 0, right);
  }
  return strips;
}

/** Line numbers and lone brackets at the left edge of code are no block of their own: words are. */
function isText(lines: readonly Line[], { from, to }: Strip, glyphHeight: number): boolean {
  const widths = lines
    .map(({ glyphs }) => glyphs.filter((glyph) => glyph.left >= from && glyph.right <= to))
    .filter((glyphs) => glyphs.length > 0)
    .map((glyphs) => Math.max(...glyphs.map(({ right }) => right)) - (glyphs[0]?.left ?? 0))
    .toSorted((a, b) => a - b);
  return widths.length >= 3 && (widths[Math.floor(widths.length / 2)] ?? 0) >= glyphHeight * 4;
}
