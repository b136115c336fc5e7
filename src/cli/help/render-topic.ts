import { cliLimits } from '../limits.ts';
import type { Piece } from '../output.ts';
import { wrapped } from '../render/prose.ts';
import type { Topic } from './topic.ts';

/** A page as lines, wrapped to the width. */
export function renderTopic({ title, text }: Topic, width: number): readonly (readonly Piece[])[] {
  const room = Math.max(cliLimits.widthMin, Math.min(width, cliLimits.proseWidthMax));
  return [
    [{ style: 'strong', text: title }],
    [],
    ...text
      .replace(/^\n+|\n+$/g, '')
      .split('\n')
      .flatMap((line) => linesOf(line, room)),
  ];
}

function linesOf(line: string, width: number): readonly (readonly Piece[])[] {
  if (line.startsWith('  ')) return [[line]];
  if (/^[A-Z][A-Z ]+$/.test(line)) return [[{ style: 'strong', text: line }]];
  return wrapped(line, width).map((one) => [one]);
}
