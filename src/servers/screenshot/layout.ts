import { dropWrittenNumbers } from './gutter.ts';
import type { Line } from './lines.ts';

export interface PlacedText {
  readonly line: Line;
  readonly text: string;
  readonly onGrid: boolean;
}

/** Puts the lines together as they stood: indentation, empty lines, and prose apart from code. */
export function layOut(texts: readonly PlacedText[], glyphHeight: number): string {
  const code = texts.filter(({ onGrid }) => onGrid);
  const dedented = dedent(dropWrittenNumbers(code.map(({ text }) => text)));
  const leftmost = Math.min(...texts.map(({ line }) => line.glyphs[0]?.left ?? 0));
  const usual = usualStep(texts);
  const out: string[] = [];
  texts.forEach((placed, index) => {
    const before = texts[index - 1];
    const step = before ? placed.line.bottom - before.line.bottom : 0;
    if (before && (step > usual * 1.6 || before.onGrid !== placed.onGrid)) out.push('');
    // Without a grid, half the height of an x is about a space: equal indentation stays equal.
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
