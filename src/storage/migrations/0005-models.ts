import type { Kysely } from 'kysely';

/** The models that chat can use; their keys are in the vault. */
export async function createModels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('models')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('models_key', ['owner', 'name'])
    .execute();
}
