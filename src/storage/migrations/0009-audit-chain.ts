import { hash } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Records are chained by hash, those of before as well: from now on nobody changes them unseen. */
export async function chainAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('audit').addColumn('place', 'bigint').execute();
  await db.schema.alterTable('audit').addColumn('hash', 'text').execute();
  await db.schema
    .createTable('audit_chains')
    .addColumn('owner', 'text', (column) => column.primaryKey())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('audit_gaps')
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('first', 'bigint', (column) => column.notNull())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_gaps_key', ['owner', 'first'])
    .execute();
  await chainRecords(db);
}

/** At this step; the types know only those of today. */
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
      // As the product links them; written out, as a released step is never edited.
      const end = { place, hash: hash('sha256', `${before.hash}\n${place}\n${body}`, 'hex') };
      ends.set(owner, end);
      return { seq: Number(seq), ...end };
    });
    await link(db, links);
    after = links.at(-1)?.seq ?? after;
  }
  for (const [owner, end] of ends)
    await db
      .insertInto('audit_chains')
      .values({ owner, ...end })
      .execute();
}

async function link(
  db: Kysely<TablesThen>,
  links: readonly { readonly seq: number; readonly place: number; readonly hash: string }[],
): Promise<void> {
  // Numbers and hex digits of our own: as literals, both databases know what they are.
  const rows = sql.join(
    links.map((row) => sql`(${sql.lit(row.seq)}, ${sql.lit(row.place)}, ${sql.lit(row.hash)})`),
  );
  // Both databases name the columns of a list of values so.
  await db
    .updateTable('audit')
    .from(sql<{ column1: number; column2: number; column3: string }>`(values ${rows})`.as('link'))
    .set((row) => ({ place: row.ref('link.column2'), hash: row.ref('link.column3') }))
    .whereRef('audit.seq', '=', 'link.column1')
    .execute();
}

const ROWS = 500;
