/**
 * Sorts by code units. Databases sort text each by their own rules, so that lists are
 * put in order here: all storages answer alike.
 */
export function sortedBy<T>(rows: readonly T[], keyOf: (row: T) => string): readonly T[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row);
}

/** Counts come from faces; a negative one would mean “no limit” to some databases. */
export function boundedCount(count: number, max: number): number {
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
