import { RE2JS, RE2JSException } from 're2js';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { safeBorder, pageOf } from './cut.ts';

export interface GrepMatch {
  /** From 1. */
  readonly line: number;
  readonly page: number;
  readonly text: string;
}

export interface GrepFound {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
}

/** RE2 is linear in the text. Very long lines are searched in parts; a match across two parts is missed. */
export function grepText(text: string, pattern: string, limits: Limits): GrepFound {
  const find = finderOf(pattern, limits);
  const matches: GrepMatch[] = [];
  let line = 0;
  for (let from = 0; from <= text.length;) {
    const newline = text.indexOf('\n', from);
    const to = newline === -1 ? text.length : newline;
    line += 1;
    const hit = firstHit(text, { from, to }, find, limits.resultLineCharsMax);
    if (hit) {
      if (matches.length >= limits.resultMatchesMax) return { matches, truncated: true };
      const shown = around(text, { from, to }, hit, limits.resultMatchCharsMax);
      matches.push({ line, page: pageOf(text, hit.from, limits.resultPageChars), text: shown });
    }
    from = to + 1;
  }
  return { matches, truncated: false };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

type Find = (part: string) => Span | undefined;

function finderOf(pattern: string, limits: Limits): Find {
  if (pattern === '' || pattern.length > limits.resultPatternCharsMax) {
    const why = pattern === '' ? 'is empty' : `is longer than ${limits.resultPatternCharsMax} characters`;
    throw badPattern(`The pattern ${why}.`);
  }
  // Plain text is searched without RE2, many times faster.
  if (!/[\\^$.|?*+()[\]{}]/.test(pattern)) {
    return (part) => {
      const at = part.indexOf(pattern);
      return at === -1 ? undefined : { from: at, to: at + pattern.length };
    };
  }
  try {
    const compiled = RE2JS.compile(pattern);
    return (part) => {
      if (!compiled.test(part)) return undefined;
      const matcher = compiled.matcher(part);
      return matcher.find() ? { from: matcher.start(), to: matcher.end() } : undefined;
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    throw badPattern(`“${pattern}” is not a regular expression that can be searched for: ${error.message}.`);
  }
}

function badPattern(message: string): PlugError {
  return new PlugError('usage', message, {
    owner: 'you',
    remedy: 'Write it in RE2 syntax; (?i) at its start ignores case, and look-around is not available.',
  });
}

function firstHit(text: string, line: Span, find: Find, partChars: number): Span | undefined {
  for (let from = line.from; ;) {
    const to = safeBorder(text, Math.min(line.to, from + partChars));
    const hit = find(text.slice(from, to));
    if (hit) return { from: from + hit.from, to: from + hit.to };
    if (to >= line.to) return undefined;
    from = to;
  }
}

function around(text: string, line: Span, hit: Span, charsMax: number): string {
  if (line.to - line.from <= charsMax) return text.slice(line.from, line.to);
  const lead = Math.floor(charsMax / 4);
  const from = safeBorder(text, Math.max(line.from, Math.min(hit.from - lead, line.to - charsMax)));
  const to = safeBorder(text, Math.min(line.to, from + charsMax));
  return `${from > line.from ? '…' : ''}${text.slice(from, to)}${to < line.to ? '…' : ''}`;
}
