import { shortestEdits } from '../../../src/base/edit-path.ts';

/** One row of two texts side by side. */
export interface LinePair {
  readonly before?: string;
  readonly after?: string;
  readonly same: boolean;
}

/** Two texts line by line: what stayed stands beside itself, what changed beside what it became. */
export function pairLines(
  before: string,
  after: string,
): { readonly pairs: readonly LinePair[]; readonly left: number } {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const edits = shortestEdits(old, fresh, EDITS_MAX) ?? [
    ...old.map((line) => ['-', line] as const),
    ...fresh.map((line) => ['+', line] as const),
  ];
  const pairs: LinePair[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [was, is] = [removed[at], added[at]];
      pairs.push({
        same: false,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      });
    }
    removed = [];
    added = [];
  };
  for (const [sign, line] of edits) {
    if (sign === '-') removed.push(line);
    else if (sign === '+') added.push(line);
    else {
      flush();
      pairs.push({ before: line, after: line, same: true });
    }
  }
  flush();
  return { pairs: pairs.slice(0, PAIRS_MAX), left: Math.max(0, pairs.length - PAIRS_MAX) };
}

const EDITS_MAX = 1_000;
const PAIRS_MAX = 2_000;

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replaceAll('\r\n', '\n').split('\n');
}
