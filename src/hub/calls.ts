import type { Json, JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { Moment } from '../calls/running-call.ts';
import type { ToolCallResult } from '../calls/tool-call.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { ServerState } from '../connections/state.ts';
import type { Approval, ApprovalEnd } from './decisions.ts';

export interface LearnedOutput {
  readonly tool: string;
  readonly schema: JsonObject;
  readonly seen: number;
}

/** Words of searches that led to a call, as the catalog has them: stems, and never a value. */
export interface LearnedQuery {
  readonly tool: string;
  /** The last one first. */
  readonly queries: readonly string[];
}

export interface ToolSearchQuery {
  readonly queries: readonly string[];
  readonly server?: string;
  readonly risk?: Tool['risk'];
  readonly limit: number;
  /** Nothing else is ranked, counted or named. */
  readonly within: Pick<ToolList, 'tools'>;
  /** Who searches, where it is not the client itself. */
  readonly host?: string;
  /** How often a tool was called: ranks it. */
  readonly usage?: (ref: string) => number;
}

export interface ToolSearchAnswer {
  /** Best first. */
  readonly hits: readonly ToolView[];
  /** Other tools of the best hits' servers, as `server/tool`. */
  readonly siblings: readonly string[];
  /** Tools that are not read yet: another search may find them. */
  readonly unread: number;
}

export interface ForwardedRequest {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  readonly host?: string;
}

export interface ToolList {
  readonly tools: readonly ToolView[];
  /** Tools of servers in good order that are not offered, each with the reason and the next step. */
  readonly withheld: readonly WithheldTool[];
  readonly unavailable: readonly {
    readonly server: string;
    readonly state: ServerState;
    readonly tools: number;
  }[];
  /** Why the server couldn't be asked, when a fresh list was wanted: this is what it offered before. */
  readonly stale?: string;
}

export type ToolView = Tool;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onApproval?: (approval: Approval) => void;
  readonly onApprovalEnd?: (end: ApprovalEnd) => void;
  /** In-process only, as all that follow: what the server logs while this runs. */
  readonly onLog?: (entry: LogEntry) => void;
  readonly logLevel?: string;
  /** Answers what the server asks in the course of this request, instead of the attached host. */
  readonly handlers?: HostHandlers;
}

export interface LogEntry {
  readonly server: string;
  readonly level: string;
  readonly logger?: string;
  readonly data: Json;
}

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export type CallResult = ToolCallResult;

export type CallDisplay = Moment;

/** A resource, template or prompt exactly as its server sent it. */
export interface Offered {
  readonly server: string;
  readonly definition: JsonObject;
}
