import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { newTable } from './tables.ts';

/** Chains all records by hash, older ones too, so that a change to one shows. */
export async function chainAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('place', 'bigint').execute();
  await db.schema.alterTable('audit').addColumn('hash', 'text').execute();
  await db.schema
    .createTable('audit_chains')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await newTable(db, 'audit_gaps', { owner: 'text', first: 'bigint', last: 'bigint', hash: 'text' })
    .addPrimaryKeyConstraint('audit_gaps_key', ['owner', 'first'])
    .execute();
  await chainRecords(db);
}

interface TablesThen {
  readonly audit: { seq: number | string; owner: string; body: string; place: number; hash: string };
  readonly audit_chains: { owner: string; place: number; hash: string };
}

async function chainRecords(db: Kysely<TablesThen>): Promise<void> {
  const ends = new Map<string, { readonly place: number; readonly hash: string }>();
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('audit')
      .select(['seq', 'owner', 'body'])
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(ROWS)
      .execute();
    if (rows.length === 0) break;
    const links = rows.map(({ seq, owner, body }) => {
      const before = ends.get(owner) ?? { place: 0, hash: '' };
      const place = before.place + 1;
      // Copied from the product: a released step never changes.
      const end = { place, hash: hash('sha256', `${before.hash}\n${place}\n${body}`, 'hex') };
      ends.set(owner, end);
      return { seq: Number(seq), ...end };
    });
    await link(db, links);
    after = links.at(-1)?.seq ?? after;
  }
  for (const [owner, end] of ends) {
    const values = { owner, ...end };
    await db.insertInto('audit_chains').values(values).execute();
  }
}

async function link(
  db: Kysely<TablesThen>,
  links: readonly { readonly seq: number; readonly place: number; readonly hash: string }[],
): Promise<void> {
  // As literals both databases know their types. They are numbers and hex digits of our own.
  const rows = sql.join(
    links.map((row) => sql`(${sql.lit(row.seq)}, ${sql.lit(row.place)}, ${sql.lit(row.hash)})`),
  );
  // Both databases call the columns of a values list column1, column2, ….
  await db
    .updateTable('audit')
    .from(sql<{ column1: number; column2: number; column3: string }>`(values ${rows})`.as('link'))
    .set((row) => ({ place: row.ref('link.column2'), hash: row.ref('link.column3') }))
    .whereRef('audit.seq', '=', 'link.column1')
    .execute();
}

const ROWS = 500;
