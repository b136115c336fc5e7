import type { OwnerId } from '../store.ts';
import type { RegistryEntry } from './entry.ts';

export interface StoredEntry {
  readonly entry: RegistryEntry;
  readonly fetchedAt: number;
}

export interface RegistrySync {
  readonly registry: string;
  /** Another URL under the same name starts over. */
  readonly url: string;
  /** End of the last complete pass. */
  readonly completedAt?: number;
  /** By the registry's own clock. */
  readonly updatedSince?: number;
  readonly resume?: {
    readonly cursor: string;
    /** Of the interrupted pass. */
    readonly since?: number;
    readonly newest?: number;
  };
}

export interface EntryQuery {
  readonly query: string;
  /** Every word, as typed, or any of them; all if absent. */
  readonly match?: 'all' | 'any';
  readonly registries?: readonly string[];
  readonly limit: number;
}

export interface RegistryStore {
  /** Inserts or replaces, by registry and name; durable when resolved. */
  putEntries(owner: OwnerId, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void>;
  deleteEntries(owner: OwnerId, registry: string, names: readonly string[]): Promise<number>;
  getEntry(owner: OwnerId, registry: string, name: string): Promise<StoredEntry | undefined>;
  /** With every word: verified first, then by use count, then by fit. With any word: by fit. */
  searchEntries(owner: OwnerId, query: EntryQuery): Promise<readonly StoredEntry[]>;
  /** For the nearest name to a misspelt one. */
  listNames(owner: OwnerId, registries: readonly string[]): Promise<readonly string[]>;
  countEntries(owner: OwnerId, registry: string): Promise<number>;
  dropRegistry(owner: OwnerId, registry: string): Promise<void>;

  getSync(owner: OwnerId, registry: string): Promise<RegistrySync | undefined>;
  putSync(owner: OwnerId, sync: RegistrySync): Promise<void>;
}
