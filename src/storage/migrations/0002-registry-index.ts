import { sql, type Kysely } from 'kysely';
import { addGrowingKey, type SqlKind } from './growing-key.ts';

/** What registries list, and an index of its words: FTS5 in SQLite, a tsvector in PostgreSQL. */
export async function createRegistryIndex(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  // The body stands last: what is sorted by is read without it.
  await addGrowingKey(db.schema.createTable('registry_entries'), 'seq', kind)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('registry', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('verified', 'integer', (column) => column.notNull())
    .addColumn('use_count', 'bigint', (column) => column.notNull())
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('registry_entries_name', ['owner', 'registry', 'name'])
    .execute();
  // The order of every answer: broad queries walk it and stop at their limit, bodies unread.
  await db.schema
    .createIndex('registry_entries_order')
    .on('registry_entries')
    .columns(['owner', 'verified desc', 'use_count desc', 'name', 'registry'])
    .execute();
  await db.schema
    .createTable('registry_syncs')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('registry_syncs_key', ['owner', 'name'])
    .execute();
  if (kind === 'sqlite') {
    // Contentless: the words can be rebuilt from the bodies, so they are not kept twice.
    await sql`create virtual table registry_words using fts5(
      name, text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0', prefix='3 4'
    )`.execute(db);
    return;
  }
  await db.schema
    .alterTable('registry_entries')
    .addColumn('words', sql`tsvector`)
    .execute();
  await db.schema
    .createIndex('registry_entries_words')
    .on('registry_entries')
    .using('gin')
    .column('words')
    .execute();
}
