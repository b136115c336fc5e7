import {
  type AssistantModelMessage,
  type FinishReason,
  JSONParseError,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type TextStreamPart,
  type ToolSet,
  TypeValidationError,
} from 'ai';
import { backoffMs } from '../base/backoff.ts';
import { PlugError } from '../base/errors.ts';
import type { ChatMessage } from '../hub/hub.ts';
import { isTooLong, shortened } from './conversation.ts';
import { readFailure } from './failures.ts';
import type { LoopParts } from './parts.ts';
import { PROVIDER_OPTIONS } from './model.ts';
import { isObject, type JsonObject } from '../base/json.ts';

interface Step {
  readonly answer: Answer;
  readonly sent: readonly ChatMessage[];
  readonly error?: PlugError;
}

/** Retries while nothing of the answer was shown; shortens a conversation that is too long once. */
export async function askPatiently(turn: LoopParts, question: Question): Promise<Step> {
  const { events, signal, clock, limits, view } = turn;
  let sent = roomFor(turn, question.messages);
  let isShortened = sent !== question.messages;
  for (let attempt = 1; ; attempt += 1) {
    const { answer, failure } = await askModel(turn, { ...question, messages: sent });
    if (failure === undefined) return { answer, sent };
    if (signal.aborted) return { answer, sent, error: stopped() };
    const { error, passes, waitMs, isTooLong: tooLong } = readFailure(failure, { view, now: clock.now() });
    const shorter = tooLong && !isShortened ? shortened(sent) : undefined;
    if (shorter) {
      sent = shorter;
      isShortened = true;
      events.note(SHORTENED);
      continue;
    }
    const { retryBaseMs: baseMs, retryMaxMs: maxMs } = limits;
    const pause = waitMs ?? backoffMs({ attempt, baseMs, maxMs, ids: turn.ids });
    const isWorthIt = passes && attempt <= limits.retriesMax && pause <= limits.retryAfterMaxMs;
    if (!isWorthIt || answer.text !== '') return { answer, sent, error };
    events.tell({ kind: 'retry', reason: error.message, waitMs: pause, attempt });
    try {
      await clock.sleep(pause, signal);
    } catch {
      return { answer, sent, error: stopped() };
    }
  }
}

export function stopped(): PlugError {
  return new PlugError('cancelled', 'The answer was cancelled.', { owner: 'you' });
}

const SHORTENED =
  'The conversation has become too long for the model: its oldest tool results were taken out.';

/** Where the context size is known, nothing longer is sent. */
function roomFor({ view, limits, events }: LoopParts, messages: readonly ChatMessage[]) {
  const { contextTokens } = view;
  if (contextTokens === undefined) return messages;
  let fitting = messages;
  while (isTooLong(fitting, contextTokens * limits.contextShare)) {
    const shorter = shortened(fitting);
    if (!shorter) break;
    fitting = shorter;
  }
  if (fitting !== messages) events.note(SHORTENED);
  return fitting;
}

interface Question {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: ToolSet;
}

async function askModel({ events, signal, clock, limits }: LoopParts, question: Question) {
  const { model, instructions, messages, tools } = question;
  // The SDK's warnings don't belong in a terminal.
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  const answer = new Answer();
  const quiet = new AbortController();
  let stopWaiting = clock.after(limits.firstByteTimeoutMs, () =>
    quiet.abort(silence(limits.firstByteTimeoutMs)),
  );
  let failure: unknown;
  try {
    const { stream } = streamText({
      model,
      instructions,
      messages: messages as unknown as ModelMessage[], // checked by the SDK
      tools,
      maxRetries: 0,
      providerOptions: PROVIDER_OPTIONS,
      abortSignal: AbortSignal.any([signal, quiet.signal]),
      // Errors come as parts of the stream; the SDK would print them.
      onError: () => undefined,
    });
    for await (const part of stream) {
      if (part.type === 'start' || part.type === 'start-step') continue;
      stopWaiting();
      stopWaiting = clock.after(limits.quietTimeoutMs, () => quiet.abort(silence(limits.quietTimeoutMs)));
      if (part.type === 'error') {
        // One unreadable event doesn't spoil the rest of the answer.
        if (JSONParseError.isInstance(part.error) || TypeValidationError.isInstance(part.error)) {
          answer.unreadable += 1;
        } else failure ??= part.error;
        continue;
      }
      if (part.type === 'text-delta') events.text('text', part.text);
      if (part.type === 'reasoning-delta') events.text('reasoning', part.text);
      answer.add(part);
    }
  } catch (error) {
    failure ??= error;
  } finally {
    stopWaiting();
  }
  if (signal.aborted) return { answer, failure: signal.reason };
  if (quiet.signal.aborted) return { answer, failure: quiet.signal.reason };
  if (failure === undefined && ENDED_EARLY.has(answer.finish ?? 'error')) failure = cutOff();
  return failure === undefined ? { answer } : { answer, failure };
}

const ENDED_EARLY: ReadonlySet<string> = new Set(['error', 'interrupted']);

function silence(ms: number): PlugError {
  return new PlugError('call_timeout', `The model has said nothing for ${Math.round(ms / 1_000)} s.`, {
    owner: 'network',
    remedy: 'Try again; if the model runs on your machine, see whether it is still loading.',
  });
}

function cutOff(): PlugError {
  const remedy = { do: 'retry' } as const;
  return new PlugError('unreachable', 'The model’s answer broke off.', { owner: 'network', remedy });
}

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
