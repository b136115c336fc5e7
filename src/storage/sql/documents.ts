import { sortedBy } from '../order.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import type { Database } from './run.ts';
import type { DocumentTableName } from './schema.ts';

/** The owned things of one table, each by its name. Functions, so that a store can hand them on as its own. */
export interface Documents<T> {
  /** By name. */
  readonly list: (owner: string) => Promise<readonly T[]>;
  readonly get: (owner: string, name: string) => Promise<T | undefined>;
  readonly put: (owner: string, value: T) => Promise<void>;
  /** False when there was none. */
  readonly delete: (owner: string, name: string) => Promise<boolean>;
}

/** A table holds Ts because put() takes Ts only. */
export function documents<T extends object>(
  { db, run }: Database,
  table: DocumentTableName,
  nameOf: (value: T) => string,
): Documents<T> {
  const toDocument = ({ body }: { readonly body: string }): T => fromBody(table, body) as T;
  return {
    async list(owner) {
      const query = db.selectFrom(table).select('body').where('owner', '=', columnKey(owner));
      return sortedBy((await run(() => query.execute())).map(toDocument), nameOf);
    },
    async get(owner, name) {
      const ofOwner = db.selectFrom(table).select('body').where('owner', '=', columnKey(owner));
      const query = ofOwner.where('name', '=', columnKey(name));
      const row = await run(() => query.executeTakeFirst());
      return row && toDocument(row);
    },
    async put(owner, value) {
      const query = db
        .insertInto(table)
        .values({ owner: columnKey(owner), name: columnKey(nameOf(value)), body: toBody(value) })
        .onConflict((conflict) =>
          conflict.columns(['owner', 'name']).doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
        );
      await run(() => query.execute());
    },
    async delete(owner, name) {
      const query = db
        .deleteFrom(table)
        .where('owner', '=', columnKey(owner))
        .where('name', '=', columnKey(name));
      return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
    },
  };
}
