import type { LearnedStore, LearnedTool } from '../../catalog/learned/store.ts';
import type { Pin } from '../../catalog/pin.ts';
import type { ManifestFacts, Tombstone, ToolOverride, ToolStore } from '../../catalog/store.ts';
import { batchesOf, type Database, together } from './run.ts';
import { documents } from './documents.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import { sortedBy } from '../order.ts';
import type { ToolTable, ToolTableName } from './schema.ts';

export function sqlToolStore(database: Database): ToolStore {
  const pins = toolDocuments<Pin>(database, 'pins');
  const overrides = toolDocuments<ToolOverride>(database, 'tool_overrides');
  const tombstones = toolDocuments<Tombstone>(database, 'tombstones');
  const facts = documents<ManifestFacts>(database, 'tool_facts', ({ server }) => server);
  return {
    listPins: pins.list,
    putPins: pins.putAll,
    deletePins: (owner, server, tool) => pins.delete(owner, server, tool === undefined ? undefined : [tool]),
    listToolOverrides: overrides.list,
    /** One that decides nothing about the tool is not kept. */
    async putToolOverride(owner, override) {
      const { server, tool, enabled, risk } = override;
      if (enabled === undefined && risk === undefined) await overrides.delete(owner, server, [tool]);
      else await overrides.putAll(owner, [override]);
    },
    listFacts: facts.list,
    putFacts: facts.put,
    listTombstones: tombstones.list,
    putTombstones: tombstones.putAll,
    async deleteTombstones(owner, server, tools) {
      await tombstones.delete(owner, server, tools);
    },
    forgetServer: (owner, server) =>
      together(database, async (db) => {
        for (const table of ['pins', 'tool_overrides', 'tombstones'] as const) {
          const ofOwner = db.deleteFrom(table).where('owner', '=', columnKey(owner));
          await ofOwner.where('server', '=', columnKey(server)).execute();
        }
        const ofOwner = db.deleteFrom('tool_facts').where('owner', '=', columnKey(owner));
        await ofOwner.where('name', '=', columnKey(server)).execute();
      }),
  };
}

export function sqlLearnedStore(database: Database): LearnedStore {
  const learned = toolDocuments<LearnedTool>(database, 'learned_outputs');
  return {
    listLearned: learned.list,
    putLearned: learned.putAll,
    async forgetServer(owner, server) {
      await learned.delete(owner, server);
    },
  };
}

interface OfTool {
  readonly server: string;
  readonly tool: string;
}

/** One owned thing for each tool of a server. */
interface ToolDocuments<T> {
  readonly list: (owner: string) => Promise<readonly T[]>;
  /** Inserts or replaces, all or none. */
  readonly putAll: (owner: string, values: readonly T[]) => Promise<void>;
  /** All of a server, or those of the named tools; answers how many went. */
  readonly delete: (owner: string, server: string, tools?: readonly string[]) => Promise<number>;
}

/** A table holds Ts because putAll() takes Ts only. */
function toolDocuments<T extends OfTool>(database: Database, table: ToolTableName): ToolDocuments<T> {
  const { db, run } = database;
  return {
    async list(owner) {
      const query = db.selectFrom(table).select('body').where('owner', '=', columnKey(owner));
      const values = (await run(() => query.execute())).map((row) => fromBody(table, row.body) as T);
      return sortedBy(values, ({ server, tool }) => JSON.stringify([server, tool]));
    },
    async putAll(owner, values) {
      const rows = rowsOf(owner, values);
      if (rows.length === 0) return;
      await together(database, async (db) => {
        for (const batch of batchesOf(rows)) {
          await db
            .insertInto(table)
            .values(batch)
            .onConflict((conflict) =>
              conflict
                .columns(['owner', 'server', 'tool'])
                .doUpdateSet((row) => ({ body: row.ref('excluded.body') })),
            )
            .execute();
        }
      });
    },
    async delete(owner, server, tools) {
      const ofOwner = db.deleteFrom(table).where('owner', '=', columnKey(owner));
      const ofServer = ofOwner.where('server', '=', columnKey(server));
      const queries = tools
        ? batchesOf(tools).map((batch) => ofServer.where('tool', 'in', batch.map(columnKey)))
        : [ofServer];
      let gone = 0;
      for (const query of queries) {
        gone += Number((await run(() => query.executeTakeFirst())).numDeletedRows);
      }
      return gone;
    },
  };
}

/**
 * Two rows of one key in one statement would be refused; the later one counts. In one order, so
 * that two writers never wait for each other.
 */
function rowsOf(owner: string, values: readonly OfTool[]): readonly ToolTable[] {
  const byKey = new Map<string, ToolTable>();
  for (const value of values) {
    const [server, tool] = [columnKey(value.server), columnKey(value.tool)];
    byKey.set(JSON.stringify([server, tool]), { owner: columnKey(owner), server, tool, body: toBody(value) });
  }
  return sortedBy([...byKey], ([key]) => key).map(([, row]) => row);
}
