import type { Kysely } from 'kysely';
import { addGrowingKey, type SqlKind } from './growing-key.ts';

const DOCUMENTS = ['servers', 'profiles', 'trust', 'manifests', 'verdicts'] as const;

export async function createServersAndConnections(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  for (const table of DOCUMENTS) {
    await db.schema
      .createTable(table)
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['owner', 'name'])
      .execute();
  }
  await db.schema
    .createTable('overrides')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer')
    .addColumn('read_only', 'integer')
    .addPrimaryKeyConstraint('overrides_key', ['owner', 'server'])
    .execute();
  await createEvents(db, kind);
  await db.schema
    .createTable('processes')
    .addColumn('hub', 'text', (column) => column.notNull())
    .addColumn('pid', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('processes_key', ['hub', 'pid'])
    .execute();
}

async function createEvents(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addGrowingKey(db.schema.createTable('events'), 'seq', kind)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('events_id', ['owner', 'id'])
    .execute();
  // The two ways that events are read: all of an owner, and those of one server.
  await db.schema.createIndex('events_by_time').on('events').columns(['owner', 'at', 'seq']).execute();
  await db.schema
    .createIndex('events_by_server')
    .on('events')
    .columns(['owner', 'server', 'at', 'seq'])
    .execute();
}
