import type { NextStep } from '../base/remedy.ts';
import type { JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { LogEntry } from '../connections/in-flight.ts';
import type { ProgressNote } from '../connections/peer.ts';
import type { Host } from '../connections/pool.ts';
import type { Approval } from '../policy/approval.ts';
import type { AskedAccount, Requester } from '../policy/decision.ts';
import type { Profile } from '../servers/profile.ts';

/** One call as a face asks for it. */
export interface ToolCall {
  /** `server/tool`, or any form in which the name was rendered. */
  readonly tool: string;
  readonly args: JsonObject;
  /** Whose grants count. */
  readonly principal: string;
  readonly requester: Requester;
  /** What becomes of a call that needs an approval: it waits for one, or it fails at once. */
  readonly approval: 'wait' | 'refuse';
  /** Calls of one batch may be answered together. */
  readonly batch?: string | undefined;
  readonly whole: boolean;
  readonly profile?: Profile | undefined;
  /** Only a read is asked for: whatever else the tool is, it does not run. */
  readonly readOnly?: boolean | undefined;
  readonly host?: Host | undefined;
  /** The name of an account; else the default one. */
  readonly account?: string | undefined;
  /** Who we are at the server, found out before anything is decided; the default account has a name too. */
  readonly as?: AskedAccount | undefined;
  readonly timeoutMs?: number | undefined;
  readonly meta?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
  readonly onApproval?: ((approval: Approval) => void) | undefined;
  /** What the server logs meanwhile, from `logLevel` on. */
  readonly onLog?: ((entry: LogEntry) => void) | undefined;
  readonly logLevel?: string | undefined;
  /** Answers what the server asks meanwhile, instead of the host. */
  readonly handlers?: HostHandlers | undefined;
  /** Answer with a task's handle instead of following it to its end. */
  readonly passTask?: boolean | undefined;
  /** Asks for a task of 2025-11-25, which is then answered unfinished. */
  readonly task?: JsonObject | undefined;
}

export interface ToolCallResult {
  readonly callId: string;
  readonly server: string;
  readonly tool: string;
  readonly durationMs: number;
  readonly isError: boolean;
  /**
   * The MCP result exactly as the server sent it: unknown content kinds and fields included.
   * When there is a handle, the beginning of it.
   */
  readonly result: JsonObject;
  /** The whole result is kept under this id: see `results`. */
  readonly handle?: { readonly id: string; readonly bytes: number; readonly pages: number };
  /** What allowed it, as a sentence. */
  readonly allowedBy: string;
  /** What a person could do about a tool's own error. */
  readonly hint?: Required<NextStep> & { readonly says: string };
}
