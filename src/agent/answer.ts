import type { AssistantModelMessage, FinishReason, TextStreamPart, ToolSet } from 'ai';
import { isObject, type JsonObject } from '../base/json.ts';
import type { ChatMessage } from '../hub/hub.ts';

type Content = Exclude<AssistantModelMessage['content'], string>;
type Part = Extract<Content[number], { type: 'text' | 'reasoning' }>;

export interface WantedCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  /** The arguments as written, when they are not a JSON object. */
  readonly broken?: string;
}

export class Answer {
  readonly #order: { readonly key: string; part: Part; isWhole: boolean }[] = [];
  readonly #calls: { readonly call: WantedCall; readonly metadata: unknown }[] = [];
  finish: FinishReason | undefined;
  inputTokens = 0;
  outputTokens = 0;
  /** Stream events that couldn't be parsed. */
  unreadable = 0;

  add(part: TextStreamPart<ToolSet>): void {
    if (part.type === 'text-start' || part.type === 'text-delta' || part.type === 'text-end') {
      this.#grow('text', part);
    }
    if (part.type === 'reasoning-start' || part.type === 'reasoning-delta' || part.type === 'reasoning-end') {
      this.#grow('reasoning', part);
    }
    if (part.type === 'tool-call') {
      this.#calls.push({ call: wantedCall(part), metadata: part.providerMetadata });
    }
    if (part.type === 'finish-step') {
      this.finish = part.finishReason;
      this.inputTokens = part.usage.inputTokens ?? 0;
      this.outputTokens = part.usage.outputTokens ?? 0;
    }
  }

  get text(): string {
    return this.#order.map(({ part }) => (part.type === 'text' ? part.text : '')).join('');
  }

  get calls(): readonly WantedCall[] {
    return this.#calls.map(({ call }) => call);
  }

  /** As stored; `rename` gives a call a new id when its own was used before. */
  message(rename: (call: WantedCall) => string): ChatMessage | undefined {
    const said = this.#order
      // A reasoning part that was cut off has no signature, and its provider would refuse it.
      .filter(({ part, isWhole }) => part.text !== '' && (part.type === 'text' || isWhole))
      .map(({ part }) => part);
    const calls = this.#calls.map(({ call, metadata }) => ({
      type: 'tool-call',
      toolCallId: rename(call),
      toolName: call.name,
      input: call.args,
      ...(metadata === undefined ? {} : { providerOptions: metadata }),
    }));
    // Parts of the SDK and metadata of providers are JSON.
    const content = [...said, ...calls] as unknown as readonly JsonObject[];
    return content.length === 0 ? undefined : { role: 'assistant', content };
  }

  /** The text alone, of an answer that was cut off. */
  spoken(): ChatMessage | undefined {
    return this.text === '' ? undefined : { role: 'assistant', content: [{ type: 'text', text: this.text }] };
  }

  #grow(type: Part['type'], part: { id: string; text?: string; type: string; providerMetadata?: unknown }) {
    const key = `${type} ${part.id}`;
    let known = this.#order.findLast((each) => each.key === key && !each.isWhole);
    if (!known) {
      known = { key, part: { type, text: '' }, isWhole: false };
      this.#order.push(known);
    }
    const { providerMetadata } = part;
    known.part = {
      ...known.part,
      text: known.part.text + (part.text ?? ''),
      // The last metadata count: signatures come with the end.
      ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
    } as Part; // metadata are what providers take as options
    if (part.type.endsWith('-end')) known.isWhole = true;
  }
}

function wantedCall(part: Extract<TextStreamPart<ToolSet>, { readonly type: 'tool-call' }>): WantedCall {
  const { toolCallId: id, toolName: name, input } = part;
  const base = { id, name };
  // Unknown names are handled later, with a suggestion.
  const args = typeof input === 'string' ? parsed(input) : input;
  if (isObject(args)) return { ...base, args: args as JsonObject }; // it came as JSON
  const shown = typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
  return { ...base, args: {}, broken: shown };
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
