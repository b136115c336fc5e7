import type { Kysely } from 'kysely';
import { countedTable, newTable, type SqlKind } from './tables.ts';

export async function createVault(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  const { schema } = db;
  await schema
    .createTable('vault_key_ring')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('vault_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .execute();
  await newTable(db, 'vault_records', {
    owner: 'text',
    kind: 'text',
    name: 'text',
    server: 'text?',
    account: 'text?',
    version: 'bigint',
    key_id: 'text',
    body: 'text',
  })
    .addPrimaryKeyConstraint('vault_records_key', ['owner', 'kind', 'name'])
    // The database itself makes sure that no record loses its key.
    .addForeignKeyConstraint('vault_records_sealed_with', ['key_id'], 'vault_keys', ['id'])
    .execute();
  await schema.createIndex('vault_records_by_key').on('vault_records').column('key_id').execute();
  const ofServer = ['owner', 'server', 'account'];
  await schema.createIndex('vault_records_by_server').on('vault_records').columns(ofServer).execute();
  await countedTable(db, kind, 'accounts', {
    owner: 'text',
    server: 'text',
    account: 'text',
    is_default: 'integer',
    display_name: 'text?',
    body: 'text',
  })
    .addUniqueConstraint('accounts_key', ['owner', 'server', 'account'])
    .execute();
}
