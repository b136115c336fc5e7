import type { ChatMessage, ChatRequest, ChatUsage } from '../../hub/hub.ts';
import { faint, strong, type Output, type Piece } from '../output.ts';
import { printTable } from '../render/table.ts';
import type { ShownCall } from './call-row.ts';

export type Entry =
  | { readonly kind: 'person'; readonly text: string }
  | { readonly kind: 'model'; readonly text: string }
  | { readonly kind: 'call'; readonly call: ShownCall }
  | { readonly kind: 'note'; readonly text: string };

interface TurnUsage {
  readonly model: string;
  readonly usage: ChatUsage;
}

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

export function renderCost(usages: readonly TurnUsage[], out: Output): void {
  if (usages.length === 0) {
    out.line('Nothing was asked yet.');
    return;
  }
  const rows = [
    ...usages.map(({ model, usage }, index) => rowOf(String(index + 1), model, usage)),
    ...(usages.length > 1 ? [rowOf('all', '', totalOf(usages))] : []),
  ];
  const columns = ['TURN', 'MODEL', 'IN', 'OUT', 'CALLS', 'COST'].map((title) => ({ title }));
  printTable(out, columns, rows);
  if (usages.every(({ usage }) => usage.cost === undefined))
    out.note(faint('A model has no price here until you give it one: plug help model add.'));
}

export function totalOf(usages: readonly TurnUsage[]): TurnUsage['usage'] {
  const sum = (of: (usage: TurnUsage['usage']) => number | undefined): number =>
    usages.reduce((total, { usage }) => total + (of(usage) ?? 0), 0);
  const isPriced = usages.some(({ usage }) => usage.cost !== undefined);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    steps: sum((usage) => usage.steps),
    calls: sum((usage) => usage.calls),
    ...(isPriced ? { cost: sum((usage) => usage.cost) } : {}),
  };
}

function rowOf(turn: string, model: string, usage: TurnUsage['usage']): readonly Piece[] {
  return [
    strong(turn),
    model,
    String(usage.inputTokens),
    String(usage.outputTokens),
    String(usage.calls),
    usage.cost === undefined ? '–' : dollars(usage.cost),
  ];
}

function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 6 : cost < 1 ? 4 : 2)}`;
}
