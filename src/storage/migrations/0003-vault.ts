import type { Kysely } from 'kysely';
import { addGrowingKey, type SqlKind } from './growing-key.ts';

export async function createVault(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema
    .createTable('vault_key_ring')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('vault_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .execute();
  await createRecords(db);
  await addGrowingKey(db.schema.createTable('accounts'), 'seq', kind)
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('account', 'text', (column) => column.notNull())
    .addColumn('is_default', 'integer', (column) => column.notNull())
    .addColumn('display_name', 'text')
    .addColumn('body', 'text', (column) => column.notNull())
    .addUniqueConstraint('accounts_key', ['owner', 'server', 'account'])
    .execute();
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('vault_records')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('server', 'text')
    .addColumn('account', 'text')
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('vault_records_key', ['owner', 'kind', 'name'])
    // The database itself sees to it that no record loses its key.
    .addForeignKeyConstraint('vault_records_sealed_with', ['key_id'], 'vault_keys', ['id'])
    .execute();
  await db.schema.createIndex('vault_records_by_key').on('vault_records').column('key_id').execute();
  await db.schema
    .createIndex('vault_records_by_server')
    .on('vault_records')
    .columns(['owner', 'server', 'account'])
    .execute();
}
