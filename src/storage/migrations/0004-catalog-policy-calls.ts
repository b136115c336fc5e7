import type { Kysely } from 'kysely';
import { addGrowingKey, type SqlKind } from './growing-key.ts';

const OF_TOOLS = ['pins', 'tool_overrides', 'tombstones'] as const;
const DOCUMENTS = ['tool_facts', 'server_trust'] as const;

/** What is known of tools, what may run without asking, what ran, and results too large to answer. */
export async function createCatalogPolicyCalls(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  for (const table of OF_TOOLS) {
    await db.schema
      .createTable(table)
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('server', 'text', (column) => column.notNull())
      .addColumn('tool', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['owner', 'server', 'tool'])
      .execute();
  }
  for (const table of DOCUMENTS) {
    await db.schema
      .createTable(table)
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint(`${table}_key`, ['owner', 'name'])
      .execute();
  }
  await db.schema.alterTable('overrides').addColumn('recorded', 'integer').execute();
  await createGrants(db);
  await createAudit(db, kind);
  await createResults(db, kind);
}

async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('grants_key', ['owner', 'id'])
    .execute();
  await db.schema.createIndex('grants_by_server').on('grants').columns(['owner', 'server']).execute();
}

async function createAudit(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addGrowingKey(db.schema.createTable('audit'), 'seq', kind)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('call_id', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('audit_call', ['owner', 'call_id'])
    .execute();
  // Every call writes a row, and few questions are asked of them: one way of reading has to do.
  await db.schema.createIndex('audit_by_time').on('audit').columns(['owner', 'at', 'seq']).execute();
}

async function createResults(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await addGrowingKey(db.schema.createTable('results'), 'seq', kind)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('whole', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('results_id', ['owner', 'id'])
    .execute();
  await db.schema.createIndex('results_by_expiry').on('results').columns(['owner', 'expires_at']).execute();
  await db.schema
    .createTable('result_pieces')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('escaped', 'integer', (column) => column.notNull())
    .addColumn('piece', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('result_pieces_key', ['owner', 'id', 'position'])
    // The database itself sees to it that no piece is left without its result.
    .addForeignKeyConstraint('result_pieces_of', ['owner', 'id'], 'results', ['owner', 'id'], (of) =>
      of.onDelete('cascade'),
    )
    .execute();
}
