import type { ColumnType, Generated } from 'kysely';

type Texts<Column extends string> = Readonly<Record<Column, string>>;
type Numbers<Column extends string> = Readonly<Record<Column, number>>;

/** Grows with every row: the order among rows of one moment. */
interface Counted {
  readonly seq: Generated<number>;
}

/** One owned thing by its name. `body` is the whole of it as JSON text. */
export type DocumentTable = Texts<'owner' | 'name' | 'body'>;

/** One owned thing for each tool of a server. */
export type ToolTable = Texts<'owner' | 'server' | 'tool' | 'body'>;

/** One column each, so that merging is one statement; null means “not decided”. */
interface OverrideTable extends Texts<'owner' | 'server'> {
  readonly enabled: number | null;
  readonly read_only: number | null;
  readonly recorded: number | null;
  readonly apps: number | null;
  /** As JSON text. */
  readonly package: string | null;
}

/** PostgreSQL keeps the words in a column of its own, SQLite in the table `registry_words`. */
interface RegistryEntryTable
  extends Counted, Texts<'owner' | 'registry' | 'name' | 'body'>, Numbers<'verified' | 'use_count'> {
  /** PostgreSQL hands out large integers as text. */
  readonly fetched_at: ColumnType<number | string, number, number>;
}

interface VaultRecordTable extends Texts<'owner' | 'kind' | 'name' | 'key_id' | 'body'> {
  readonly server: string | null;
  readonly account: string | null;
  readonly version: number;
}

interface AccountTable extends Counted, Texts<'owner' | 'server' | 'account' | 'body'> {
  readonly is_default: number;
  readonly display_name: string | null;
}

interface AuditTable
  extends Counted, Texts<'owner' | 'call_id' | 'server' | 'tool' | 'outcome' | 'body'>, Numbers<'at'> {
  /** Null in records that are older than these columns and have no readable figure. */
  readonly duration_us: number | null;
  readonly result_bytes: number | null;
  /** In the owner's chain; null in a row that we did not write. */
  readonly place: number | null;
  readonly hash: string | null;
}

/** `whole` is 0 while the pieces are being written: until then no reader sees the result. */
type ResultTable = Counted &
  Texts<'owner' | 'id' | 'body'> &
  Numbers<'created_at' | 'expires_at' | 'bytes' | 'whole'>;

export interface Tables {
  readonly servers: DocumentTable;
  readonly profiles: DocumentTable;
  readonly trust: DocumentTable;
  readonly manifests: DocumentTable;
  readonly verdicts: DocumentTable;
  readonly overrides: OverrideTable;
  readonly events: Counted & Texts<'owner' | 'id' | 'server' | 'body'> & Numbers<'at'>;
  readonly processes: Texts<'hub' | 'body'> & Numbers<'pid'>;
  readonly registry_entries: RegistryEntryTable;
  readonly registry_syncs: DocumentTable;
  readonly vault_key_ring: Texts<'owner' | 'body'> & Numbers<'version'>;
  /** Only the ids that records may name: the keys themselves are in the ring. */
  readonly vault_keys: Texts<'owner' | 'id'>;
  readonly vault_records: VaultRecordTable;
  readonly accounts: AccountTable;
  readonly pins: ToolTable;
  readonly tool_overrides: ToolTable;
  readonly tombstones: ToolTable;
  readonly learned_outputs: ToolTable;
  readonly learned_queries: ToolTable;
  readonly tool_facts: DocumentTable;
  readonly server_trust: DocumentTable;
  readonly hosts: DocumentTable;
  readonly models: DocumentTable;
  readonly changes: DocumentTable;
  readonly versions: DocumentTable;
  readonly grants: Texts<'owner' | 'id' | 'server' | 'body'>;
  readonly audit: AuditTable;
  /** The end of an owner's chain of records. A writer holds its row while it appends. */
  readonly audit_chains: Texts<'owner' | 'hash'> & Numbers<'place'>;
  /** Places of pruned records, one row for neighbors; the hash covers them. */
  readonly audit_gaps: Texts<'owner' | 'hash'> & Numbers<'first' | 'last'>;
  /** The processes of a team, each until it says again that it is there. */
  readonly replicas: Texts<'id' | 'address'> & Numbers<'until'>;
  /** Which replica holds the rows of an owner in memory. One whose replica is gone is free. */
  readonly homes: Texts<'owner' | 'replica'>;
  /** Calls under way, where no disk is relied on; `body` is the beginning of the record. */
  readonly begun_calls: Texts<'owner' | 'call_id' | 'body'>;
  /** What is a file for one user, and a row for a team. */
  readonly settings: DocumentTable;
  /** Of a team: calls that others than who asked have to approve. */
  readonly waiting_approvals: DocumentTable;
  /** Calls of a span of time, by what they are counted for. */
  readonly counters: Texts<'owner' | 'name'> & Numbers<'span' | 'count'>;
  readonly results: ResultTable;
  /** `escaped` is not 0 when the piece is a JSON string. */
  readonly result_pieces: Texts<'owner' | 'id' | 'piece'> & Numbers<'position' | 'escaped'>;
}

type NamesOf<T> = { [K in keyof Tables]: [Tables[K], T] extends [T, Tables[K]] ? K : never }[keyof Tables];

export type DocumentTableName = NamesOf<DocumentTable>;
export type ToolTableName = NamesOf<ToolTable>;
