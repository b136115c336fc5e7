import type { ColumnType, Generated } from 'kysely';

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
  readonly recorded: number | null;
  readonly apps: number | null;
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
  /** PostgreSQL hands out large integers as text. */
  readonly fetched_at: ColumnType<number | string, number, number>;
  readonly body: string;
}

interface VaultKeyRingTable {
  readonly name: string;
  readonly version: number;
  readonly body: string;
}

/** Nothing but the ids of keys that records may name: the keys themselves are in the ring. */
interface VaultKeyTable {
  readonly id: string;
}

interface VaultRecordTable {
  readonly owner: string;
  readonly kind: string;
  readonly name: string;
  readonly server: string | null;
  readonly account: string | null;
  readonly version: number;
  readonly key_id: string;
  readonly body: string;
}

interface AccountTable {
  /** Grows with every row: the oldest account has the least. */
  readonly seq: Generated<number>;
  readonly owner: string;
  readonly server: string;
  readonly account: string;
  readonly is_default: number;
  readonly display_name: string | null;
  readonly body: string;
}

/** What is known of one tool of one server. `body` is the whole of it as JSON text. */
export interface ToolTable {
  readonly owner: string;
  readonly server: string;
  readonly tool: string;
  readonly body: string;
}

interface GrantTable {
  readonly owner: string;
  readonly id: string;
  readonly server: string;
  readonly body: string;
}

interface AuditTable {
  /** Grows with every row: the order among records of one moment. */
  readonly seq: Generated<number>;
  readonly owner: string;
  readonly call_id: string;
  readonly at: number;
  readonly server: string;
  readonly tool: string;
  readonly outcome: string;
  readonly body: string;
  /** What is counted of it; null when it was written before these were, and in some odd way. */
  readonly duration_us: number | null;
  readonly result_bytes: number | null;
  /** In the owner's chain; null in a row that we did not write. */
  readonly place: number | null;
  readonly hash: string | null;
}

/** The end of an owner's chain of records. Whoever appends to it holds its row. */
interface AuditChainTable {
  readonly owner: string;
  readonly place: number;
  readonly hash: string;
}

/** Places of records that were pruned, one row for those that stood side by side; the hash covers them. */
interface AuditGapTable {
  readonly owner: string;
  readonly first: number;
  readonly last: number;
  readonly hash: string;
}

interface ResultTable {
  /** Grows with every row: the order among results of one moment. */
  readonly seq: Generated<number>;
  readonly owner: string;
  readonly id: string;
  readonly created_at: number;
  readonly expires_at: number;
  readonly bytes: number;
  /** 0 while its pieces are being written: then nobody sees it. */
  readonly whole: number;
  readonly body: string;
}

/** Goes with its result. */
interface ResultPieceTable {
  readonly owner: string;
  readonly id: string;
  readonly position: number;
  /** Not 0: the piece is written as a JSON string. */
  readonly escaped: number;
  readonly piece: string;
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
  readonly vault_key_ring: VaultKeyRingTable;
  readonly vault_keys: VaultKeyTable;
  readonly vault_records: VaultRecordTable;
  readonly accounts: AccountTable;
  readonly pins: ToolTable;
  readonly tool_overrides: ToolTable;
  readonly tombstones: ToolTable;
  readonly learned_outputs: ToolTable;
  readonly tool_facts: DocumentTable;
  readonly server_trust: DocumentTable;
  readonly hosts: DocumentTable;
  readonly models: DocumentTable;
  readonly grants: GrantTable;
  readonly audit: AuditTable;
  readonly audit_chains: AuditChainTable;
  readonly audit_gaps: AuditGapTable;
  readonly results: ResultTable;
  readonly result_pieces: ResultPieceTable;
}

type NamesOf<T> = { [K in keyof Tables]: [Tables[K], T] extends [T, Tables[K]] ? K : never }[keyof Tables];

export type DocumentTableName = NamesOf<DocumentTable>;
export type ToolTableName = NamesOf<ToolTable>;
