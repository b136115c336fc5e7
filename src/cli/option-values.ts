import type { PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { userError } from './failures.ts';

/** A moment to come: a span such as 2h or 30d, or a date. A bare date counts to its end. */
export function parseUntil(text: string, now: number): number {
  const span = spanMs(text);
  const until = span === undefined ? parseDate(text, 'end') : now + span;
  if (until === undefined) throw unreadable('--until', text);
  if (until > now) return until;
  throw userError('usage', `${text} is over already.`, { remedy: 'Write --until 2h or a later date.' });
}

/** A moment that has been: a span back from now, or a date. A bare date counts from its beginning. */
export function parseSince(text: string, now: number): number {
  const span = spanMs(text);
  const since = span === undefined ? parseDate(text, 'beginning') : Math.max(0, now - span);
  if (since === undefined) throw unreadable('--since', text);
  return since;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function spanMs(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text.trim()) ?? [];
  const unitMs = UNITS_MS[unit];
  return unitMs === undefined ? undefined : Number(amount) * unitMs;
}

/** A bare date is a day where the person is; with a time it is what ISO 8601 says. */
function parseDate(text: string, edge: 'beginning' | 'end'): number | undefined {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  if (!day) return /^\d{4}-\d{2}-\d{2}T/.test(text.trim()) ? finite(Date.parse(text)) : undefined;
  const [year, month, date] = day.slice(1).map(Number) as [number, number, number]; // three groups of digits
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1 || start.getDate() !== date) return undefined; // such as 30 February
  return edge === 'beginning' ? start.getTime() : new Date(year, month - 1, date + 1).getTime() - 1;
}

function finite(moment: number): number | undefined {
  return Number.isFinite(moment) ? moment : undefined;
}

function unreadable(option: string, text: string): PlugError {
  return userError('usage', `${option} does not understand “${text.slice(0, 60)}”.`, {
    remedy: `Write a span such as 2h or 30d, or a date such as 2026-12-01 or 2026-12-01T18:00.`,
  });
}

export function parsePattern(words: readonly string[]): Readonly<Record<string, string>> {
  const entries = words.flatMap((word) =>
    word.trimStart().startsWith('{') ? fromJson(word) : [fromWord(word)],
  );
  const seen = new Set<string>();
  for (const [path] of entries) {
    if (seen.has(path)) throw wrong(`${path} is given twice.`);
    seen.add(path);
  }
  return Object.fromEntries(entries);
}

function fromWord(word: string): readonly [string, string] {
  const at = word.indexOf('=');
  if (at < 1) throw wrong(`“${word.slice(0, 60)}” isn’t a pattern.`);
  return [word.slice(0, at), word.slice(at + 1)];
}

function fromJson(text: string): readonly (readonly [string, string])[] {
  const value = parse(text);
  if (!isObject(value)) throw wrong('A pattern in JSON is one object.');
  return Object.entries(value).map(([path, glob]) => {
    if (typeof glob === 'string') return [path, glob] as const;
    if (typeof glob === 'number' || typeof glob === 'boolean') return [path, String(glob)] as const;
    throw wrong(`${path}: name the inner argument with a dot, as in repo.owner=acme.`);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // said by the caller, like everything that is no object
  }
}

function wrong(message: string): PlugError {
  return userError('usage', message, {
    remedy: "Write path=glob, as in --args 'repo=acme/*', or a JSON object.",
  });
}
