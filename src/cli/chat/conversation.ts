import type { ChatMessage, ChatRequest, ChatUsage } from '../../hub/hub.ts';
import type { ShownCall } from './call-row.ts';

/** What was said and done, for /save. */
export type Entry =
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'model'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ShownCall }
  | { readonly kind: 'note'; readonly text: string };

export interface TurnUsage {
  readonly model: string;
  readonly usage: ChatUsage;
}

/** What is chosen for the messages to come. */
export interface Choices {
  readonly model?: string;
  readonly servers?: readonly string[];
  readonly profile?: string;
  readonly mode?: NonNullable<ChatRequest['mode']>;
  readonly verbose: boolean;
}

/** One conversation. The hub keeps nothing of it: it is given back with every turn. */
export class Conversation {
  messages: readonly ChatMessage[] = [];
  entries: readonly Entry[] = [];
  usages: readonly TurnUsage[] = [];
  choices: Choices;
  /** A message that got no answer, to be sent again. */
  unanswered: string | undefined;
  /** For /retry. */
  last: string | undefined;

  constructor(choices: Choices) {
    this.choices = choices;
  }

  /** The model forgets; what it has cost stays. */
  begin(): void {
    this.messages = [];
    this.entries = [];
    this.unanswered = undefined;
    this.last = undefined;
  }

  choose(change: { readonly [Name in keyof Choices]?: Choices[Name] | undefined }): void {
    const entries = Object.entries({ ...this.choices, ...change }).filter(([, value]) => value !== undefined);
    this.choices = Object.fromEntries(entries) as unknown as Choices; // verbose is always there
  }

  add(...entries: readonly Entry[]): void {
    this.entries = [...this.entries, ...entries];
  }

  requestFor(text: string): ChatRequest {
    const { verbose: _, ...choices } = this.choices;
    return { ...choices, messages: [...this.messages, personSays(text)] };
  }
}

export function personSays(text: string): ChatMessage {
  return { role: 'user', content: text };
}
