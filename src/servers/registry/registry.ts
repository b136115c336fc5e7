import type { RegistryEntry, RegistryKind } from './entry.ts';

/** `fetch` from the hub: capped, guarded, without redirects. */
export type FetchPort = (url: string | URL, init?: RequestInit) => Promise<Response>;

export interface RegistryPage {
  readonly entries: readonly RegistryEntry[];
  readonly problems: readonly string[];
  readonly nextCursor?: string;
}

export interface ListQuery {
  readonly cursor?: string;
  /** Epoch milliseconds; deleted entries are then listed too. */
  readonly updatedSince?: number;
  readonly limit: number;
}

interface Waiting {
  readonly signal?: AbortSignal | undefined;
}

/** Failures are PlugErrors that name the registry. */
export interface Registry {
  readonly name: string;
  readonly kind: RegistryKind;
  readonly url: string;
  search(query: string, options: Waiting & { readonly limit: number }): Promise<RegistryPage>;
  details(name: string, options?: Waiting & { readonly version?: string }): Promise<RegistryEntry>;
  list?(query: ListQuery, options?: Waiting): Promise<RegistryPage>;
  versions?(name: string, options?: Waiting): Promise<readonly RegistryEntry[]>;
}
