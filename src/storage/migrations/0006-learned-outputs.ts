import type { Kysely } from 'kysely';

/** What results of tools look like that declare no output. */
export async function createLearnedOutputs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('learned_outputs')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('server', 'text', (column) => column.notNull())
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('learned_outputs_key', ['owner', 'server', 'tool'])
    .execute();
}
