import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { findBlocks } from './blocks.ts';
import { separateGlyphs, typicalHeight } from './components.ts';
import type { Engine } from './engine.ts';
import { fitGrid } from './grid.ts';
import { dropNumberColumn } from './gutter.ts';
import { inkOf, type Ink } from './ink.ts';
import { layOut, type PlacedText } from './layout.ts';
import { imageOfLine } from './line-image.ts';
import type { Line } from './lines.ts';
import { readOnGrid } from './read-grid.ts';

/** Text as it stands in the picture, with its indentation. */
export interface Recognised {
  readonly text: string;
  /** 0 to 100: the engine's own opinion, on average over all characters. */
  readonly confidence: number;
}

/** Unpacks the picture, reads it block by block, and lets equal glyphs agree on what they are. */
export async function recognise(engine: Engine, image: Uint8Array): Promise<Recognised> {
  const { ink, glyphs, glyphHeight } = separateGlyphs(inkOf(await engine.unpack(image)));
  if (glyphs.length === 0) return { text: '', confidence: 0 };
  if (glyphs.length > limits.screenshotGlyphsMax) {
    throw new PlugError('too_large', 'The picture shows far more than text: it may be a photo.', {
      owner: 'you',
      next: 'Cut the screenshot down to the part that shows the config, or paste the text itself.',
    });
  }
  const texts: string[] = [];
  const confidences: number[] = [];
  let left = limits.screenshotLinesMax;
  for (const lines of findBlocks(glyphs, glyphHeight)) {
    const block = await readBlock(engine, lines.slice(0, left), { ink, glyphHeight });
    left -= Math.min(left, lines.length);
    texts.push(block.text);
    confidences.push(...block.confidences);
  }
  const sum = confidences.reduce((total, confidence) => total + confidence, 0);
  return { text: texts.join('\n\n'), confidence: Math.round(sum / Math.max(1, confidences.length)) };
}

interface Block {
  readonly text: string;
  readonly confidences: readonly number[];
}

async function readBlock(
  engine: Engine,
  all: readonly Line[],
  { ink, glyphHeight }: { readonly ink: Ink; readonly glyphHeight: number },
): Promise<Block> {
  const lines = await dropNumberColumn(all, glyphHeight, async (number) => {
    const { text } = await engine.readLine(imageOfLine(ink, number, glyphHeight).bytes);
    return text;
  });
  const gridded = fitGrid(ink, lines, glyphHeight);
  const onGrid = lines.filter((line) => gridded?.on.has(line));
  // Headings and prose around the code must not decide how high the code's letters are.
  const codeHeight = onGrid.length === 0 ? glyphHeight : typicalHeight(onGrid.flatMap((line) => line.glyphs));
  const code = gridded
    ? await readOnGrid(engine, onGrid, { ink, grid: gridded.grid, glyphHeight: codeHeight })
    : [];
  const texts: PlacedText[] = [];
  const confidences = code.flatMap((read) => read.confidences);
  for (const line of lines) {
    const read = code[onGrid.indexOf(line)];
    if (read) {
      texts.push({ line, text: read.text, onGrid: true });
      continue;
    }
    const { text, symbols } = await engine.readLine(imageOfLine(ink, line, glyphHeight).bytes);
    texts.push({ line, text, onGrid: false });
    confidences.push(...symbols.map(({ confidence }) => confidence));
  }
  return { text: layOut(texts, glyphHeight), confidences };
}
