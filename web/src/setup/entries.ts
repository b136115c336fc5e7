import type { ChatCallOutcome, ErrorView, Proposal } from '../hub/hub-context.tsx';

/** What stands in the conversation, from top to bottom. */
export type Entry = Said | Answer | Fact;

export interface Said {
  readonly kind: 'said';
  readonly id: string;
  readonly text: string;
  /** There was a key in it, which is not shown. */
  readonly hasKey: boolean;
}

export interface Answer {
  readonly kind: 'answer';
  readonly id: string;
  readonly parts: readonly Part[];
  readonly state: 'running' | 'done' | 'stopped';
  /** Our name for the model that answered; absent when none took part. */
  readonly model?: string;
  readonly error?: ErrorView;
}

/** What came of something that the person agreed to. */
export interface Fact {
  readonly kind: 'fact';
  readonly id: string;
  readonly text: string;
}

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly says: string; readonly outcome?: ChatCallOutcome }
  | {
      readonly kind: 'proposal';
      readonly id: string;
      readonly proposal: Proposal;
      readonly settled?: string;
      /** Settled by a word in the conversation, not on the card: it is shown as a fact. */
      readonly bySaying?: true;
    };
