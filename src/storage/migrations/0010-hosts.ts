import type { Kysely } from 'kysely';

/** The hosts that may come to the gateway, with digests of their tokens. */
export async function createHosts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hosts')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('hosts_key', ['owner', 'name'])
    .execute();
}
