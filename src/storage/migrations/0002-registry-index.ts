import { sql, type Kysely } from 'kysely';
import { countedTable, createDocuments, type SqlKind } from './tables.ts';

/** Registry entries with an index of their words: FTS5 in SQLite, a tsvector in PostgreSQL. */
export async function createRegistryIndex(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  // The body is last: sorting reads the row without it.
  await countedTable(db, kind, 'registry_entries', {
    owner: 'text',
    registry: 'text',
    name: 'text',
    verified: 'integer',
    use_count: 'bigint',
    fetched_at: 'bigint',
    body: 'text',
  })
    .addUniqueConstraint('registry_entries_name', ['owner', 'registry', 'name'])
    .execute();
  // The order of every answer: broad queries walk it and stop at their limit, bodies unread.
  await db.schema
    .createIndex('registry_entries_order')
    .on('registry_entries')
    .columns(['owner', 'verified desc', 'use_count desc', 'name', 'registry'])
    .execute();
  await createDocuments(db, 'registry_syncs');
  if (kind === 'sqlite') {
    // Contentless: the words can be rebuilt from the bodies, so they are not stored twice.
    await sql`create virtual table registry_words using fts5(
      name, text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0', prefix='3 4'
    )`.execute(db);
    return;
  }
  await db.schema
    .alterTable('registry_entries')
    .addColumn('words', sql`tsvector`)
    .execute();
  const index = db.schema.createIndex('registry_entries_words').on('registry_entries');
  await index.using('gin').column('words').execute();
}
