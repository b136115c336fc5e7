import { chmod, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { ChatMessage, ChatRequest, ChatUsage } from '../../hub/hub.ts';
import { usage, userError } from '../failures.ts';
import { DONE, faint, strong, type Output, type Piece } from '../output.ts';
import { printTable } from '../render/table.ts';
import { counted } from '../render/text.ts';
import { askYesNo, type Session } from '../session.ts';
import { END_SIGNS, endText, type ShownCall } from './call-row.ts';
import { personSays } from './person-says.ts';
import { SetupTalk } from './setup-talk.ts';

type HistoryEntry =
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
  /** By server. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly profile?: string;
  readonly mode?: NonNullable<ChatRequest['mode']>;
  readonly verbose: boolean;
}

/** One conversation. The hub keeps nothing of it: it is given back with every turn. */
export class Conversation {
  messages: readonly ChatMessage[] = [];
  entries: readonly HistoryEntry[] = [];
  usages: readonly TurnUsage[] = [];
  choices: Choices;
  unanswered: string | undefined;
  last: string | undefined;
  /** Messages are for the configuration agent, which needs no model. */
  isSetup: boolean;
  readonly setup = new SetupTalk();

  constructor(choices: Choices, { isSetup = false }: { readonly isSetup?: boolean } = {}) {
    this.choices = choices;
    this.isSetup = isSetup;
  }

  begin(): void {
    this.messages = [];
    this.entries = [];
    this.setup.begin();
    this.unanswered = undefined;
    this.last = undefined;
  }

  choose(change: { readonly [Name in keyof Choices]?: Choices[Name] | undefined }): void {
    const entries = Object.entries({ ...this.choices, ...change }).filter(([, value]) => value !== undefined);
    this.choices = Object.fromEntries(entries) as unknown as Choices; // verbose is always there
  }

  add(...entries: readonly HistoryEntry[]): void {
    this.entries = [...this.entries, ...entries];
  }

  requestFor(text: string): ChatRequest {
    const { verbose: _, ...choices } = this.choices;
    return { ...choices, messages: [...this.messages, personSays(text)] };
  }
}

export function renderCost(usages: readonly TurnUsage[], out: Output): void {
  if (usages.length === 0) {
    out.line('No messages yet.');
    return;
  }
  const rows = [
    ...usages.map(({ model, usage }, index) => rowOf(String(index + 1), model, usage)),
    ...(usages.length > 1 ? [rowOf('all', '', totalOf(usages))] : []),
  ];
  const columns = ['TURN', 'MODEL', 'IN', 'OUT', 'CALLS', 'COST'].map((title) => ({ title }));
  printTable(out, columns, rows);
  if (usages.every(({ usage }) => usage.cost === undefined))
    out.note(faint('This model has no price set: plug help model add'));
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

/** What one answer took: `2 calls · 1240 tokens in, 80 out · $0.0250`. */
export function usageText({ inputTokens, outputTokens, calls, cost }: ChatUsage): string {
  return [
    ...(calls === 0 ? [] : [counted(calls, 'call')]),
    ...(inputTokens + outputTokens === 0 ? [] : [`${inputTokens} tokens in, ${outputTokens} out`]),
    ...(cost === undefined ? [] : [dollars(cost)]),
  ].join(' · ');
}

function dollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 6 : cost < 1 ? 4 : 2)}`;
}

function rowOf(turn: string, model: string, usage: TurnUsage['usage']): readonly Piece[] {
  const { cost } = usage;
  return [
    strong(turn),
    model,
    String(usage.inputTokens),
    String(usage.outputTokens),
    String(usage.calls),
    cost === undefined ? '–' : dollars(cost),
  ];
}

/** `/save [FILE]`: the conversation as Markdown, for its owner only; nothing is overwritten unasked. */
export async function save(
  conversation: Conversation,
  file: string | undefined,
  session: Session,
): Promise<void> {
  const { out, cwd, clock } = session;
  if (conversation.entries.length === 0) throw usage('There is nothing to save yet.');
  const stamp = new Date(clock.now()).toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  const name = file ?? `chat-${stamp}.md`;
  const path = resolve(cwd, name);
  const text = markdownOf(conversation, clock.now());
  if (!(await write(path, text, 'wx'))) {
    if (
      !session.terminal.interactive ||
      !(await askYesNo(session, `${name} already exists. Overwrite it?`, 'no'))
    )
      throw userError('already_exists', `${name} already exists and was left unchanged.`, {
        remedy: '/save OTHER.md',
      });
    await write(path, text, 'w');
    await chmod(path, 0o600);
  }
  out.line(DONE, `Saved as ${name}.`);
}

async function write(path: string, text: string, flag: 'w' | 'wx'): Promise<boolean> {
  try {
    await writeFile(path, text, { flag, mode: 0o600 });
    return true;
  } catch (cause) {
    if (isObject(cause) && cause['code'] === 'EEXIST') return false;
    throw userError('usage', `${path} cannot be written: ${cause instanceof Error ? cause.message : ''}`, {
      cause,
    });
  }
}

function markdownOf({ entries, usages, choices }: Conversation, now: number): string {
  const { inputTokens, outputTokens, calls, cost } = totalOf(usages);
  const price = cost === undefined ? '' : `, $${cost.toFixed(4)}`;
  const about = `_${new Date(now).toISOString().slice(0, 10)}, model ${choices.model ?? 'default'}, ${inputTokens} tokens in, ${outputTokens} out, ${calls} calls${price}_`;
  return `# Chat\n\n${about}\n\n${entries.map(markdownEntry).join('\n\n')}\n`;
}

function markdownEntry(entry: HistoryEntry): string {
  switch (entry.kind) {
    case 'person':
      return `## You\n\n${entry.text}`;
    case 'model':
      return `## Model\n\n${entry.text.trim()}`;
    case 'call':
      return markdownCall(entry.call);
    case 'note':
    default:
      return `> ${entry.text.replaceAll('\n', '\n> ')}`;
  }
}

function markdownCall({ tool, args, end }: ShownCall): string {
  const json = JSON.stringify(args, undefined, 2);
  const longest = Math.max(2, ...[...json.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  const how = end ? `${END_SIGNS[end.outcome]} ${endText(tool, end)}` : `◐ ${tool}`;
  const kept = end?.resultId === undefined ? '' : `\n\nThe whole result: \`plug results ${end.resultId}\``;
  return `**${how}**\n\n${fence}json\n${json}\n${fence}${kept}`;
}
