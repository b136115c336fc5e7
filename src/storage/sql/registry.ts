import { limits } from '../../base/limits.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import type { RegistryStore, RegistrySync, StoredEntry } from '../../servers/registry/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { queryWords, wordsOfEntry } from '../../servers/registry/words.ts';
import { boundedCount, boundedTime, columnKey, excluded, fromBody, keys, toBody } from './rows.ts';
import { documents } from './documents.ts';
import type { WordIndex } from './registry-words.ts';
import { batchesOf, type Database } from './run.ts';

/** Entries and their words change together or not at all. */
export function sqlRegistryStore(database: Database, words: WordIndex): RegistryStore {
  const syncs = documents<RegistrySync>(database, 'registry_syncs', ({ registry }) => registry);
  return {
    async putEntries(owner, entries, fetchedAt) {
      // Two entries of one name in one statement would be refused; the later one counts.
      const unique = new Map(entries.map((entry) => [JSON.stringify([entry.registry, entry.name]), entry]));
      for (const batch of batchesOf([...unique.values()])) await putBatch(owner, batch, fetchedAt);
    },
    async deleteEntries(owner, registry, names) {
      let gone = 0;
      for (const batch of batchesOf(names.map(columnKey))) {
        gone += await database.together(owner, async (rows) => {
          const ofRegistry = rows.delete('registry_entries').where(keys({ registry }));
          const seqs = (await ofRegistry.where('name', 'in', batch).returning('seq').execute()).map(seqOf);
          await words.remove(rows, seqs);
          return seqs.length;
        });
      }
      return gone;
    },
    async getEntry(owner, registry, name) {
      const row = await database.own(owner, (rows) =>
        rows
          .select('registry_entries')
          .select(['body', 'fetched_at'])
          .where(keys({ registry, name }))
          .executeTakeFirst(),
      );
      return row && toStored(row);
    },
    async searchEntries(owner, query) {
      if (query.registries?.length === 0) return [];
      const seqs = await database.own(owner, (rows) =>
        words.search(rows, {
          registries: query.registries?.map(columnKey),
          words: queryWords(query.query),
          match: query.match ?? 'all',
          limit: boundedCount(query.limit, limits.registryResultsMax),
        }),
      );
      if (seqs.length === 0) return [];
      const bodies = await database.own(owner, (rows) =>
        rows
          .select('registry_entries')
          .select(['seq', 'body', 'fetched_at'])
          .where('seq', 'in', seqs)
          .execute(),
      );
      const bySeq = new Map(bodies.map((row) => [row.seq, row]));
      return seqs.flatMap((seq) => {
        const row = bySeq.get(seq);
        return row ? [toStored(row)] : []; // it was deleted in between
      });
    },
    async listNames(owner, registries) {
      if (registries.length === 0) return [];
      const named = await database.own(owner, (rows) =>
        rows
          .select('registry_entries')
          .select('name')
          .where('registry', 'in', registries.map(columnKey))
          .limit(limits.registryEntriesMax)
          .execute(),
      );
      return named.map(({ name }) => name);
    },
    async countEntries(owner, registry) {
      const { count } = await database.own(owner, (rows) =>
        rows
          .select('registry_entries')
          .select((row) => row.fn.countAll().as('count'))
          .where(keys({ registry }))
          .executeTakeFirstOrThrow(),
      );
      return Number(count);
    },
    async dropRegistry(owner, registry) {
      await database.together(owner, async (rows) => {
        const all = rows.delete('registry_entries').where(keys({ registry }));
        const seqs = (await all.returning('seq').execute()).map(seqOf);
        for (const batch of batchesOf(seqs)) await words.remove(rows, batch);
      });
      await syncs.delete(owner, registry);
    },
    getSync: syncs.get,
    putSync: syncs.put,
  };

  function putBatch(owner: OwnerId, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void> {
    const rows = entries.map((entry) => ({
      registry: columnKey(entry.registry),
      name: columnKey(entry.name),
      verified: Number(entry.verified),
      use_count: boundedCount(entry.useCount),
      fetched_at: boundedTime(fetchedAt),
      body: toBody(entry),
    }));
    return database.together(owner, async (own) => {
      const stored = await own
        .insert('registry_entries', rows)
        .onConflict((conflict) =>
          conflict
            .columns(['owner', 'registry', 'name'])
            .doUpdateSet(excluded('verified', 'use_count', 'fetched_at', 'body')),
        )
        .returning(['seq', 'registry', 'name'])
        .execute();
      const seqs = new Map(stored.map(({ seq, registry, name }) => [`${registry} ${name}`, seq]));
      const indexed = entries.flatMap((entry) => {
        const seq = seqs.get(`${columnKey(entry.registry)} ${columnKey(entry.name)}`);
        return seq === undefined ? [] : [{ seq, words: wordsOfEntry(entry) }];
      });
      await words.put(own, indexed);
    });
  }
}

function seqOf({ seq }: { readonly seq: number }): number {
  return seq;
}

function toStored(row: { readonly body: string; readonly fetched_at: number | string }): StoredEntry {
  const entry = fromBody('registry_entries', row.body) as RegistryEntry; // putBatch() wrote it
  return { entry, fetchedAt: Number(row.fetched_at) };
}
