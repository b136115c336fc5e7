import type { JsonObject } from '../base/json.ts';
import type { ErrorCode, Owner } from '../base/errors.ts';
import type { Risk } from '../catalog/risk.ts';
import type { DecidedBy, Decision, Effect, Requester } from '../policy/decision.ts';
import type { OwnerId } from '../servers/store.ts';

export interface AuditRecord {
  readonly callId: string;
  /** Epoch milliseconds of the start. */
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
  readonly approval?: {
    readonly id: string;
    readonly outcome: 'allowed' | 'denied' | 'unanswered' | 'withdrawn';
    readonly answeredBy?: string;
    readonly edited?: boolean;
  };
  /** Recording is off for the server: arguments and messages are left out. */
  readonly leftOut?: true;
  /** Without the time that a person took to answer, which is in `waitedMs`. */
  readonly durationMs: number;
  /** Absent where no approval was asked for. */
  readonly waitedMs?: number;
  /** `unknown`: it began, and the hub ended first. */
  readonly outcome: 'ok' | 'tool_error' | 'failed' | 'timed_out' | 'cancelled' | 'refused' | 'unknown';
  readonly error?: { readonly code: ErrorCode; readonly owner: Owner; readonly message: string };
  readonly argsBytes: number;
  readonly resultBytes?: number;
  readonly resultId?: string;
  readonly retries?: number;
}

/** Known, and journaled, before the server hears of a call. */
export type BegunRecord = Omit<AuditRecord, keyof RecordEnding>;

export type RecordEnding = Pick<
  AuditRecord,
  'durationMs' | 'waitedMs' | 'outcome' | 'error' | 'resultBytes' | 'resultId' | 'retries'
>;

export interface WrittenRecord extends Pick<
  AuditRecord,
  'callId' | 'at' | 'server' | 'tool' | 'outcome' | 'durationMs' | 'resultBytes'
> {
  readonly text: string;
}

export interface AuditQuery {
  readonly server?: string;
  readonly tool?: string;
  readonly outcome?: AuditRecord['outcome'];
  /** As `requesterKey` has it. */
  readonly requester?: string;
  readonly since?: number;
  readonly until?: number;
  readonly cursor?: string;
  readonly limit: number;
}

/** Who asked, in one word for filters: `person`, or the name of the app, or its id. */
export function requesterKey({ kind, name, id }: Requester): string {
  return kind === 'person' ? 'person' : (name ?? id);
}

export interface AuditPage {
  /** Newest first. */
  readonly records: readonly AuditRecord[];
  readonly cursor?: string;
}

export interface AuditParts {
  readonly since: number;
  readonly until: number;
  readonly partMs: number;
  readonly server?: string;
  /** As `requesterKey` has it. */
  readonly requester?: string;
  readonly byTool?: boolean;
  readonly limit: number;
}

export interface AuditFigures {
  readonly server: string;
  /** Only where sums are by tool. */
  readonly tool?: string;
  /** Counted from 0. */
  readonly part: number;
  readonly calls: number;
  /** Failed, timed out, or a tool error. */
  readonly failures: number;
  /** Of calls that ran; 0 if none did. */
  readonly meanMs: number;
  readonly slowestMs: number;
  /** When the last of them began. */
  readonly lastAt: number;
  readonly resultBytes: number;
}

export interface Grounds {
  readonly decision: Decision;
  readonly approval?: AuditRecord['approval'];
}

export interface ChainEnd {
  /** Counted from 1; 0 when nothing was ever recorded. */
  readonly place: number;
  readonly hash: string;
}

export interface ChainedRecord extends ChainEnd {
  /** Grows along the chain; the next page starts after it. */
  readonly seq: number;
  readonly callId: string;
  readonly text: string;
  /** Whether the searched and summed columns match the text. */
  readonly agrees: boolean;
}

export interface AuditStore {
  /** All or none; known records are skipped. Each new one is chained to the hash before it. */
  appendAudit(owner: OwnerId, records: readonly (AuditRecord | WrittenRecord)[]): Promise<void>;
  queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage>;
  /** By part, then server; empty parts are left out. */
  sumAudit(owner: OwnerId, parts: AuditParts): Promise<readonly AuditFigures[]>;
  /** Returns how many were deleted. The chain keeps their places and covering hash. */
  pruneAudit(owner: OwnerId, limits: { readonly before: number; readonly keep: number }): Promise<number>;
  chainEnd(owner: OwnerId): Promise<ChainEnd>;
  chainedRecords(
    owner: OwnerId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedRecord[]>;
  /** The end of the pruned gap around this place, if any. */
  prunedAt(owner: OwnerId, place: number): Promise<ChainEnd | undefined>;
}

/** The journal where no disk is relied on: another process can read it when this one has died. */
export interface CallJournalStore {
  /**
   * All of it or nothing; repeating it changes nothing. Beginnings are refused, with the code `unavailable`,
   * if `holder` does not hold the owner's rows any more.
   */
  writeCalls(owner: OwnerId, change: CallsChange): Promise<void>;
  /** The beginnings of those that have not ended. */
  listBegunCalls(owner: OwnerId): Promise<readonly string[]>;
}

export interface CallsChange {
  readonly holder: string;
  readonly begun: readonly { readonly callId: string; readonly text: string }[];
  /** They go into the audit. */
  readonly ended: readonly (AuditRecord | WrittenRecord)[];
  /** Beginnings that are not needed any more. */
  readonly gone: readonly string[];
}
