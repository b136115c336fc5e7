import type { ErrorView } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Approval } from '../policy/approval.ts';
import type { ModelProvider } from '../vault/models.ts';

export type { ModelProvider } from '../vault/models.ts';

/** Models, and talking to one that uses the servers. */

// ── Models ─────────────────────────────────────────────────────────────────

export interface ModelsApi {
  list(): Promise<readonly ModelView[]>;
  /** Adds a model or replaces the one of that name; the first one becomes the default. */
  save(model: NewModel): Promise<ModelView>;
  remove(name: string): Promise<void>;
  setDefault(name: string): Promise<void>;
  /**
   * The way to a model, the default one when none is named. The key is added on the way out and
   * never handed over. In-process only.
   */
  open(name?: string): Promise<OpenModel>;
  /** What a provider has, under its own names; asks it. */
  offered(request: OfferedRequest): Promise<readonly string[]>;
}

export interface ModelView {
  /** Ours for it, such as `fast`. */
  readonly name: string;
  readonly provider: ModelProvider;
  /** The provider's name for it. */
  readonly model: string;
  /** Where it is, when not at its provider's own address; always present for `compatible`. */
  readonly url?: string;
  readonly isDefault: boolean;
  readonly hasKey: boolean;
  /** What it can read at once. */
  readonly contextTokens?: number;
  /** In dollars for a million tokens, as the user gave it. */
  readonly price?: { readonly input: number; readonly output: number };
}

export interface NewModel extends Omit<ModelView, 'isDefault' | 'hasKey'> {
  /**
   * Goes into the vault. Absent keeps the key of the model that is replaced, unless its address is
   * another one: a key is for one address.
   */
  readonly key?: string;
  readonly isDefault?: boolean;
}

export interface OfferedRequest {
  readonly provider: ModelProvider;
  readonly url?: string;
  readonly key?: string;
  /** Use the key that this model of ours has for that address. */
  readonly name?: string;
}

export interface OpenModel {
  readonly view: ModelView;
  /** As the global one, with the key and our limits; it reaches only the model's own address. */
  readonly fetch: typeof globalThis.fetch;
}

// ── Chat ───────────────────────────────────────────────────────────────────

export interface ChatApi {
  /**
   * Lets a model answer the last message, with the tools it may use. Keeps nothing: whoever talks
   * holds the conversation, and gives it back with the next turn. What happens on the way comes as
   * progress. Cancelling ends the running calls too; what was said until then is in `ChatCut`.
   */
  turn(request: ChatRequest, options?: ChatOptions): Promise<ChatOutcome>;
  /** Servers that would help with a request and are not there yet. */
  suggest(request: { readonly text: string; readonly limit?: number }): Promise<readonly ServerSuggestion[]>;
}

export interface ChatRequest {
  /** The conversation so far; the last message is the person's. */
  readonly messages: readonly ChatMessage[];
  /** By our name for it; absent is the default. */
  readonly model?: string;
  /** Only these servers. Absent: whichever the request needs. `@server` in the text names one too. */
  readonly servers?: readonly string[];
  readonly profile?: string;
  /** How much of the tools the model is shown; default `auto`. */
  readonly mode?: 'auto' | 'all' | 'servers' | 'search' | 'code';
  /** The attached host that answers what servers ask, in whose folder they work. */
  readonly host?: string;
  /** Default `wait`: a call that needs an approval waits for a person. */
  readonly approval?: 'wait' | 'refuse';
  /** Added to what the model is told first. */
  readonly instructions?: string;
}

/** A message as the AI SDK keeps it (`ModelMessage`), which is JSON. */
export type ChatMessage = JsonObject & { readonly role: 'system' | 'user' | 'assistant' | 'tool' };

export interface ChatOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (event: ChatEvent) => void;
}

export type ChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  /** What the model can use in this turn, and whether somebody named the servers. */
  | { readonly kind: 'servers'; readonly servers: readonly string[]; readonly named: boolean }
  | {
      readonly kind: 'call-start';
      readonly id: string;
      /** `server/tool`, or the bare name of a tool of ours, such as `search_tools`. */
      readonly tool: string;
      readonly args: JsonObject;
    }
  | {
      readonly kind: 'call-end';
      readonly id: string;
      readonly tool: string;
      readonly outcome: ChatCallOutcome;
      readonly durationMs: number;
      /** The beginning of what came back, or what went wrong, for people. */
      readonly text: string;
      /** Why it was allowed. */
      readonly allowedBy?: string;
      /** The whole result: `plug results ID`. */
      readonly resultId?: string;
      /** Pictures, sounds and resources of the result, as far as they are small; for people. */
      readonly media?: readonly ChatMedia[];
      /** The page that the server brings along for this tool, when its apps are shown. */
      readonly app?: ChatApp;
      readonly error?: ErrorView;
    }
  | { readonly kind: 'approval'; readonly callId: string; readonly approval: Approval }
  /** The model asked for something that no server here does. */
  | { readonly kind: 'suggestion'; readonly suggestions: readonly ServerSuggestion[] }
  /** The provider is busy or failed; it is asked again. */
  | { readonly kind: 'retry'; readonly reason: string; readonly waitMs: number; readonly attempt: number }
  | { readonly kind: 'usage'; readonly usage: ChatUsage }
  | { readonly kind: 'note'; readonly text: string };

export interface ChatApp {
  readonly server: string;
  readonly uri: string;
  /** What the tool answered, for the page: as the server sent it, when it is small. */
  readonly result?: JsonObject;
}

export interface ChatMedia {
  readonly kind: 'image' | 'audio' | 'resource';
  readonly mimeType?: string;
  /** In base64. */
  readonly data?: string;
  /** Of a resource: where it is, and its text if it came with it. */
  readonly uri?: string;
  readonly text?: string;
}

export type ChatCallOutcome = 'completed' | 'failed' | 'timed-out' | 'denied' | 'cancelled';

/** Of one turn. */
export interface ChatUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Requests to the model. */
  readonly steps: number;
  readonly calls: number;
  /** In dollars, when the model has a price. */
  readonly cost?: number;
}

export interface ChatOutcome {
  /** What to append to the conversation. */
  readonly messages: readonly ChatMessage[];
  /** What the model said last. */
  readonly text: string;
  /** `steps`: it was stopped because it went on for too long. `cut`: it was cancelled or failed midway. */
  readonly end: 'done' | 'length' | 'steps' | 'cut';
  readonly usage: ChatUsage;
  /** Calls that were not made for want of an approval, each with the command that grants it. */
  readonly refused: readonly ErrorView[];
  /** With `cut`: why. */
  readonly error?: ErrorView;
}

export interface ServerSuggestion {
  /** What to give to `plug add`. */
  readonly add: string;
  readonly name: string;
  /** Why it would help, in a sentence. */
  readonly why: string;
  readonly from: 'featured' | 'registry' | 'disabled';
  /** The command that plugs it in. */
  readonly next: string;
}
