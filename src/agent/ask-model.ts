import {
  JSONParseError,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type ToolSet,
  TypeValidationError,
} from 'ai';
import { backoffMs } from '../base/backoff.ts';
import { PlugError } from '../base/errors.ts';
import type { ChatMessage } from '../hub/hub.ts';
import { Answer } from './answer.ts';
import { isTooLong, shortened } from './conversation.ts';
import { readFailure } from './failures.ts';
import type { LoopParts } from './parts.ts';
import type { Clock } from '../base/clock.ts';
import type { AgentLimits } from './limits.ts';
import { PROVIDER_OPTIONS } from './model.ts';

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
  return new PlugError('unreachable', 'The model’s answer broke off.', {
    owner: 'network',
    remedy: { do: 'retry' },
  });
}
