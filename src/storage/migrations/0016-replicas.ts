import type { Kysely } from 'kysely';
import { createDocuments, newTable } from './tables.ts';

/** For several processes on one database: who is there, whose rows each holds, and which calls are under way. */
export async function addReplicas(db: Kysely<unknown>): Promise<void> {
  await newTable(db, 'replicas', { id: 'text', address: 'text', until: 'bigint' })
    .addPrimaryKeyConstraint('replicas_key', ['id'])
    .execute();
  await newTable(db, 'homes', { owner: 'text', replica: 'text' })
    .addPrimaryKeyConstraint('homes_key', ['owner'])
    .execute();
  await newTable(db, 'begun_calls', { owner: 'text', call_id: 'text', body: 'text' })
    .addPrimaryKeyConstraint('begun_calls_key', ['owner', 'call_id'])
    .execute();
  await createDocuments(db, 'settings');
}
