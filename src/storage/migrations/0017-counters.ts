import type { Kysely } from 'kysely';
import { newTable } from './tables.ts';

/** What is counted for a while, such as calls of this minute. */
export async function addCounters(db: Kysely<unknown>): Promise<void> {
  await newTable(db, 'counters', { owner: 'text', name: 'text', span: 'bigint', count: 'bigint' })
    .addPrimaryKeyConstraint('counters_key', ['owner', 'name'])
    .execute();
}
