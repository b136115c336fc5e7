import { hash } from 'node:crypto';
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { OwnerId } from '../../servers/store.ts';
import { columnKey, keys } from '../sql/rows.ts';
import type { Run } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { rowScope } from './row-security.ts';

interface ReplicaRowsOptions {
  readonly db: Kysely<Tables>;
  readonly schema: string;
  readonly run: Run;
}

/** The processes on this database, and whose rows each holds. Times are those of the database. */
export class ReplicaRows {
  readonly #options: ReplicaRowsOptions;

  constructor(options: ReplicaRowsOptions) {
    this.#options = options;
  }

  async add(id: string, address: string, lastsMs: number): Promise<void> {
    const { db, run } = this.#options;
    await run(() =>
      db
        .insertInto('replicas')
        .values({ id, address, until: inMs(lastsMs) })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ until: inMs(lastsMs) }))
        .execute(),
    );
  }

  /** False for one that was taken for dead: what it held may be somebody else's by now. */
  async renew(id: string, lastsMs: number): Promise<boolean> {
    const { db, run } = this.#options;
    const renewed = await run(() =>
      db
        .updateTable('replicas')
        .set({ until: inMs(lastsMs) })
        .where('id', '=', id)
        .returning('id')
        .execute(),
    );
    return renewed.length > 0;
  }

  async remove(id: string): Promise<void> {
    const { db, run } = this.#options;
    await run(() => db.deleteFrom('replicas').where('id', '=', id).execute());
  }

  /** Those that have not said for too long that they are there: what they held is free. Answers where they were. */
  async removeLate(): Promise<readonly string[]> {
    const { db, run } = this.#options;
    const late = await run(() =>
      db.deleteFrom('replicas').where('until', '<', inMs(0)).returning('address').execute(),
    );
    return late.map(({ address }) => address);
  }

  /** Of one that does not answer: dead for sure if the database has lost its connection, too. */
  async removeIfGone(id: string): Promise<boolean> {
    const { db, run } = this.#options;
    return await run(() =>
      db.transaction().execute(async (step) => {
        const { rows } = await sql<{ readonly free: boolean }>`
          select pg_try_advisory_xact_lock(${sql.lit(LIVES)}, ${sql.lit(lockNumber(id))}) as free`.execute(
          step,
        );
        if (!rows[0]?.free) return false;
        await step.deleteFrom('replicas').where('id', '=', id).execute();
        return true;
      }),
    );
  }

  async addressOf(id: string): Promise<string | undefined> {
    const { db, run } = this.#options;
    const row = await run(() =>
      db.selectFrom('replicas').select('address').where('id', '=', id).executeTakeFirst(),
    );
    return row?.address;
  }

  async others(id: string): Promise<readonly { readonly id: string; readonly address: string }[]> {
    const { db, run } = this.#options;
    return await run(() =>
      db.selectFrom('replicas').select(['id', 'address']).where('id', '!=', id).execute(),
    );
  }

  /** Answers who holds the rows of this owner: this replica, unless a living one does already. */
  async hold(owner: OwnerId, replica: string): Promise<string> {
    const { db, schema, run } = this.#options;
    const replicas = sql.id(schema, 'replicas');
    return await run(() =>
      rowScope.together(db, columnKey(owner), async (rows) => {
        const taken = await rows
          .insert('homes', { replica })
          .onConflict((conflict) =>
            conflict.column('owner').doUpdateSet({ replica }).where(sql<SqlBool>`homes.replica = ${replica}
                or not exists (select 1 from ${replicas} as living where living.id = homes.replica)`),
          )
          .returning('replica')
          .executeTakeFirst();
        if (taken) return taken.replica;
        return (await rows.select('homes').select('replica').executeTakeFirstOrThrow()).replica;
      }),
    );
  }

  async letGo(owner: OwnerId, replica: string): Promise<void> {
    const { db, run } = this.#options;
    await run(() =>
      rowScope.one(db, columnKey(owner), (rows) => rows.delete('homes').where(keys({ replica })).execute()),
    );
  }
}

/** The first of the two numbers of our locks in this database; other programs choose others. */
export const LIVES = 758_423_301;

/** The second, of a replica. */
export function lockNumber(id: string): number {
  return Buffer.from(hash('sha256', id), 'hex').readInt32BE();
}

function inMs(ms: number) {
  return sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint + ${sql.lit(ms)}`;
}
