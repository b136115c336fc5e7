import type { OwnRows } from './own-rows.ts';
import { columnKey, excluded, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { batchesOf, deleted, type Database } from './run.ts';
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
  database: Database,
  table: DocumentTableName,
  nameOf: (value: T) => string,
): Documents<T> {
  const toDocument = ({ body }: { readonly body: string }): T => fromBody(table, body) as T;
  return {
    async list(owner) {
      const stored = await database.own(owner, (rows) => rows.select(table).select('body').execute());
      return sortedBy(stored.map(toDocument), nameOf);
    },
    async get(owner, name) {
      const row = await database.own(owner, (rows) =>
        rows.select(table).select('body').where(keys({ name })).executeTakeFirst(),
      );
      return row && toDocument(row);
    },
    async put(owner, value) {
      const row = { name: columnKey(nameOf(value)), body: toBody(value) };
      await database.own(owner, (rows) =>
        rows
          .insert(table, row)
          .onConflict((conflict) => conflict.columns(['owner', 'name']).doUpdateSet(excluded('body')))
          .execute(),
      );
    },
    delete: async (owner, name) =>
      (await database.own(owner, (rows) => deleted(rows.delete(table).where(keys({ name }))))) > 0,
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
  return {
    async list(owner) {
      const stored = await database.own(owner, (rows) => rows.select(table).select('body').execute());
      const values = stored.map((row) => fromBody(table, row.body) as T);
      return sortedBy(values, ({ server, tool }) => JSON.stringify([server, tool]));
    },
    async putAll(owner, values) {
      // Two rows of one key in one statement would be refused; the later one counts.
      const rows = new Map(
        values.map((value) => {
          const [server, tool] = [columnKey(value.server), columnKey(value.tool)];
          const row = { server, tool, body: toBody(value) };
          return [JSON.stringify([server, tool]), row] as const;
        }),
      );
      if (rows.size === 0) return;
      // In one order, so that two writers never wait for each other.
      const sorted = sortedBy([...rows], ([key]) => key).map(([, row]) => row);
      await database.together(owner, async (own) => {
        for (const batch of batchesOf(sorted)) {
          await own
            .insert(table, batch)
            .onConflict((conflict) =>
              conflict.columns(['owner', 'server', 'tool']).doUpdateSet(excluded('body')),
            )
            .execute();
        }
      });
    },
    async delete(owner, server, tools) {
      const ofServer = (rows: OwnRows) => rows.delete(table).where(keys({ server }));
      if (!tools) return database.own(owner, (rows) => deleted(ofServer(rows)));
      let gone = 0;
      for (const batch of batchesOf(tools.map(columnKey))) {
        gone += await database.own(owner, (rows) => deleted(ofServer(rows).where('tool', 'in', batch)));
      }
      return gone;
    },
  };
}
