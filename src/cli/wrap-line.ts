import { cliLimits } from './limits.ts';
import { oneLine } from './sanitize.ts';
import { textWidth } from './render/text.ts';

/** A piece of a line, with or without a style. */
type Part = string | { readonly text: string; readonly whole?: true };

/**
 * A line of ours that is longer than the terminal is broken at words, beneath its own beginning. A command is
 * never broken: the line break would be copied with it.
 */
export function wrapLine<P extends Part>(
  pieces: readonly P[],
  width: number,
): readonly (readonly (P | string)[])[] {
  const text = pieces.map((piece) => oneLine(textOf(piece))).join('');
  if (!Number.isFinite(width) || textWidth(text) <= width) return [pieces];
  const indent = ' '.repeat(indentOf(pieces, text, width));
  const lines: (P | string)[][] = [[]];
  let used = 0;
  for (const run of runsOf(wordsOf(pieces))) {
    const words = run.map((word) => word.text).join('');
    const isFull = used + textWidth(words.trimEnd()) > width && used > indent.length;
    if (isFull) {
      lines.push(indent === '' ? [] : [indent]);
      used = indent.length;
    }
    lines.at(-1)?.push(...run.map(({ text: word, piece }) => withText(piece, word)));
    used += textWidth(words);
  }
  return lines.map(withoutTrail);
}

/**
 * Words that stay together: those of two pieces without a blank between them; and what begins rows of ours begins
 * no broken line, which could be a server's text.
 */
function runsOf<P>(words: readonly Word<P>[]): readonly (readonly Word<P>[])[] {
  const runs: Word<P>[][] = [];
  let before = ' ';
  for (const word of words) {
    const last = runs.at(-1);
    const isApart = /\s$/.test(before) || /^\s/.test(word.text);
    if (last && (!isApart || OWN_ROW.test(word.text))) last.push(word);
    else runs.push([word]);
    before = word.text;
  }
  return runs;
}

const OWN_ROW = /^\s*(?:[✔✖⚠●│]|(?:next|owner|cause)\b|Next:)/u;

/** Beneath the text behind a label or a sign; deeper than our own rows, so that no foreign word begins one. */
function indentOf(pieces: readonly Part[], text: string, width: number): number {
  const [first = ''] = pieces;
  const label = pieces.length > 1 && /\s$/.test(textOf(first)) ? textWidth(oneLine(textOf(first))) : 0;
  const blanks = /^ */.exec(text)?.[0].length ?? 0;
  const indent = Math.max(label, blanks, CONTINUED_INDENT);
  return width - indent < cliLimits.proseWidthMin ? 0 : indent;
}

const CONTINUED_INDENT = 4;

interface Word<P> {
  readonly text: string;
  readonly piece: P;
}

/** Words with the blanks behind them; what must not be broken is one word. */
function wordsOf<P extends Part>(pieces: readonly P[]): readonly Word<P>[] {
  return pieces.flatMap((piece, index): readonly Word<P>[] => {
    const text = oneLine(textOf(piece));
    if (typeof piece !== 'string' && piece.whole) return [{ text, piece }];
    const command = (index === 0 ? COMMAND_BEHIND : COMMAND).exec(text);
    const prose = command === null ? text : text.slice(0, command.index);
    const words = prose.match(/^ *\S+ *|\S+ *|^ +$/g) ?? [];
    return [...words, ...(command === null ? [] : [text.slice(command.index)])].map((word) => ({
      text: word,
      piece,
    }));
  });
}

/** As `ownCommand` calls this program. */
const OWN = String.raw`(?:(?:npx )?plug|node \S+\.[jt]s) [a-z].*$`;
const COMMAND_BEHIND = new RegExp(`(?<=: |→ |^ +)${OWN}`);
const COMMAND = new RegExp(`(?<=^|: |→ |^ +)${OWN}`);

/** A blank at the end of a line would be seen when it is copied. */
function withoutTrail<P extends Part>(line: readonly P[]): readonly (P | string)[] {
  const last = line.at(-1);
  if (last === undefined) return line;
  const text = textOf(last).trimEnd();
  return [...line.slice(0, -1), withText(last, text)];
}

function textOf(piece: Part): string {
  return typeof piece === 'string' ? piece : piece.text;
}

function withText<P extends Part>(piece: P, text: string): P | string {
  return typeof piece === 'string' ? text : Object.assign({}, piece, { text });
}
