import { cliLimits } from '../limits.ts';
import type { Piece } from '../output.ts';
import { textWidth } from './width.ts';

/**
 * A sentence behind its lead, broken at words where the terminal would break it anywhere; what follows
 * stands beneath its beginning. Not for commands: a line end would be copied with them.
 */
export function proseLines(
  lead: readonly Piece[],
  said: Piece,
  width: number,
): readonly (readonly Piece[])[] {
  const indent = textWidth(lead.map(textOf).join(''));
  const room = width - indent;
  if (!Number.isFinite(room) || room < cliLimits.proseWidthMin) return [[...lead, said]];
  const lines = textOf(said).split('\n');
  const [first = '', ...more] = lines.flatMap((line) => wrapped(line, room));
  const paint = (text: string): Piece => (typeof said === 'string' ? text : { ...said, text });
  return [
    [...lead, paint(first)],
    ...more.map((line): readonly Piece[] => [' '.repeat(indent), paint(line)]),
  ];
}

function textOf(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

/** Lines of at most this many columns; a word that is longer stays whole. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  const [indent = ''] = /^ */.exec(text) ?? [];
  const [first = '', ...words] = text.slice(indent.length).split(' ');
  let line = indent + first;
  for (const word of words) {
    if (textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = `${line} ${word}`;
  }
  return [...lines, line];
}
