import {
  JSONParseError,
  streamText,
  TypeValidationError,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { ChatMessage } from '../hub/hub.ts';
import { Answer } from './answer.ts';
import type { AgentLimits } from './limits.ts';
import { PROVIDER_OPTIONS } from './model.ts';

export interface Question {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: ToolSet;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly limits: AgentLimits;
  readonly onText: (kind: 'text' | 'reasoning', text: string) => void;
}

export interface Asked {
  readonly answer: Answer;
  /** Why there is no more of it. */
  readonly failure?: unknown;
}

/** Asks the model once. Whatever goes wrong is answered, together with what had come until then. */
export async function askModel(question: Question): Promise<Asked> {
  const { model, instructions, messages, tools, signal, clock, limits, onText } = question;
  // What the SDK would print as warnings is not for a terminal.
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
        // One event that cannot be read spoils itself alone: the rest of the answer may be whole.
        if (JSONParseError.isInstance(part.error) || TypeValidationError.isInstance(part.error)) {
          answer.unreadable += 1;
        } else failure ??= part.error;
        continue;
      }
      if (part.type === 'text-delta') onText('text', part.text);
      if (part.type === 'reasoning-delta') onText('reasoning', part.text);
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
