import type { ErrorView } from '../../../src/base/errors.ts';
import type { ChatOutcome } from '../hub/hub-context.tsx';
import { callsIn, personSays, saidIn, type Turn } from './conversation.ts';

/** The turn with its outcome; one that was stopped keeps what was said until then. */
export function endedWith(turn: Turn, outcome: ChatOutcome): Turn {
  const { end, usage, messages, error } = outcome;
  const whole = [personSays(turn), ...messages];
  if (end !== 'cut') return { ...turn, state: end, usage, messages: whole };
  const cut = { ...cutShort(turn), usage };
  const told = messages.length > 0 ? { ...cut, messages: whole } : cut;
  if (error?.code === 'cancelled') return { ...told, state: 'stopped' };
  return { ...told, state: 'failed', ...(error ? { error } : {}) };
}

export function stopped(turn: Turn): Turn {
  return { ...cutShort(turn), state: 'stopped' };
}

export function failedWith(turn: Turn, error: ErrorView): Turn {
  return { ...cutShort(turn), state: 'failed', error };
}

/** Calls whose end was not told no longer run; the model is told what it did, so that it does not repeat it. */
function cutShort(turn: Turn): Turn {
  const calls = callsIn(turn).map(({ tool, outcome = 'cancelled' }) => `${tool} ${outcome}`);
  const words = [
    saidIn(turn),
    `[This answer was cut short.${calls.length > 0 ? ` Calls until then: ${calls.join(', ')}.` : ''}]`,
  ];
  const said = words.filter((one) => one !== '').join(' ');
  return { ...withoutRunning(turn), messages: [personSays(turn), { role: 'assistant', content: said }] };
}

export function withoutRunning(turn: Turn): Turn {
  const isOpen = turn.parts.some((part) => part.kind === 'call' && part.call.outcome === undefined);
  if (!isOpen) return turn;
  return {
    ...turn,
    parts: turn.parts.map((part) =>
      part.kind === 'call' && part.call.outcome === undefined
        ? {
            ...part,
            call: { ...part.call, outcome: 'cancelled', approval: undefined, text: 'It was not finished.' },
          }
        : part,
    ),
  };
}
