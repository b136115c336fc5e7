import type { RegistryEntry, RegistryKind } from './entry.ts';

/** `fetch` as the hub passes it: capped, guarded, and following no redirects. */
export type FetchPort = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface RegistryPage {
  readonly entries: readonly RegistryEntry[];
  /** Entries that could not be read, each in a sentence. */
  readonly problems: readonly string[];
  readonly nextCursor?: string;
}

export interface ListQuery {
  readonly cursor?: string;
  /** Only what changed after this time, epoch milliseconds; deleted entries are then listed too. */
  readonly updatedSince?: number;
  readonly limit: number;
}

interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** A place where servers are listed. Failures are thrown as PlugErrors that name it. */
export interface Registry {
  readonly name: string;
  readonly kind: RegistryKind;
  readonly url: string;
  search(query: string, options: Waiting & { readonly limit: number }): Promise<RegistryPage>;
  /** One entry with all it has. `version` is an exact one, or absent for the latest. */
  details(name: string, options?: Waiting & { readonly version?: string }): Promise<RegistryEntry>;
  /** Present when the registry can be copied into the local index. */
  list?(query: ListQuery, options?: Waiting): Promise<RegistryPage>;
  versions?(name: string, options?: Waiting): Promise<readonly RegistryEntry[]>;
}
