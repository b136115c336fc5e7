import { columnKey, excluded, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { batchesOf, deleted, together, type Database } from './run.ts';
import type { DocumentTableName, ToolTableName } from './schema.ts';

/** The owned things of one table, by name. Functions, so that a store can hand them on as its own. */
export interface Documents<T> {
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
      const query = db.selectFrom(table).select('body').where(keys({ owner }));
      return sortedBy((await run(() => query.execute())).map(toDocument), nameOf);
    },
    async get(owner, name) {
      const query = db.selectFrom(table).select('body').where(keys({ owner, name }));
      const row = await run(() => query.executeTakeFirst());
      return row && toDocument(row);
    },
    async put(owner, value) {
      const query = db
        .insertInto(table)
        .values({ owner: columnKey(owner), name: columnKey(nameOf(value)), body: toBody(value) })
        .onConflict((conflict) => conflict.columns(['owner', 'name']).doUpdateSet(excluded('body')));
      await run(() => query.execute());
    },
    delete: async (owner, name) =>
      (await deleted(run, db.deleteFrom(table).where(keys({ owner, name })))) > 0,
  };
}

interface OfTool {
  readonly server: string;
  readonly tool: string;
}

interface ToolDocuments<T> {
  readonly list: (owner: string) => Promise<readonly T[]>;
  /** Inserts or replaces, all or none. */
  readonly putAll: (owner: string, values: readonly T[]) => Promise<void>;
  /** All of a server, or those of the named tools; answers how many went. */
  readonly delete: (owner: string, server: string, tools?: readonly string[]) => Promise<number>;
}

/** A table holds Ts because putAll() takes Ts only. */
export function toolDocuments<T extends OfTool>(database: Database, table: ToolTableName): ToolDocuments<T> {
  const { db, run } = database;
  return {
    async list(owner) {
      const query = db.selectFrom(table).select('body').where(keys({ owner }));
      const values = (await run(() => query.execute())).map((row) => fromBody(table, row.body) as T);
      return sortedBy(values, ({ server, tool }) => JSON.stringify([server, tool]));
    },
    async putAll(owner, values) {
      // Two rows of one key in one statement would be refused; the later one counts.
      const rows = new Map(
        values.map((value) => {
          const [server, tool] = [columnKey(value.server), columnKey(value.tool)];
          const row = { owner: columnKey(owner), server, tool, body: toBody(value) };
          return [JSON.stringify([server, tool]), row] as const;
        }),
      );
      if (rows.size === 0) return;
      // In one order, so that two writers never wait for each other.
      const sorted = sortedBy([...rows], ([key]) => key).map(([, row]) => row);
      await together(database, async (db) => {
        for (const batch of batchesOf(sorted)) {
          await db
            .insertInto(table)
            .values(batch)
            .onConflict((conflict) =>
              conflict.columns(['owner', 'server', 'tool']).doUpdateSet(excluded('body')),
            )
            .execute();
        }
      });
    },
    async delete(owner, server, tools) {
      const ofServer = db.deleteFrom(table).where(keys({ owner, server }));
      if (!tools) return deleted(run, ofServer);
      let gone = 0;
      for (const batch of batchesOf(tools.map(columnKey))) {
        gone += await deleted(run, ofServer.where('tool', 'in', batch));
      }
      return gone;
    },
  };
}
