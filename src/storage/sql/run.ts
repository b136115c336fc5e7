import type { DeleteResult, Kysely } from 'kysely';
import { backoffMs } from '../../base/backoff.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import type { StorageTiming } from '../storage.ts';
import type { OwnedTable, OwnRows } from './own-rows.ts';
import type { Tables } from './schema.ts';

/** Runs one statement to its end. Every query of the stores goes through one. */
export type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** What the stores know of a database. The way to the rows of an owner leads through the owner. */
export interface Database {
  /** One statement about the rows of an owner. */
  own<T>(owner: OwnerId, work: (rows: OwnRows) => Promise<T>): Promise<T>;
  /** Several statements that happen all or not at all. As a whole they may be repeated. */
  together<T>(owner: OwnerId, work: (rows: OwnRows) => Promise<T>): Promise<T>;
  /** Tables that belong to no owner. */
  unowned<T>(work: (db: Kysely<Omit<Tables, OwnedTable>>) => Promise<T>): Promise<T>;
}

/** How a database keeps work to the rows of an owner, who is given as the column has it. */
export interface Scope {
  one<T>(db: Kysely<Tables>, owner: string, work: (rows: OwnRows) => Promise<T>): Promise<T>;
  together<T>(db: Kysely<Tables>, owner: string, work: (rows: OwnRows) => Promise<T>): Promise<T>;
}

export interface Faults {
  /** The same statement may succeed in a moment: the file is busy, the server restarts. */
  isTransient(error: unknown): boolean;
  toPlugError(error: unknown): PlugError;
}

/** Every statement can be repeated without harm; only the count of a repeated delete may be too low. */
export function retrying(faults: Faults, totalMs: number, { clock, ids }: StorageTiming): Run {
  return async (work) => {
    const deadline = clock.monotonic() + totalMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof PlugError) throw error;
        if (!faults.isTransient(error) || clock.monotonic() >= deadline) throw faults.toPlugError(error);
        const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
        await clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }));
      }
    }
  };
}

/** Rows that go into one statement: databases bound the number of its parameters. */
const BATCH = 100;

export function batchesOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / BATCH);
  return Array.from({ length: count }, (_, index) => items.slice(index * BATCH, (index + 1) * BATCH));
}

interface Deleting {
  executeTakeFirst(): Promise<DeleteResult>;
}

export async function deleted(query: Deleting): Promise<number> {
  return Number((await query.executeTakeFirst()).numDeletedRows);
}

/** SQLite blocks the process while it works: between large steps others get their turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
