import type { Json, JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { Moment } from '../calls/recorder.ts';
import type { ToolCallResult } from '../calls/tool-call.ts';
import type { Tool, WithheldTool } from '../catalog/tool.ts';
import type { ServerState } from '../connections/state.ts';
import type {
  Approval,
  NameForm,
  RenderedTools,
  ToolAudit,
  ToolFormat,
  ToolSettingsApi,
} from './deciding.ts';

/** What can be called, and the call. */

export interface ToolsApi extends ToolSettingsApi {
  /** From manifests alone: no server is started. */
  list(options?: ToolQuery): Promise<ToolList>;
  /** Everything that is known about every tool, offered or not. */
  audit(options?: { readonly server?: string }): Promise<ToolAudit>;
  /** For a model, in its provider's shape. */
  render(options: RenderQuery): Promise<RenderedTools>;
  call(call: CallRequest, options?: CallOptions): Promise<CallResult>;
  /** What results of tools looked like that declare no output, as JSON Schema. */
  learnedOutputs(options?: { readonly server?: string }): Promise<readonly LearnedOutput[]>;
  /**
   * Forwards `tasks/get`, `tasks/update`, `tasks/cancel`, `tasks/result` or `tasks/list` about a
   * task that a call with `passTask` or `task` has answered with. In-process only.
   */
  task(request: ForwardedRequest, options?: CallOptions): Promise<JsonObject>;
}

export interface LearnedOutput {
  /** `server/tool`. */
  readonly tool: string;
  readonly schema: JsonObject;
  /** From how many results. */
  readonly seen: number;
}

/** A request to one server that passes as it is. */
export interface ForwardedRequest {
  readonly server: string;
  readonly method: string;
  readonly params: JsonObject;
  /** The attached host on whose behalf it is made. */
  readonly host?: string;
}

export interface ToolQuery {
  readonly server?: string;
  readonly profile?: string;
  /** With tools of servers that failed or want a sign-in: whoever calls one is told why. */
  readonly failed?: boolean;
  /** Words to look for; the best come first. */
  readonly search?: string;
}

export interface RenderQuery extends ToolQuery {
  readonly format: ToolFormat;
  readonly names?: NameForm;
  /** With tools of ours that read resources and prompts, for models that know only tools. */
  readonly offers?: boolean;
}

export interface ToolList {
  readonly tools: readonly ToolView[];
  /** Tools of servers in good order that are not offered, each with the reason and the next step. */
  readonly withheld: readonly WithheldTool[];
  /** Servers whose tools are missing from the list, each with the reason and the next step. */
  readonly unavailable: readonly {
    readonly server: string;
    readonly state: ServerState;
    readonly tools: number;
  }[];
}

export type ToolView = Tool;

export interface CallRequest {
  /** `server/tool`, or any form in which the name was rendered. */
  readonly tool: string;
  readonly args?: JsonObject;
  readonly profile?: string;
  /** The attached host on whose behalf the call is made. */
  readonly host?: string;
  /** Default: the server's default account. */
  readonly account?: string;
  readonly timeoutMs?: number;
  /** Passed through to the server in `_meta`. */
  readonly meta?: JsonObject;
  /**
   * Who asks. A person may answer their own question; anybody else may not. Default: a program.
   */
  readonly requester?: 'person' | 'program';
  /** Default `refuse`: what needs an approval fails at once and says how to grant it. */
  readonly approval?: 'wait' | 'refuse';
  /** Answer with the whole result however large; else a preview with a handle. */
  readonly whole?: boolean;
  /** Answer with a task's handle instead of following it to its end. */
  readonly passTask?: boolean;
  /** Asks for a task of 2025-11-25: sent beside the arguments. */
  readonly task?: JsonObject;
  /** For a model: texts are marked as what a server said, between marks that they cannot forge. */
  readonly forModel?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Told when the call begins to wait for a person. */
  readonly onApproval?: (approval: Approval) => void;
  /** What the server logs while this runs. In-process only, as the next two. */
  readonly onLog?: (entry: LogEntry) => void;
  readonly logLevel?: string;
  /** Answers what the server asks in the course of this request, instead of the attached host. */
  readonly handlers?: HostHandlers;
}

export interface LogEntry {
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

/** How a call is shown while it runs and when it is over. */
export type CallDisplay = Moment;
