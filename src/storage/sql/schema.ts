import type { Generated } from 'kysely';

/** One owned thing by its name. `body` is the whole of it as JSON text. */
export interface DocumentTable {
  readonly owner: string;
  readonly name: string;
  readonly body: string;
}

/** Columns of their own, so that merging is one statement; null means “not decided”. */
interface OverrideTable {
  readonly owner: string;
  readonly server: string;
  readonly enabled: number | null;
  readonly read_only: number | null;
}

interface EventTable {
  /** Grows with every row: the order among events of one moment. */
  readonly seq: Generated<number>;
  readonly owner: string;
  readonly id: string;
  readonly server: string;
  readonly at: number;
  readonly body: string;
}

interface ProcessTable {
  readonly hub: string;
  readonly pid: number;
  readonly body: string;
}

/** What a registry lists. PostgreSQL keeps the words beside it, SQLite in `registry_words`. */
interface RegistryEntryTable {
  readonly seq: Generated<number>;
  readonly owner: string;
  readonly registry: string;
  readonly name: string;
  readonly verified: number;
  readonly use_count: number;
  readonly fetched_at: number;
  readonly body: string;
}

export interface Tables {
  readonly servers: DocumentTable;
  readonly profiles: DocumentTable;
  readonly trust: DocumentTable;
  readonly manifests: DocumentTable;
  readonly verdicts: DocumentTable;
  readonly overrides: OverrideTable;
  readonly events: EventTable;
  readonly processes: ProcessTable;
  readonly registry_entries: RegistryEntryTable;
  readonly registry_syncs: DocumentTable;
}

export type DocumentTableName =
  | 'servers'
  | 'profiles'
  | 'trust'
  | 'manifests'
  | 'verdicts'
  | 'registry_syncs';
