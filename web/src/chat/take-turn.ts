import { toPlugError } from '../../../src/base/errors.ts';
import type { ChatMessage, ChatOutcome, Hub } from '../hub/hub-context.tsx';
import { callsIn, messagesOf, saidIn, titleFrom, type Conversation, type Turn } from './conversation.ts';
import { conversations } from './conversations.ts';
import { hearEvent } from './hear-event.ts';
import { pageHostOf } from './page-host.tsx';

export interface TakeTurn {
  readonly hub: Hub;
  readonly conversation: Conversation;
  readonly text: string;
}

/** Says something and shows what comes of it. It never fails: what went wrong is part of the turn. */
export async function takeTurn({ hub, conversation, text }: TakeTurn): Promise<void> {
  const { id, turns, servers, model } = conversation;
  const stop = new AbortController();
  const turn: Turn = {
    id: crypto.randomUUID(),
    at: Date.now(),
    text,
    parts: [],
    state: 'running',
    messages: [],
  };
  running.set(turn.id, stop);
  conversations.put({
    ...conversation,
    title: turns.length === 0 && conversation.title === '' ? titleFrom(text) : conversation.title,
    changedAt: Date.now(),
    turns: [...turns, turn],
  });
  const change = (make: (before: Turn) => Turn): void => conversations.changeTurn(id, turn.id, make);
  try {
    const asked = {
      messages: messagesOf(turns, text),
      ...(servers === undefined ? {} : { servers }),
      ...(model === undefined ? {} : { model }),
      approval: 'wait',
    } as const;
    const outcome = await pageHostOf(hub).during((given) =>
      hub.chat.turn(
        { ...asked, ...given },
        { signal: stop.signal, onProgress: (event) => change((before) => hearEvent(before, event)) },
      ),
    );
    change((before) => endedWith(before, outcome, stop.signal.aborted));
  } catch (error) {
    change((before) => {
      const cut = { ...withoutRunning(before), messages: cutMessages(before) };
      return stop.signal.aborted
        ? { ...cut, state: 'stopped' }
        : { ...cut, state: 'failed', error: toPlugError(error).toView() };
    });
  } finally {
    running.delete(turn.id);
  }
}

const running = new Map<string, AbortController>();

export function stopTurn(turnId: string): void {
  running.get(turnId)?.abort(new Error('the person stopped it'));
}

function endedWith(turn: Turn, outcome: ChatOutcome, stopped: boolean): Turn {
  const { end, usage, messages, error } = outcome;
  const whole = [personSays(turn.text), ...messages];
  if (end !== 'cut') return { ...turn, state: end, usage, messages: whole };
  const cut = { ...withoutRunning(turn), usage, messages: messages.length > 0 ? whole : cutMessages(turn) };
  if (stopped) return { ...cut, state: 'stopped' };
  return { ...cut, state: 'failed', ...(error ? { error } : {}) };
}

/** Calls whose end nobody was told do not run any more. */
function withoutRunning(turn: Turn): Turn {
  return {
    ...turn,
    parts: turn.parts.map((part) =>
      part.kind === 'call' && part.call.outcome === undefined
        ? {
            ...part,
            call: { ...part.call, outcome: 'cancelled', waits: false, text: 'It was not finished.' },
          }
        : part,
    ),
  };
}

/** What the model is told of a turn that ended early, so that it does not repeat its calls unawares. */
function cutMessages(turn: Turn): readonly ChatMessage[] {
  const calls = callsIn(turn).map(({ tool, outcome = 'cancelled' }) => `${tool} ${outcome}`);
  const words = [
    saidIn(turn),
    `[This answer was cut short.${calls.length > 0 ? ` Calls until then: ${calls.join(', ')}.` : ''}]`,
  ];
  return [personSays(turn.text), { role: 'assistant', content: words.filter((one) => one !== '').join(' ') }];
}

function personSays(text: string): ChatMessage {
  return { role: 'user', content: text };
}
