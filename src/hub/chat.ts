import type { NextStep } from '../base/remedy.ts';
import type { ErrorView } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Approval, ApprovalEnd } from '../policy/approval.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import type { StoredModel } from '../vault/models.ts';
import type { OfferedPlan, PlanOffer } from './plans.ts';

export type { ModelProvider } from '../vault/models.ts';

/** `name` is ours for it, such as `fast`; `url` is always present for `compatible`. */
export interface ModelView extends Omit<StoredModel, 'createdAt' | 'chosen'> {
  readonly isDefault: boolean;
  readonly hasKey: boolean;
}

/** A program on this machine that runs models. */
export interface FoundModels {
  /** Such as “Ollama”. */
  readonly program: string;
  readonly url: string;
  readonly models: readonly string[];
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
  | {
      readonly kind: 'servers';
      readonly servers: readonly string[];
      /** Chosen by the person, not by what the request needs. */
      readonly named: boolean;
      /** How many servers they were chosen from, if others were left out. */
      readonly of?: number;
    }
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
  | { readonly kind: 'approval-end'; readonly callId: string; readonly end: ApprovalEnd }
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
  | { readonly kind: 'proposal'; readonly proposal: Proposal }
  /** Told before anything else: there is a key in the person's message. */
  | { readonly kind: 'said'; readonly said: SaidWithKey };

/** The person's message without its keys, for whoever shows it. */
export interface SaidWithKey {
  readonly shown: string;
  /** The key was used, and nothing needs it any more: the conversation keeps `shown` instead. */
  readonly forget: boolean;
}

/** A card. A “yes” in the conversation agrees to it, too, unless the plan is untrusted. */
export type Proposal =
  /** To be agreed to with `plans.install`; its secrets are typed into fields of the form. */
  | {
      readonly kind: 'install';
      readonly plan: OfferedPlan;
      /** The number of the person's message that holds its key already. */
      readonly key?: number;
    }
  /** To be agreed to with `servers.remove`. */
  | { readonly kind: 'remove'; readonly server: string; readonly credentials: readonly string[] }
  /** To be agreed to with `servers.enable` or `servers.disable`. */
  | { readonly kind: 'switch'; readonly server: string; readonly on: boolean }
  /** To be agreed to with `accounts.signIn`; `agreed`: the person has said yes, so the face begins at once. */
  | { readonly kind: 'sign-in'; readonly server: string; readonly agreed?: true }
  /** A key that a server of the person's lacks, or that is to be replaced: `secret` is its name in the vault. */
  | { readonly kind: 'key'; readonly server: string; readonly secret?: string }
  /** What to do about a server that fails, which the person does themselves. */
  | { readonly kind: 'remedy'; readonly server: string; readonly error: ErrorView }
  /** A damaged text: use the corrected one? Answered with “yes” in the conversation. May lack its keys. */
  | { readonly kind: 'repair'; readonly offer: Pick<PlanOffer, 'problems' | 'repair'> }
  | { readonly kind: 'choose'; readonly choices: readonly FoundServer[] };

/** Something that was done in the conversation because the person agreed or asked for it in so many words. */
export type Deed =
  | { readonly kind: 'added' | 'enabled' | 'disabled' | 'signed-in' | 'key'; readonly server: string }
  | {
      readonly kind: 'removed';
      readonly server: string;
      /** With it “undo” adds the server again. */
      readonly definition?: ServerDefinition;
      /** Names of the keys that were forgotten with it. */
      readonly forgotten?: readonly string[];
    };

/**
 * What a face notes with an assistant message of its own, in `providerOptions.plugboard`, when the person did
 * something on a card: so a “yes” does not do it again, and “undo” knows of it.
 */
export interface FactNote {
  readonly plain: true;
  readonly fact: true;
  readonly done: readonly Deed[];
  readonly about: readonly string[];
}

export interface ConfiguringOutcome {
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly proposals: readonly Proposal[];
  readonly done: readonly Deed[];
  /** Absent when there is no key in what the person said. */
  readonly said?: SaidWithKey;
  /** Absent when no model took part. */
  readonly model?: string;
  readonly usage?: ChatUsage;
  readonly error?: ErrorView;
}
