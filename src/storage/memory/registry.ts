import { limits } from '../../base/limits.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import type { EntryQuery, RegistryStore, RegistrySync, StoredEntry } from '../../servers/registry/store.ts';
import { queryWords, scoreOf, wordsOfEntry, type EntryWords } from '../../servers/registry/words.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount } from '../order.ts';
import { MemoryTable } from './table.ts';

interface Row {
  readonly registry: string;
  readonly name: string;
  readonly verified: boolean;
  readonly useCount: number;
  readonly words: EntryWords;
  /** JSON text, so that what was put in cannot be changed from outside. */
  readonly body: string;
  readonly fetchedAt: number;
}

export class MemoryRegistryStore implements RegistryStore {
  readonly #rows = new Map<OwnerId, Map<string, Row>>();
  readonly #syncs = new MemoryTable<RegistrySync>();

  async putEntries(owner: OwnerId, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void> {
    const rows = this.#rowsOf(owner);
    for (const entry of entries) {
      const { registry, name, verified, useCount } = entry;
      const words = wordsOfEntry(entry);
      const body = JSON.stringify(entry);
      rows.set(keyOf(registry, name), { registry, name, verified, useCount, words, body, fetchedAt });
    }
  }

  async deleteEntries(owner: OwnerId, registry: string, names: readonly string[]): Promise<number> {
    const rows = this.#rowsOf(owner);
    return names.filter((name) => rows.delete(keyOf(registry, name))).length;
  }

  async getEntry(owner: OwnerId, registry: string, name: string): Promise<StoredEntry | undefined> {
    const row = this.#rowsOf(owner).get(keyOf(registry, name));
    return row && toStored(row);
  }

  async searchEntries(owner: OwnerId, query: EntryQuery): Promise<readonly StoredEntry[]> {
    const words = queryWords(query.query);
    return [...this.#rowsOf(owner).values()]
      .filter(({ registry }) => query.registries === undefined || query.registries.includes(registry))
      .map((row) => ({ row, score: words.length === 0 ? 1 : scoreOf(row.words, words) }))
      .filter(({ score }) => score > 0)
      .toSorted(
        (a, b) =>
          Number(b.row.verified) - Number(a.row.verified) ||
          b.row.useCount - a.row.useCount ||
          b.score - a.score ||
          (a.row.name < b.row.name ? -1 : 1),
      )
      .slice(0, boundedCount(query.limit, limits.registryResultsMax))
      .map(({ row }) => toStored(row));
  }

  async countEntries(owner: OwnerId, registry: string): Promise<number> {
    return [...this.#rowsOf(owner).values()].filter((row) => row.registry === registry).length;
  }

  async dropRegistry(owner: OwnerId, registry: string): Promise<void> {
    const rows = this.#rowsOf(owner);
    for (const [key, row] of rows) if (row.registry === registry) rows.delete(key);
    this.#syncs.delete(owner, registry);
  }

  async getSync(owner: OwnerId, registry: string): Promise<RegistrySync | undefined> {
    return this.#syncs.get(owner, registry);
  }

  async putSync(owner: OwnerId, sync: RegistrySync): Promise<void> {
    this.#syncs.put(sync, owner, sync.registry);
  }

  #rowsOf(owner: OwnerId): Map<string, Row> {
    const rows = this.#rows.get(owner) ?? new Map<string, Row>();
    this.#rows.set(owner, rows);
    return rows;
  }
}

function keyOf(registry: string, name: string): string {
  return JSON.stringify([registry, name]);
}

function toStored({ body, fetchedAt }: Row): StoredEntry {
  return { entry: JSON.parse(body) as RegistryEntry, fetchedAt }; // putEntries() wrote it
}
