import type { NextStep } from '../base/remedy.ts';
import type { ErrorView } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Approval } from '../policy/approval.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import type { StoredModel } from '../vault/models.ts';
import type { OfferedPlan, PlanOffer } from './plans.ts';

export type { ModelProvider } from '../vault/models.ts';

/** `name` is ours for it, such as `fast`; `url` is always present for `compatible`. */
export interface ModelView extends Omit<StoredModel, 'createdAt' | 'chosen'> {
  readonly isDefault: boolean;
  readonly hasKey: boolean;
}

export interface OpenModel {
  readonly view: ModelView;
  /** As the global one, with the key and our limits; it reaches only the model's own address. */
  readonly fetch: typeof globalThis.fetch;
}

/** A message as the AI SDK keeps it (`ModelMessage`), which is JSON. */
export type ChatMessage = JsonObject & { readonly role: 'system' | 'user' | 'assistant' | 'tool' };

export type ChatEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
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
      readonly allowedBy?: string;
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
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  /** `steps`: it was stopped because it went on for too long. `cut`: it was cancelled or failed midway. */
  readonly end: 'done' | 'length' | 'steps' | 'cut';
  readonly usage: ChatUsage;
  /** Calls that were not made for want of an approval, each with the command that grants it. */
  readonly refused: readonly ErrorView[];
  readonly error?: ErrorView;
}

export interface ServerSuggestion extends Required<NextStep> {
  /** What to give to `plug add`. */
  readonly add: string;
  readonly name: string;
  readonly why: string;
  readonly from: 'featured' | 'registry' | 'disabled';
}

export type ConfiguringEvent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool-start'; readonly id: string; readonly tool: string; readonly says: string }
  | {
      readonly kind: 'tool-end';
      readonly id: string;
      readonly tool: string;
      readonly outcome: ChatCallOutcome;
      readonly says: string;
    }
  | { readonly kind: 'proposal'; readonly proposal: Proposal };

export type Proposal =
  /** To be agreed to with `plans.install`; its secrets are typed into fields of the form. */
  | { readonly kind: 'install'; readonly plan: OfferedPlan }
  /** To be agreed to with `servers.remove`. */
  | { readonly kind: 'remove'; readonly server: string; readonly credentials: readonly string[] }
  /** To be agreed to with `accounts.signIn`. */
  | { readonly kind: 'sign-in'; readonly server: string }
  /** A damaged text: use the corrected one? Answered with “yes” in the conversation. May lack its keys. */
  | { readonly kind: 'repair'; readonly offer: Pick<PlanOffer, 'problems' | 'repair'> }
  | { readonly kind: 'choose'; readonly choices: readonly FoundServer[] };

export interface ConfiguringOutcome {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly proposals: readonly Proposal[];
  /** Absent when no model took part. */
  readonly model?: string;
  readonly usage?: ChatUsage;
  readonly error?: ErrorView;
}
