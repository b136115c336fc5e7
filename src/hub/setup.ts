import type { ErrorView } from '../base/errors.ts';
import type { FoundServer } from '../servers/registry/merge.ts';
import type { OfferedPlan, PlanOffer } from './plans.ts';
import type { ChatCallOutcome, ChatMessage, ChatUsage } from './chat.ts';

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
  /** What to append to the conversation. */
  readonly messages: readonly ChatMessage[];
  readonly text: string;
  readonly proposals: readonly Proposal[];
  /** Absent when no model took part. */
  readonly model?: string;
  readonly usage?: ChatUsage;
  readonly error?: ErrorView;
}
