import type { TextDifference } from '../hub/hub.ts';

/** Only where two texts differ: the rest of a client's file may hold keys. Undefined when they are the same. */
export function textDifference(given: string, wanted: string): TextDifference | undefined {
  const [before, after] = [withoutTokens(given), withoutTokens(wanted)];
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

/** Shown text may end in a log; our token belongs only in the file. */
function withoutTokens(text: string): string {
  return text.replaceAll(/plughost_[\w-]+/g, 'plughost_…');
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}
