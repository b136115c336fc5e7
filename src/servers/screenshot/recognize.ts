import type { Screenshot } from './read-screenshot.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { type Component, separateGlyphs, typicalHeight } from './components.ts';
import type { Engine } from './engine.ts';
import { fitGrid } from './grid.ts';
import { dropNumberColumn, dropWrittenNumbers } from './gutter.ts';
import { type Ink, inkOf } from './ink.ts';
import { imageOfLine, type Line, findLines } from './lines.ts';
import { readOnGrid } from './read-grid.ts';

/** Reads block by block; equal glyphs vote on what they are. */
export async function recognize(engine: Engine, image: Uint8Array): Promise<Screenshot> {
  const { ink, glyphs, glyphHeight } = separateGlyphs(inkOf(await engine.unpack(image)));
  if (glyphs.length === 0) return { text: '', confidence: 0 };
  if (glyphs.length > limits.screenshotGlyphsMax) {
    throw new PlugError('too_large', 'The picture shows far more than text: it may be a photo.', {
      owner: 'you',
      remedy: 'Cut the screenshot down to the part that shows the config, or paste the text itself.',
    });
  }
  const texts: string[] = [];
  const confidences: number[] = [];
  let left = limits.screenshotLinesMax;
  for (const lines of findBlocks(glyphs, glyphHeight)) {
    const block = await readBlock(engine, lines.slice(0, left), ink, glyphHeight);
    left -= Math.min(left, lines.length);
    texts.push(block.text);
    confidences.push(...block.confidences);
  }
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return { text: texts.join('\n\n'), confidence: Math.round(sum / Math.max(1, confidences.length)) };
}

async function readBlock(engine: Engine, all: readonly Line[], ink: Ink, glyphHeight: number) {
  const read = (line: Line) => engine.readLine(imageOfLine(ink, line, glyphHeight).bytes);
  const lines = await dropNumberColumn(all, glyphHeight, async (number) => (await read(number)).text);
  const gridded = fitGrid(ink, lines, glyphHeight);
  const onGrid = lines.filter((line) => gridded?.on.has(line));
  // Headings and prose must not decide the x-height of the code.
  const codeHeight = onGrid.length === 0 ? glyphHeight : typicalHeight(onGrid.flatMap((line) => line.glyphs));
  const code = gridded
    ? await readOnGrid(engine, onGrid, { ink, grid: gridded.grid, glyphHeight: codeHeight })
    : [];
  const texts: PlacedText[] = [];
  const confidences = code.flatMap((known) => known.confidences);
  for (const line of lines) {
    const known = code[onGrid.indexOf(line)];
    const { text, symbols } = known ? { text: known.text, symbols: [] } : await read(line);
    texts.push({ line, text, onGrid: known !== undefined });
    confidences.push(...symbols.map(({ confidence }) => confidence));
  }
  return { text: layOut(texts, glyphHeight), confidences };
}

/** Splits at wide blank vertical strips, as between a file list and code; left to right. */
function findBlocks(glyphs: readonly Component[], glyphHeight: number): readonly (readonly Line[])[] {
  const lines = findLines(glyphs, glyphHeight);
  // A window's bar at the top or bottom may cross the strip.
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

/** Line numbers and lone brackets are no block of their own. */
function isText(lines: readonly Line[], { from, to }: Strip, glyphHeight: number): boolean {
  const widths = lines
    .map(({ glyphs }) => glyphs.filter((glyph) => glyph.left >= from && glyph.right <= to))
    .filter((glyphs) => glyphs.length > 0)
    .map((glyphs) => Math.max(...glyphs.map(({ right }) => right)) - (glyphs[0]?.left ?? 0))
    .toSorted((a, b) => a - b);
  return widths.length >= 3 && (widths[Math.floor(widths.length / 2)] ?? 0) >= glyphHeight * 4;
}

interface PlacedText {
  readonly line: Line;
  readonly text: string;
  readonly onGrid: boolean;
}

function layOut(texts: readonly PlacedText[], glyphHeight: number): string {
  const code = texts.filter(({ onGrid }) => onGrid);
  const dedented = dedent(dropWrittenNumbers(code.map(({ text }) => text)));
  const leftmost = Math.min(...texts.map(({ line }) => line.glyphs[0]?.left ?? 0));
  const usual = usualStep(texts);
  const out: string[] = [];
  texts.forEach((placed, index) => {
    const before = texts[index - 1];
    const step = before ? placed.line.bottom - before.line.bottom : 0;
    if (before && (step > usual * 1.6 || before.onGrid !== placed.onGrid)) out.push('');
    // Without a grid, half an x-height is about a space.
    const indent =
      code.length > 0 ? 0 : Math.round(((placed.line.glyphs[0]?.left ?? 0) - leftmost) / (glyphHeight * 0.5));
    out.push(placed.onGrid ? (dedented[code.indexOf(placed)] ?? '') : ' '.repeat(indent) + placed.text);
  });
  return out.join('\n');
}

function dedent(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const shared = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return lines.map((line) => line.slice(shared).trimEnd());
}

function usualStep(texts: readonly PlacedText[]): number {
  const steps = texts.slice(1).map(({ line }, index) => line.bottom - (texts[index]?.line.bottom ?? 0));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}
