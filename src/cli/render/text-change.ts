export interface TextChange {
  /** Of the first changed line, counted from 1. */
  readonly line: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/**
 * The one place where two texts differ, and nothing around it: the rest of a client's file may
 * hold keys, and is no business of the screen.
 */
export function textChange(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // An entry starts at the beginning of its line, where only blanks stand before it.
  const indent = /[ \t]*$/.exec(after.slice(0, start))?.[0].length ?? 0;
  const from = start - indent;
  return {
    line: after.slice(0, start).split('\n').length,
    removed: linesOf(before.slice(from, before.length - end)),
    added: linesOf(after.slice(from, after.length - end)),
  };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  while (lines.length > 0 && lines[0] === '') lines.shift();
  return lines;
}
