import { createHash } from 'node:crypto';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { PlugError } from '../../base/errors.ts';
import type { Tables } from './schema.ts';

/** JSON escapes what a text column cannot hold, such as NUL characters in a server's output. */
export function toBody(value: object): string {
  return JSON.stringify(value);
}

/** Only the stores write rows, so each may take its own type back out of its table. */
export function fromBody(
  table: string,
  body: string,
  parse: (text: string) => unknown = JSON.parse,
): unknown {
  try {
    return parse(body);
  } catch (cause) {
    throw new PlugError('storage_failed', `A row of the table “${table}” is not readable.`, {
      owner: 'plugboard',
      remedy: 'Restore the database from a backup, or delete the damaged row.',
      details: { table },
      cause,
    });
  }
}

/** Short printable text as it is, anything else as its hash: every database can hold and index it. */
export function columnKey(text: string): string {
  if (/^[ -~]{1,200}$/.test(text) && !text.startsWith(HASHED)) return text;
  return HASHED + createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

const HASHED = 'sha256:';

/** Without the owner: whose rows these are is said by `OwnRows`. */
type KeyColumn = Exclude<{ [Table in keyof Tables]: keyof Tables[Table] }[keyof Tables], 'owner'>;

/** The condition that these columns hold the keys of these texts. */
export function keys(texts: Readonly<Partial<Record<KeyColumn, string>>>): RawBuilder<SqlBool> {
  const parts = Object.entries(texts).map(([column, text]) => sql`${sql.ref(column)} = ${columnKey(text)}`);
  return sql<SqlBool>`${sql.join(parts, sql` and `)}`;
}

/** In an upsert: the values that were to be inserted, for these columns. */
export function excluded<Name extends string>(...names: readonly Name[]): Record<Name, RawBuilder<never>> {
  const values = names.map((name) => [name, sql.ref(`excluded.${name}`)]);
  return Object.fromEntries(values) as Record<Name, RawBuilder<never>>; // one for each column
}

/** Sorts by code units. Databases sort text by different rules, so lists are sorted here. */
export function sortedBy<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

/** Counts come from callers; a negative one would mean “no limit” to some databases. */
export function boundedCount(count: number, max: number = Number.MAX_SAFE_INTEGER): number {
  return Number.isNaN(count) ? 0 : Math.trunc(Math.min(Math.max(count, 0), max));
}

/** Times are whole milliseconds in every database; “after 1.5” is the same as “after 1”. */
export function boundedTime(ms: number): number {
  const max = Number.MAX_SAFE_INTEGER;
  return Number.isNaN(ms) ? 0 : Math.floor(Math.min(Math.max(ms, -max), max));
}

/** The first whole millisecond that is not before this moment. */
export function boundedTimeFrom(ms: number): number {
  return boundedTime(Math.ceil(ms));
}
