import { backoffMs } from '../base/backoff.ts';
import { PlugError } from '../base/errors.ts';
import type { ChatMessage } from '../hub/hub.ts';
import type { Answer } from './answer.ts';
import { askModel, type Question } from './ask-model.ts';
import { isTooLong, shortened } from './conversation.ts';
import { readFailure } from './failures.ts';
import type { LoopParts } from './parts.ts';

export interface Step {
  readonly answer: Answer;
  /** The conversation as it was sent: old results may have had to go. */
  readonly sent: readonly ChatMessage[];
  /** Why there is no whole answer. */
  readonly error?: PlugError;
}

/**
 * Asks the model, and again when its provider is busy or the connection was lost: as long as nothing of
 * the answer was shown, nobody can tell. A conversation that is too long is shortened once.
 */
export async function askPatiently(
  turn: LoopParts,
  question: Pick<Question, 'model' | 'instructions' | 'tools' | 'messages'>,
): Promise<Step> {
  const { events, signal, clock, limits, view } = turn;
  let sent = roomFor(turn, question.messages);
  let isShortened = sent !== question.messages;
  for (let attempt = 1; ; attempt += 1) {
    const { answer, failure } = await askModel({
      ...question,
      messages: sent,
      signal,
      clock,
      limits,
      onText: events.text,
    });
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
    const pause = waitMs ?? backoff(turn, attempt);
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

/** Where it is known how much the model can read, nothing is sent that it would refuse. */
function roomFor(
  { view, limits, events }: LoopParts,
  messages: readonly ChatMessage[],
): readonly ChatMessage[] {
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

function backoff({ limits, ids }: LoopParts, attempt: number): number {
  const { retryBaseMs: baseMs, retryMaxMs: maxMs } = limits;
  return backoffMs({ attempt, baseMs, maxMs, ids });
}
