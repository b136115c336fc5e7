import type { Component } from './components.ts';
import type { Line } from './lines.ts';

/** An editor's line numbers: short, aligned, and apart from the text. Only reading tells for sure. */
export async function dropNumberColumn(
  lines: readonly Line[],
  glyphHeight: number,
  read: (line: Line) => Promise<string>,
): Promise<readonly Line[]> {
  const heads = lines.map((line) => headOf(line, glyphHeight));
  const found = heads.filter((head) => head !== undefined);
  const edge = mostCommon(found.map(({ right }) => Math.round(right / (glyphHeight * EDGE_SLACK))));
  const isFlush = (head: Head): boolean =>
    Math.abs(Math.round(head.right / (glyphHeight * EDGE_SLACK)) - edge) <= 1;
  const flush = found.filter(isFlush);
  if (flush.length < 3 || flush.length < lines.length * 0.5) return lines;
  const asked = flush.filter((_head, index) => index % Math.ceil(flush.length / ASKED_MAX) === 0);
  const texts: string[] = [];
  for (const { line, glyphs } of asked)
    texts.push((await read({ ...line, glyphs })).replaceAll(/[\s.,]/g, ''));
  if (!areNumbers(texts)) return lines;
  return lines.flatMap((line, index) => {
    const head = heads[index];
    if (!head || !isFlush(head)) return [line];
    const rest = line.glyphs.slice(head.glyphs.length);
    return rest.length === 0 ? [] : [{ ...line, glyphs: rest }];
  });
}

/** Small digits are often misread, but never as brackets, quotes or long words. */
function areNumbers(texts: readonly string[]): boolean {
  const short = texts.filter((text) => /^[\w|]{1,5}$/.test(text)).length;
  const digits = texts.filter((text) => /\d/.test(text)).length;
  return short >= texts.length * 0.7 && digits >= texts.length * 0.4;
}

interface Head {
  readonly line: Line;
  readonly glyphs: readonly Component[];
  readonly right: number;
}

const EDGE_SLACK = 0.4;
const ASKED_MAX = 8;
/** In x-heights: more than one space. */
const GAP = 1.3;
const NUMBER_WIDTH_MAX = 6;

function headOf(line: Line, glyphHeight: number): Head | undefined {
  const first = line.glyphs[0];
  if (!first) return undefined;
  let right = first.right;
  let count = 1;
  for (const glyph of line.glyphs.slice(1)) {
    if (glyph.left - right >= glyphHeight * GAP) break;
    right = Math.max(right, glyph.right);
    count += 1;
  }
  if (right - first.left > glyphHeight * NUMBER_WIDTH_MAX) return undefined;
  return { line, glyphs: line.glyphs.slice(0, count), right };
}

/** Removes line numbers on the text's own grid, as in a terminal. */
export function dropWrittenNumbers(lines: readonly string[]): readonly string[] {
  const numbers = lines.map((line) => /^\s*(\d{1,5})(?=\s|$)/.exec(line));
  const numbered = numbers.filter((found) => found !== null);
  const starts = numbers.flatMap((found, index) => (found ? [Number(found[1]) - index] : []));
  const start = mostCommon(starts);
  const steady = starts.filter((value) => value === start).length;
  if (steady < 2 || numbered.length < lines.length * 0.5 || steady < numbered.length * 0.5) return lines;
  // Numbers are right-aligned: the usual end also holds for misread ones.
  const end = mostCommon(numbered.map(([all]) => all.length));
  return lines.map((line, index) => {
    const own = numbers[index]?.[0].length ?? (/^\s*\S{1,5}$/.test(line.slice(0, end)) ? end : 0);
    return ' '.repeat(own) + line.slice(own);
  });
}

function mostCommon(values: readonly number[]): number {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? 0;
}
