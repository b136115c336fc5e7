import type { LearnedQueriesOfTool, LearnedStore, LearnedTool } from '../../catalog/learned/store.ts';
import type { Pin } from '../../catalog/pin.ts';
import type { ManifestFacts, Tombstone, ToolOverride, ToolStore } from '../../catalog/store.ts';
import { keys } from './rows.ts';
import { documents, toolDocuments } from './documents.ts';
import type { Database } from './run.ts';

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
    /** An override that decides nothing about the tool is not kept. */
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
      database.together(owner, async (rows) => {
        for (const table of ['pins', 'tool_overrides', 'tombstones'] as const) {
          await rows.delete(table).where(keys({ server })).execute();
        }
        await rows
          .delete('tool_facts')
          .where(keys({ name: server }))
          .execute();
      }),
  };
}

export function sqlLearnedStore(database: Database): LearnedStore {
  const learned = toolDocuments<LearnedTool>(database, 'learned_outputs');
  const queries = toolDocuments<LearnedQueriesOfTool>(database, 'learned_queries');
  return {
    listLearned: learned.list,
    putLearned: learned.putAll,
    listQueries: queries.list,
    putQueries: queries.putAll,
    async clearQueries(owner) {
      await database.own(owner, (rows) => rows.delete('learned_queries').execute());
    },
    async forgetServer(owner, server) {
      await learned.delete(owner, server);
      await queries.delete(owner, server);
    },
  };
}
