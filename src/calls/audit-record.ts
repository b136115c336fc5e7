import type { JsonObject } from '../base/json.ts';
import type { ErrorCode, Owner } from '../base/errors.ts';
import type { Risk } from '../catalog/risk.ts';
import type { DecidedBy, Decision, Effect, Requester } from '../policy/decision.ts';
import type { OwnerId } from '../servers/store.ts';

/** What happened, once for every call that was asked for, allowed or not. */
export interface AuditRecord {
  readonly callId: string;
  /** Epoch milliseconds of the beginning. */
  readonly at: number;
  readonly principal: string;
  readonly requester: Requester;
  readonly server: string;
  readonly account?: string;
  readonly tool: string;
  readonly risk: Risk;
  /** Redacted and bounded. */
  readonly args: JsonObject;
  readonly effect: Effect;
  readonly by: DecidedBy;
  /** Present when a person was asked. */
  readonly approval?: {
    readonly id: string;
    readonly outcome: 'allowed' | 'denied' | 'unanswered' | 'withdrawn';
    readonly answeredBy?: string;
    readonly edited?: boolean;
  };
  /** Arguments and messages are left out: recording is switched off for the server. */
  readonly leftOut?: true;
  readonly durationMs: number;
  /** `unknown`: it began, and the hub ended before it did. */
  readonly outcome: 'ok' | 'tool_error' | 'failed' | 'timed_out' | 'cancelled' | 'refused' | 'unknown';
  readonly error?: { readonly code: ErrorCode; readonly owner: Owner; readonly message: string };
  readonly argsBytes: number;
  readonly resultBytes?: number;
  /** Present when the result was stored whole. */
  readonly resultId?: string;
  readonly retries?: number;
}

/** What is known, and kept, before a server hears of a call. */
export type BegunRecord = Omit<AuditRecord, keyof RecordEnding>;

/** What is known when it has ended. */
export type RecordEnding = Pick<
  AuditRecord,
  'durationMs' | 'outcome' | 'error' | 'resultBytes' | 'resultId' | 'retries'
>;

/** A record that is written already: what is looked for and counted in it, and its text. */
export interface WrittenRecord extends Pick<
  AuditRecord,
  'callId' | 'at' | 'server' | 'tool' | 'outcome' | 'durationMs' | 'resultBytes'
> {
  /** As `textOfRecord` wrote it. */
  readonly text: string;
}

export interface AuditQuery {
  readonly server?: string;
  readonly tool?: string;
  readonly outcome?: AuditRecord['outcome'];
  readonly since?: number;
  readonly until?: number;
  /** Continues after the last record of an earlier page. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly records: readonly AuditRecord[];
  readonly cursor?: string;
}

/** A time that is divided into parts of the same length. */
export interface AuditParts {
  readonly since: number;
  readonly until: number;
  readonly partMs: number;
  readonly server?: string;
  /** No more rows than this are answered. */
  readonly limit: number;
}

/** The calls of one server in one part of the time. */
export interface AuditFigures {
  readonly server: string;
  /** Counted from 0. */
  readonly part: number;
  readonly calls: number;
  /** Those that ended badly: failed, timed out, or an error of the tool. */
  readonly failures: number;
  /** Of the calls that ran, in milliseconds; 0 when none did. */
  readonly meanMs: number;
  readonly slowestMs: number;
  readonly resultBytes: number;
}

/** What is recorded of a decision. */
export interface Grounds {
  readonly decision: Decision;
  readonly approval?: AuditRecord['approval'];
}

/** How far a chain of records goes, and the hash that covers all of them. */
export interface ChainEnd {
  /** Counted from 1; 0 when nothing was ever recorded. */
  readonly place: number;
  readonly hash: string;
}

/** A record as it stands in the chain. */
export interface ChainedRecord extends ChainEnd {
  /** Grows along the chain; after which one the next page begins. */
  readonly seq: number;
  readonly callId: string;
  readonly text: string;
  /** Whether that which is looked for and counted is what the text says. */
  readonly agrees: boolean;
}

export interface AuditStore {
  /**
   * All or none; a record that is there already is left as it is. Each one that is new gets the next place
   * in its owner's chain: its hash covers the hash of the one before it.
   */
  appendAudit(owner: OwnerId, records: readonly (AuditRecord | WrittenRecord)[]): Promise<void>;
  queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage>;
  /** By part, then by server; parts without a call are left out. */
  sumAudit(owner: OwnerId, parts: AuditParts): Promise<readonly AuditFigures[]>;
  /** Answers how many went. The chain keeps where they stood, and the hash that covers them. */
  pruneAudit(owner: OwnerId, limits: { readonly before: number; readonly keep: number }): Promise<number>;
  chainEnd(owner: OwnerId): Promise<ChainEnd>;
  /** Along the chain. */
  chainedRecords(
    owner: OwnerId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedRecord[]>;
  /** The end of those around this place that pruning has taken, if it has. */
  prunedAt(owner: OwnerId, place: number): Promise<ChainEnd | undefined>;
}
