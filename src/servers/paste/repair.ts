import { shortestEdits } from '../../base/edit-path.ts';
import { limits } from '../../base/limits.ts';
import type { MendedLine, PasteChange, PasteRepair } from './paste.ts';

/** Puts `by` in the place of a part of the text. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** In order of their place; of two that overlap, the first counts. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let out = '';
  let at = 0;
  for (const { from, to, by } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue;
    out += text.slice(at, from) + by;
    at = to;
  }
  return out + text.slice(at);
}

interface Mended {
  readonly pasted: string;
  /** The pasted text without invisible characters and marks before its lines. */
  readonly readable: string;
  readonly edits: readonly TextEdit[];
  readonly changes: readonly PasteChange[];
}

export function repairOf({ pasted, readable, edits, changes }: Mended): PasteRepair {
  const text = applyEdits(readable, edits);
  const distinct = new Map(changes.map((change) => [`${change.line} ${change.what}`, change]));
  return {
    text,
    changes: [...distinct.values()].toSorted((a, b) => a.line - b.line).slice(0, limits.pasteChangesMax),
    lines: mendedLines(linesOf(pasted), linesOf(text)).slice(0, limits.pasteChangesMax),
  };
}

function linesOf(text: string): readonly string[] {
  return text.replaceAll(/\r\n?/g, '\n').split('\n');
}

/** More than that isn't read by anybody, and the search for it takes quadratic time. */
const EDITS_MAX = 400;

/** What was removed stands beside what came in its place. */
function mendedLines(before: readonly string[], after: readonly string[]): readonly MendedLine[] {
  const found: MendedLine[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  let line = 1;
  const flush = (): void => {
    const from = line - removed.length;
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [was, is] = [removed[at], added[at]];
      const place = from + Math.min(at, Math.max(0, removed.length - 1));
      found.push({
        line: place,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      });
    }
    removed = [];
    added = [];
  };
  for (const [sign, text] of shortestEdits(before, after, EDITS_MAX) ?? []) {
    if (sign === '+') added.push(text);
    else {
      if (sign === ' ') flush();
      else removed.push(text);
      line += 1;
    }
  }
  flush();
  return found;
}
