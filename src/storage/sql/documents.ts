import type { Kysely } from 'kysely';
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { DocumentTableName, Tables } from './schema.ts';

/** The owned things of one table, each by its name. A table holds Ts because put() takes Ts only. */
export class Documents<T extends object> {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;
  readonly #table: DocumentTableName;

  constructor(db: Kysely<Tables>, run: Run, table: DocumentTableName) {
    this.#db = db;
    this.#run = run;
    this.#table = table;
  }

  async list(owner: string): Promise<readonly T[]> {
    const query = this.#db.selectFrom(this.#table).select('body').where('owner', '=', keyOf(owner));
    const rows = await this.#run(() => query.execute());
    return rows.map((row) => fromBody(this.#table, row.body) as T);
  }

  async get(owner: string, name: string): Promise<T | undefined> {
    const query = this.#db
      .selectFrom(this.#table)
      .select('body')
      .where('owner', '=', keyOf(owner))
      .where('name', '=', keyOf(name));
    const row = await this.#run(() => query.executeTakeFirst());
    return row && (fromBody(this.#table, row.body) as T);
  }

  async put(owner: string, name: string, value: T): Promise<void> {
    const query = this.#db
      .insertInto(this.#table)
      .values({ owner: keyOf(owner), name: keyOf(name), body: toBody(value) })
      .onConflict((conflict) =>
        conflict.columns(['owner', 'name']).doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
      );
    await this.#run(() => query.execute());
  }

  /** False when there was none. */
  async delete(owner: string, name: string): Promise<boolean> {
    const query = this.#db
      .deleteFrom(this.#table)
      .where('owner', '=', keyOf(owner))
      .where('name', '=', keyOf(name));
    const result = await this.#run(() => query.executeTakeFirst());
    return result.numDeletedRows > 0n;
  }
}
