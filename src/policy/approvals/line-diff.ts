import { shortestEdits } from './edit-path.ts';

export interface DiffOptions {
  readonly path: string;
  /** More changed lines are shown as all the old ones, then all the new ones. */
  readonly editsMax: number;
}

/** A unified diff, as `diff -u` and `patch` know it; empty when the texts are equal. */
export function unifiedDiff(before: string, after: string, { path, editsMax }: DiffOptions): string {
  if (before === after) return '';
  const old = linesOf(before);
  const fresh = linesOf(after);
  const hunks = hunksOf(editsOf(old, fresh, editsMax));
  const name = path.replaceAll(/[\r\n]/g, ' ');
  return [`--- ${name}`, `+++ ${name}`, ...hunks].join('\n');
}

const CONTEXT = 3;
const NO_NEWLINE = '\n\\ No newline at end of file';

/** A last line without its newline is another line than the same one with it. */
function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') return lines.slice(0, -1);
  return [...lines.slice(0, -1), `${lines.at(-1)}${NO_NEWLINE}`];
}

type Sign = ' ' | '-' | '+';
type Edit = readonly [sign: Sign, line: string];

function editsOf(old: readonly string[], fresh: readonly string[], editsMax: number): readonly Edit[] {
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  const most = Math.min(old.length, fresh.length) - head;
  while (tail < most && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  const middle = shortestEdits(removed, added, editsMax) ?? [
    ...removed.map((line): Edit => ['-', line]),
    ...added.map((line): Edit => ['+', line]),
  ];
  const same = (line: string): Edit => [' ', line];
  return [...old.slice(0, head).map(same), ...middle, ...old.slice(old.length - tail).map(same)];
}

/** Groups of changes with a few equal lines around them. */
function hunksOf(edits: readonly Edit[]): readonly string[] {
  const lines: string[] = [];
  let at = 0;
  let oldLine = 1;
  let freshLine = 1;
  while (at < edits.length) {
    const first = edits.findIndex(([sign], index) => index >= at && sign !== ' ');
    if (first === -1) break;
    const from = Math.max(at, first - CONTEXT);
    oldLine += from - at;
    freshLine += from - at;
    const to = endOfHunk(edits, first);
    const hunk = edits.slice(from, to);
    const olds = hunk.filter(([sign]) => sign !== '+').length;
    const freshs = hunk.filter(([sign]) => sign !== '-').length;
    lines.push(`@@ -${range(oldLine, olds)} +${range(freshLine, freshs)} @@`);
    for (const [sign, line] of hunk) lines.push(sign + line);
    oldLine += olds;
    freshLine += freshs;
    at = to;
  }
  return lines;
}

function endOfHunk(edits: readonly Edit[], first: number): number {
  let last = first;
  for (let index = first; index < edits.length && index <= last + 2 * CONTEXT; index += 1) {
    if (edits[index]?.[0] !== ' ') last = index;
  }
  return Math.min(edits.length, last + CONTEXT + 1);
}

/** An empty range is written with the line before it. */
function range(line: number, count: number): string {
  return count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`;
}
