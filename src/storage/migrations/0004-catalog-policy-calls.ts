import type { Kysely } from 'kysely';
import { countedTable, createDocuments, createToolDocuments, newTable, type SqlKind } from './tables.ts';

/** Facts about tools, grants and trust, the audit, and results too large to answer. */
export async function createCatalogPolicyCalls(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const { schema } = db;
  for (const table of ['pins', 'tool_overrides', 'tombstones']) await createToolDocuments(db, table);
  for (const table of ['tool_facts', 'server_trust']) await createDocuments(db, table);
  await schema.alterTable('overrides').addColumn('recorded', 'integer').execute();
  await newTable(db, 'grants', { owner: 'text', id: 'text', server: 'text', body: 'text' })
    .addPrimaryKeyConstraint('grants_key', ['owner', 'id'])
    .execute();
  await schema.createIndex('grants_by_server').on('grants').columns(['owner', 'server']).execute();
  await countedTable(db, kind, 'audit', {
    owner: 'text',
    call_id: 'text',
    at: 'bigint',
    server: 'text',
    tool: 'text',
    outcome: 'text',
    body: 'text',
  })
    .addUniqueConstraint('audit_call', ['owner', 'call_id'])
    .execute();
  // Every call writes a row, and rows are rarely queried: one index has to do.
  await schema.createIndex('audit_by_time').on('audit').columns(['owner', 'at', 'seq']).execute();
  await createResults(db, kind);
}

async function createResults(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await countedTable(db, kind, 'results', {
    owner: 'text',
    id: 'text',
    created_at: 'bigint',
    expires_at: 'bigint',
    bytes: 'bigint',
    whole: 'integer',
    body: 'text',
  })
    .addUniqueConstraint('results_id', ['owner', 'id'])
    .execute();
  await db.schema.createIndex('results_by_expiry').on('results').columns(['owner', 'expires_at']).execute();
  await newTable(db, 'result_pieces', {
    owner: 'text',
    id: 'text',
    position: 'integer',
    escaped: 'integer',
    piece: 'text',
  })
    .addPrimaryKeyConstraint('result_pieces_key', ['owner', 'id', 'position'])
    // The database itself makes sure that no piece is left without its result.
    .addForeignKeyConstraint('result_pieces_of', ['owner', 'id'], 'results', ['owner', 'id'], (of) =>
      of.onDelete('cascade'),
    )
    .execute();
}
