import type { AuditFigures, AuditPage, AuditQuery } from '../calls/audit-record.ts';
import type { StoredResult } from '../calls/stored-result.ts';
import type { JsonObject } from '../base/json.ts';
import type { Risk } from '../catalog/risk.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { Approval, ApprovalAnswer, ApprovalOutcome } from '../policy/approval.ts';
import type { Decision, PolicyDefaults } from '../policy/decision.ts';
import type { Grant } from '../policy/grant.ts';

export type { NameForm } from '../catalog/names.ts';
export type { Answerer, Approval, ApprovalAnswer, ApprovalOutcome } from '../policy/approval.ts';
export type { Decision, Effect, PolicyDefaults, Trust } from '../policy/decision.ts';
export type { Grant } from '../policy/grant.ts';
export type { AuditPage, AuditQuery, AuditRecord } from '../calls/audit-record.ts';
export type { StoredResult } from '../calls/stored-result.ts';

/** Who may do what, and what was done. */

// ── Policy ─────────────────────────────────────────────────────────────────

export interface PolicyApi {
  /** What would happen to a call and why, without making it. */
  explain(request: { readonly tool: string; readonly args?: JsonObject }): Promise<Decision>;
  defaults(): Promise<PolicyDefaults>;
  /** Holds at once, for every face, and is kept in the rules file. */
  setDefaults(change: DefaultsChange): Promise<PolicyDefaults>;
  rules(): Promise<RulesView>;
}

export interface DefaultsChange {
  readonly connect?: Decision['effect'];
  readonly list?: Decision['effect'];
  readonly call?: Partial<PolicyDefaults['call']>;
}

export interface RulesView {
  readonly file: string;
  readonly exists: boolean;
  /** One line each, as a person would say it. */
  readonly rules: readonly { readonly name: string; readonly says: string }[];
  /** With problems, the rules that were read last stay in force. */
  readonly problems: readonly {
    readonly line: number;
    readonly column: number;
    readonly message: string;
  }[];
}

export interface GrantsApi {
  list(query?: { readonly server?: string }): Promise<readonly GrantView[]>;
  add(grant: NewGrant): Promise<GrantView>;
  revoke(id: string): Promise<void>;
}

export interface GrantView extends Grant {
  /** The id under which the server is known here, if it still is. */
  readonly serverId?: string;
  /** In words: “Calls of github/create_issue where repo is acme/*, until 2026-12-01”. */
  readonly says: string;
  /** Why it does not hold any more: the server or the tool has changed. */
  readonly stale?: string;
}

export interface NewGrant {
  /** `server/tool`; `server` alone means all its reads. */
  readonly tool: string;
  /** Dotted path → glob. */
  readonly args?: Readonly<Record<string, string>>;
  readonly until?: number;
  readonly session?: boolean;
  readonly once?: boolean;
  /** With `once`: only for exactly these arguments. */
  readonly argsHash?: string;
}

// ── Approvals ──────────────────────────────────────────────────────────────

export interface ApprovalsApi {
  /** Those that wait, oldest first. */
  list(): Promise<readonly Approval[]>;
  get(id: string): Promise<Approval>;
  /** The first answer wins; a later one is told who was faster. */
  answer(id: string, answer: ApprovalAnswer): Promise<ApprovalOutcome>;
  /** The same answer for all that wait in a batch. */
  answerBatch(batch: string, answer: BatchAnswer): Promise<readonly ApprovalOutcome[]>;
}

export type BatchAnswer = Omit<ApprovalAnswer, 'argsHash' | 'args'> & {
  /** Those that the person saw: whatever has joined since is left out. Absent: all. */
  readonly ids?: readonly string[];
};

// ── Single tools ───────────────────────────────────────────────────────────

export interface ToolSettingsApi {
  setEnabled(ref: string, enabled: boolean): Promise<void>;
  /** Undefined takes the override back. */
  setRisk(ref: string, risk: Risk | undefined): Promise<void>;
  /** Pins the definition as it is now; gives a quarantined tool free. */
  approve(ref: string, options?: { readonly hash?: string }): Promise<void>;
}

/** How a tool is shown to a model. */
export type ToolFormat = 'openai' | 'anthropic' | 'gemini' | 'ai-sdk' | 'mcp';

export interface RenderedTools {
  /** In the provider's own shape. */
  readonly tools: readonly JsonObject[];
  /** Name as rendered → canonical name. */
  readonly names: Readonly<Record<string, string>>;
  /** Tools that the provider would refuse, each with a sentence. */
  readonly omitted: readonly { readonly ref: string; readonly reason: string }[];
  readonly tokens: number;
}

export interface ToolAudit {
  /** Servers that failed come first. */
  readonly servers: readonly {
    readonly server: string;
    readonly state: string;
    readonly reason: string;
    readonly next?: string;
    readonly tokens: number;
    readonly tools: readonly (Tool & {
      readonly enabled: boolean;
      /** What a call without any grant would meet. */
      readonly confirm: Decision['effect'];
    })[];
    readonly withheld: readonly WithheldTool[];
  }[];
}

// ── What happened ──────────────────────────────────────────────────────────

export interface AuditApi {
  query(query?: Partial<AuditQuery>): Promise<AuditPage>;
  /** Calls in equal spans of time, for charts. */
  summary(query: AuditSpan): Promise<AuditSummary>;
  /** Recording can be switched off for a server. */
  setRecorded(server: string, recorded: boolean): Promise<void>;
}

export interface AuditSpan {
  readonly since: number;
  readonly until: number;
  /** Into how many parts the time is divided. */
  readonly parts: number;
  readonly server?: string;
}

export interface AuditSummary {
  readonly since: number;
  /** How long one part is. */
  readonly partMs: number;
  /** One row for each server and part in which something was called, oldest first. */
  readonly rows: readonly AuditSummaryRow[];
}

export interface AuditSummaryRow extends Omit<AuditFigures, 'resultBytes'> {
  /** What the results would cost a model, estimated from their sizes. */
  readonly tokens: number;
}

export interface ResultsApi {
  list(): Promise<readonly StoredResult[]>;
  /** One page of the text, from 1. */
  page(id: string, page: number): Promise<ResultPage>;
  /** Lines that match a regular expression (RE2), with their places. */
  grep(id: string, pattern: string): Promise<ResultMatches>;
  /** What a JSONPath (RFC 9535) finds. */
  path(id: string, path: string): Promise<ResultPathFound>;
  remove(id: string): Promise<void>;
}

export interface ResultPage {
  readonly id: string;
  readonly page: number;
  readonly pages: number;
  readonly bytes: number;
  readonly text: string;
}

export interface ResultMatches {
  readonly id: string;
  readonly matches: readonly { readonly line: number; readonly page: number; readonly text: string }[];
  /** There were more than are shown. */
  readonly truncated: boolean;
}

export interface ResultPathFound {
  readonly id: string;
  readonly found: readonly { readonly path: string; readonly value: unknown }[];
  readonly truncated: boolean;
}
