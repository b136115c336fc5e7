import type { Kysely } from 'kysely';
import { countedTable, createDocuments, newTable, type SqlKind } from './tables.ts';

export async function createServersAndConnections(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  for (const table of ['servers', 'profiles', 'trust', 'manifests', 'verdicts']) {
    await createDocuments(db, table);
  }
  await newTable(db, 'overrides', {
    owner: 'text',
    server: 'text',
    enabled: 'integer?',
    read_only: 'integer?',
  })
    .addPrimaryKeyConstraint('overrides_key', ['owner', 'server'])
    .execute();
  await countedTable(db, kind, 'events', {
    owner: 'text',
    id: 'text',
    server: 'text',
    at: 'bigint',
    body: 'text',
  })
    .addUniqueConstraint('events_id', ['owner', 'id'])
    .execute();
  // Events are read in two ways: all of an owner, and those of one server.
  const { schema } = db;
  await schema.createIndex('events_by_time').on('events').columns(['owner', 'at', 'seq']).execute();
  const ofServer = ['owner', 'server', 'at', 'seq'];
  await schema.createIndex('events_by_server').on('events').columns(ofServer).execute();
  await newTable(db, 'processes', { hub: 'text', pid: 'bigint', body: 'text' })
    .addPrimaryKeyConstraint('processes_key', ['hub', 'pid'])
    .execute();
}
