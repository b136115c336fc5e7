import type { Kysely, Transaction } from 'kysely';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

/** Rows that go into one statement: databases bound the number of its parameters. */
const BATCH = 100;

export function batchesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH);
  return Array.from({ length: count }, (_, index) => items.slice(index * BATCH, (index + 1) * BATCH));
}

/** Several statements that happen all or not at all. As a whole they may be repeated. */
export function together<T>(
  { db, run }: { readonly db: Kysely<Tables>; readonly run: Run },
  work: (db: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return run(() => db.transaction().execute(work));
}

/** SQLite works while the process stands still: between large steps everybody else has their turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
