import type { NextStep } from '../base/remedy.ts';
import type { JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { LogEntry } from '../connections/in-flight.ts';
import type { ProgressNote } from '../connections/peer.ts';
import type { Host } from '../connections/pool.ts';
import type { Approval, ApprovalEnd } from '../policy/approval.ts';
import type { AskedAccount, Consent, Requester } from '../policy/decision.ts';
import type { Profile } from '../servers/profile.ts';

export interface ToolCall {
  /** `server/tool`, or any other form of the name. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Whose grants count. */
  readonly principal: string;
  readonly requester: Requester;
  /** If approval is needed: wait for it, or fail at once. */
  readonly approval: 'wait' | 'refuse';
  readonly consent?: Consent | undefined;
  readonly batch?: string | undefined;
  readonly whole: boolean;
  /** Structured content is left whole, up to a bound, also where the rest becomes a preview. */
  readonly wholeStructured?: boolean | undefined;
  readonly profile?: Profile | undefined;
  /** Runs only if the tool is a read. */
  readonly readOnly?: boolean | undefined;
  readonly host?: Host | undefined;
  /** By name; the default one if absent. */
  readonly account?: string | undefined;
  /** Resolved before the decision; the default account has a name too. */
  readonly as?: AskedAccount | undefined;
  readonly timeoutMs?: number | undefined;
  readonly meta?: JsonObject | undefined;
  /** Beside the arguments, as the host sent them. */
  readonly fields?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
  readonly onApproval?: ((approval: Approval) => void) | undefined;
  /** The question of `onApproval` has ended; the call runs from here on, if it was allowed. */
  readonly onApprovalEnd?: ((end: ApprovalEnd) => void) | undefined;
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  readonly logLevel?: string | undefined;
  /** Answers the server's questions instead of the host. */
  readonly handlers?: HostHandlers | undefined;
  /** Return a task's handle instead of following it. */
  readonly passTask?: boolean | undefined;
  /** Requests a 2025-11-25 task, returned unfinished. */
  readonly task?: JsonObject | undefined;
}

export interface ResultHandle {
  readonly id: string;
  readonly bytes: number;
  readonly pages: number;
}

export interface ToolCallResult {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly durationMs: number;
  readonly isError: boolean;
  /** As the server sent it, unknown kinds and fields included; its start if there is a handle. */
  readonly result: JsonObject;
  readonly handle?: ResultHandle;
  readonly allowedBy: string;
  readonly hint?: Required<NextStep> & { readonly says: string };
}
