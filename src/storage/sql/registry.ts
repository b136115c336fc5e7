import type { Transaction } from 'kysely';
import { limits } from '../../base/limits.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import type { EntryQuery, RegistryStore, RegistrySync, StoredEntry } from '../../servers/registry/store.ts';
import { queryWords, wordsOfEntry } from '../../servers/registry/words.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, boundedTime } from '../order.ts';
import { batchesOf, type Database, together } from './run.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import { documents, type Documents } from './documents.ts';
import type { WordIndex } from './registry-words.ts';
import type { Tables } from './schema.ts';

export class SqlRegistryStore implements RegistryStore {
  readonly #database: Database;
  readonly #words: WordIndex;
  readonly #syncs: Documents<RegistrySync>;

  constructor(database: Database, words: WordIndex) {
    this.#database = database;
    this.#words = words;
    this.#syncs = documents(database, 'registry_syncs', ({ registry }) => registry);
  }

  async putEntries(owner: OwnerId, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void> {
    // Two entries of one name in one statement would be refused; the later one counts.
    const unique = new Map(entries.map((entry) => [JSON.stringify([entry.registry, entry.name]), entry]));
    for (const batch of batchesOf([...unique.values()])) {
      await this.#together((db) => this.#put(db, owner, batch, fetchedAt));
    }
  }

  async deleteEntries(owner: OwnerId, registry: string, names: readonly string[]): Promise<number> {
    let gone = 0;
    for (const batch of batchesOf(names.map(columnKey))) {
      gone += await this.#together(async (db) => {
        const rows = await db
          .deleteFrom('registry_entries')
          .where('owner', '=', columnKey(owner))
          .where('registry', '=', columnKey(registry))
          .where('name', 'in', batch)
          .returning('seq')
          .execute();
        await this.#words.remove(
          db,
          rows.map(({ seq }) => seq),
        );
        return rows.length;
      });
    }
    return gone;
  }

  async getEntry(owner: OwnerId, registry: string, name: string): Promise<StoredEntry | undefined> {
    const query = this.#database.db
      .selectFrom('registry_entries')
      .select(['body', 'fetched_at'])
      .where('owner', '=', columnKey(owner))
      .where('registry', '=', columnKey(registry))
      .where('name', '=', columnKey(name));
    const row = await this.#database.run(() => query.executeTakeFirst());
    return row && toStored(row);
  }

  async searchEntries(owner: OwnerId, query: EntryQuery): Promise<readonly StoredEntry[]> {
    if (query.registries?.length === 0) return [];
    const seqs = await this.#database.run(() =>
      this.#words.search(this.#database.db, {
        owner: columnKey(owner),
        registries: query.registries?.map(columnKey),
        words: queryWords(query.query),
        limit: boundedCount(query.limit, limits.registryResultsMax),
      }),
    );
    if (seqs.length === 0) return [];
    const bodies = this.#database.db
      .selectFrom('registry_entries')
      .select(['seq', 'body', 'fetched_at'])
      .where('seq', 'in', seqs);
    const rows = await this.#database.run(() => bodies.execute());
    const bySeq = new Map(rows.map((row) => [row.seq, row]));
    return seqs.flatMap((seq) => {
      const row = bySeq.get(seq);
      return row ? [toStored(row)] : []; // it was deleted in between
    });
  }

  async countEntries(owner: OwnerId, registry: string): Promise<number> {
    const query = this.#database.db
      .selectFrom('registry_entries')
      .select((row) => row.fn.countAll().as('count'))
      .where('owner', '=', columnKey(owner))
      .where('registry', '=', columnKey(registry));
    return Number((await this.#database.run(() => query.executeTakeFirstOrThrow())).count);
  }

  async dropRegistry(owner: OwnerId, registry: string): Promise<void> {
    await this.#together(async (db) => {
      const rows = await db
        .deleteFrom('registry_entries')
        .where('owner', '=', columnKey(owner))
        .where('registry', '=', columnKey(registry))
        .returning('seq')
        .execute();
      for (const batch of batchesOf(rows)) {
        await this.#words.remove(
          db,
          batch.map(({ seq }) => seq),
        );
      }
    });
    await this.#syncs.delete(owner, registry);
  }

  getSync(owner: OwnerId, registry: string): Promise<RegistrySync | undefined> {
    return this.#syncs.get(owner, registry);
  }

  putSync(owner: OwnerId, sync: RegistrySync): Promise<void> {
    return this.#syncs.put(owner, sync);
  }

  async #put(
    db: Transaction<Tables>,
    owner: OwnerId,
    entries: readonly RegistryEntry[],
    fetchedAt: number,
  ): Promise<void> {
    const rows = entries.map((entry) => ({
      owner: columnKey(owner),
      registry: columnKey(entry.registry),
      name: columnKey(entry.name),
      verified: Number(entry.verified),
      use_count: boundedCount(entry.useCount, Number.MAX_SAFE_INTEGER),
      fetched_at: boundedTime(fetchedAt),
      body: toBody(entry),
    }));
    const stored = await db
      .insertInto('registry_entries')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['owner', 'registry', 'name']).doUpdateSet((row) => ({
          verified: row.ref('excluded.verified'),
          use_count: row.ref('excluded.use_count'),
          fetched_at: row.ref('excluded.fetched_at'),
          body: row.ref('excluded.body'),
        })),
      )
      .returning(['seq', 'registry', 'name'])
      .execute();
    const seqs = new Map(stored.map(({ seq, registry, name }) => [`${registry} ${name}`, seq]));
    await this.#words.put(
      db,
      entries.flatMap((entry) => {
        const seq = seqs.get(`${columnKey(entry.registry)} ${columnKey(entry.name)}`);
        return seq === undefined ? [] : [{ seq, words: wordsOfEntry(entry) }];
      }),
    );
  }

  /** Entries and their words change together or not at all. */
  #together<T>(work: (db: Transaction<Tables>) => Promise<T>): Promise<T> {
    return together(this.#database, work);
  }
}

function toStored(row: { readonly body: string; readonly fetched_at: number | string }): StoredEntry {
  const entry = fromBody('registry_entries', row.body) as RegistryEntry; // #put() wrote it
  return { entry, fetchedAt: Number(row.fetched_at) };
}
