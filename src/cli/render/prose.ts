import { cliLimits } from '../limits.ts';
import { pieceText, type Piece } from '../output.ts';
import { oneLine } from '../sanitize.ts';
import { textWidth } from './text.ts';

/** Breaks a sentence at words behind its lead. Not for commands: the line break would be copied too. */
export function proseLines(
  lead: readonly Piece[],
  said: Piece,
  width: number,
): readonly (readonly Piece[])[] {
  const indent = textWidth(lead.map(pieceText).join(''));
  const room = width - indent;
  const moreIndent = Math.max(indent, CONTINUED_INDENT);
  if (!Number.isFinite(room) || room < cliLimits.proseWidthMin) return [[...lead, said]];
  const [first = '', ...more] = wrapped(oneLine(pieceText(said)), room, width - moreIndent);
  const paint = (text: string): Piece => (typeof said === 'string' ? text : { ...said, text });
  return [
    [...lead, paint(first)],
    ...more.map((line): readonly Piece[] => [' '.repeat(moreIndent), paint(line)]),
  ];
}

/** Deeper than our own rows, such as `  next`: a word of a server may come to stand at the beginning. */
const CONTINUED_INDENT = 4;

/** Lines of at most this many columns, the first and all others; a word that is longer stays whole. */
export function wrapped(text: string, width: number, more: number = width): readonly string[] {
  const lines: string[] = [];
  const [indent = ''] = /^ */.exec(text) ?? [];
  const [first = '', ...words] = text.slice(indent.length).split(' ');
  let line = indent + first;
  for (const word of words) {
    if (textWidth(line) + 1 + textWidth(word) > (lines.length === 0 ? width : more)) {
      lines.push(line);
      line = word;
    } else line = `${line} ${word}`;
  }
  return [...lines, line];
}
