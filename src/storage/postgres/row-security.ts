import { CompiledQuery, sql, type Kysely } from 'kysely';
import { OwnRows } from '../sql/own-rows.ts';
import type { Scope } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';

/**
 * Every piece of work is a transaction that says whose rows it may touch. The database holds it to that
 * by its policies, also if a condition of ours were missing.
 */
export const rowScope: Scope = { one: asOwner, together: asOwner };

async function asOwner<T>(
  db: Kysely<Tables>,
  owner: string,
  work: (rows: OwnRows) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    const say = (text: string): Promise<unknown> => connection.executeQuery(CompiledQuery.raw(text));
    // One round trip. Only for this transaction: the connection goes back to a pool that all owners share.
    await say(`begin; select set_config('${SETTING}', ${literal(owner)}, true)`);
    try {
      const result = await work(new OwnRows(connection, owner));
      await say('commit');
      return result;
    } catch (error) {
      // If this fails too, the connection is lost, and the transaction with it.
      await Promise.allSettled([say('rollback')]);
      throw error;
    }
  });
}

const SETTING = 'app.owner';
const POLICY = 'own_rows';
const OF_NO_OWNER = 'of_no_owner';

/** An owner's column is printable ASCII, so that doubling its quotes is all there is to escape. */
function literal(owner: string): string {
  return `E'${owner.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** For the steps of a migration, which know no owner. */
export async function liftRowSecurity(db: Kysely<Tables>, schema: string): Promise<void> {
  for (const table of await ownedTables(db, schema)) {
    await sql`alter table ${sql.id(schema, table)} no force row level security`.execute(db);
  }
}

/** Every table with an owner, so that a new one can't be forgotten. `force`: our user made the tables. */
export async function enforceRowSecurity(db: Kysely<Tables>, schema: string): Promise<void> {
  for (const name of await ownedTables(db, schema)) {
    const table = sql.id(schema, name);
    await sql`alter table ${table} enable row level security, force row level security`.execute(db);
    await sql`drop policy if exists ${sql.id(POLICY)} on ${table}`.execute(db);
    // Without `with check`, the condition also holds for rows that are written.
    await sql`create policy ${sql.id(POLICY)} on ${table}
      using (owner = current_setting(${sql.lit(SETTING)}, true))`.execute(db);
  }
}

/**
 * Closes tables that belong to no owner to whatever is done in an owner's name: a statement of theirs,
 * whatever it says, finds nothing there and writes nothing.
 */
export async function closeToOwners(db: Kysely<Tables>, schema: string): Promise<void> {
  // Only those that are new: the others are in use by other replicas, and a moment without a policy would
  // show them nothing.
  const { rows } = await sql<{ readonly name: string }>`select tablename as name from pg_tables
    where schemaname = ${schema} and not exists (select from pg_policies
      where pg_policies.schemaname = ${schema} and pg_policies.tablename = pg_tables.tablename
        and policyname = ${OF_NO_OWNER})
    order by tablename`.execute(db);
  await db.transaction().execute(async (step) => {
    for (const { name } of rows) {
      const table = sql.id(schema, name);
      await sql`create policy ${sql.id(OF_NO_OWNER)} on ${table}
        using (coalesce(current_setting(${sql.lit(SETTING)}, true), '') = '')`.execute(step);
      await sql`alter table ${table} enable row level security, force row level security`.execute(step);
    }
  });
}

async function ownedTables(db: Kysely<Tables>, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`select table_name as name
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = ${schema} and column_name = 'owner' and table_type = 'BASE TABLE'
    order by table_name`.execute(db);
  return rows.map(({ name }) => name);
}
