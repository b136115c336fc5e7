import type { NextStep } from '../base/remedy.ts';
import type { AuditFigures } from '../calls/audit-record.ts';
import type { JsonObject } from '../base/json.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { Decision } from '../policy/decision.ts';
import type { Grant } from '../policy/grant.ts';
import type { RulesFileView } from '../policy/rules/rules-file.ts';
import type { GrepFound } from '../calls/results/grep.ts';
import type { PathFound } from '../calls/results/json-path.ts';
import type { ReadAnswer } from '../calls/results/read.ts';

export type { NameForm } from '../catalog/names.ts';
export type { Answerer, Approval, ApprovalAnswer, ApprovalEnd, ApprovalOutcome } from '../policy/approval.ts';
export type { Decision, Effect, PolicyDefaults, Trust } from '../policy/decision.ts';
export type { Grant } from '../policy/grant.ts';
export type { AuditPage, AuditQuery, AuditRecord } from '../calls/audit-record.ts';
export type { AuditVerification } from '../calls/audit/chain.ts';
export type { StoredResult } from '../calls/stored-result.ts';

export type RulesView = RulesFileView;

export interface GrantView extends Grant {
  /** The id under which the server is known here, if it still is. */
  readonly serverId?: string;
  /** In words: “Calls of github/create_issue where repo is acme/*, until 2026-12-01”. */
  readonly says: string;
  /** Why it no longer applies: the server or the tool has changed. */
  readonly stale?: string;
}

export interface RenderedTools {
  readonly tools: readonly JsonObject[];
  /** Name as rendered → canonical name. */
  readonly names: Readonly<Record<string, string>>;
  /** Tools that the provider would refuse, each with a sentence. */
  readonly omitted: readonly { readonly ref: string; readonly reason: string }[];
  readonly tokens: number;
}

export interface ToolAudit {
  /** Servers that failed come first. */
  readonly servers: readonly (NextStep & {
    readonly server: string;
    readonly state: string;
    readonly reason: string;
    readonly tokens: number;
    readonly tools: readonly (Tool & {
      readonly enabled: boolean;
      /** What a call without any grant would meet. */
      readonly confirm: Decision['effect'];
    })[];
    readonly withheld: readonly WithheldTool[];
  })[];
}

export interface AuditSummary {
  readonly since: number;
  readonly partMs: number;
  /** One row for each server and part in which something was called, oldest first. */
  readonly rows: readonly AuditSummaryRow[];
}

export interface AuditSummaryRow extends Omit<AuditFigures, 'resultBytes'> {
  /** What the results would cost a model, estimated from their sizes. */
  readonly tokens: number;
}

export interface RecentResult {
  /** Absent: it isn't remembered any more, or was too large to be. */
  readonly result?: JsonObject;
}

export interface ResultPage extends Omit<Extract<ReadAnswer, { kind: 'page' }>, 'kind'> {
  readonly id: string;
  readonly page: number;
  readonly bytes: number;
}

export interface ResultMatches extends GrepFound {
  readonly id: string;
}

export interface ResultPathFound extends PathFound {
  readonly id: string;
}
