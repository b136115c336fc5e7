import type { Kysely } from 'kysely';

/** Gives every owner a key ring of their own. What was there belongs to the one user there was. */
export async function giveVaultOwners(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('vault_key_ring').renameColumn('name', 'owner').execute();
  // The table as it is at this step.
  const tables = db as Kysely<{ vault_key_ring: { owner: string } }>;
  await tables.updateTable('vault_key_ring').set({ owner: 'local' }).execute();
  await db.schema
    .alterTable('vault_keys')
    .addColumn('owner', 'text', (column) => column.notNull().defaultTo('local'))
    .execute();
}
