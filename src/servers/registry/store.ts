import type { OwnerId } from '../store.ts';
import type { RegistryEntry } from './entry.ts';

/** An entry as it was last seen. */
export interface StoredEntry {
  readonly entry: RegistryEntry;
  /** Epoch milliseconds. */
  readonly fetchedAt: number;
}

/** How far the local copy of one registry has come. */
export interface RegistrySync {
  readonly registry: string;
  /** Of the registry that was copied: another address under the same name starts anew. */
  readonly url: string;
  /** When the last whole pass ended; absent as long as there was none. */
  readonly completedAt?: number;
  /** Everything that changed up to here is known, by the registry's own clock. */
  readonly updatedSince?: number;
  /** A pass that was interrupted goes on here. */
  readonly resume?: {
    readonly cursor: string;
    /** What the interrupted pass asked for, and the newest change that it has seen. */
    readonly since?: number;
    readonly newest?: number;
  };
}

export interface EntryQuery {
  readonly query: string;
  /** Names of registries; absent means all. */
  readonly registries?: readonly string[];
  readonly limit: number;
}

/** The local index of what registries list. */
export interface RegistryStore {
  /** Inserts or replaces, by registry and name. Durable when the promise resolves. */
  putEntries(owner: OwnerId, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void>;
  /** Answers how many there were. */
  deleteEntries(owner: OwnerId, registry: string, names: readonly string[]): Promise<number>;
  getEntry(owner: OwnerId, registry: string, name: string): Promise<StoredEntry | undefined>;
  /** Entries that hold every word; verified ones first, then by use count, then by fit. */
  searchEntries(owner: OwnerId, query: EntryQuery): Promise<readonly StoredEntry[]>;
  countEntries(owner: OwnerId, registry: string): Promise<number>;
  /** Forgets a registry: its entries and how far they were copied. */
  dropRegistry(owner: OwnerId, registry: string): Promise<void>;

  getSync(owner: OwnerId, registry: string): Promise<RegistrySync | undefined>;
  putSync(owner: OwnerId, sync: RegistrySync): Promise<void>;
}
