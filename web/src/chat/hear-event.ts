import type { ChatEvent } from '../hub/hub-context.tsx';
import type { Part, Turn } from './conversation.ts';

/** The turn after one more thing has happened in it. */
export function hearEvent(turn: Turn, event: ChatEvent): Turn {
  const { parts } = turn;
  const add = (part: Part): Turn => ({ ...turn, parts: [...parts, part] });
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return { ...turn, parts: withText(parts, event) };
    case 'servers':
      return event.named ? add({ kind: 'servers', servers: event.servers }) : turn;
    case 'call-start': {
      const { id, tool, args } = event;
      return add({ kind: 'call', call: { id, tool, args } });
    }
    case 'call-end': {
      const { kind: _, app, ...end } = event;
      return {
        ...turn,
        parts: parts.map((part) =>
          part.kind === 'call' && part.call.id === event.id
            ? { kind: 'call', call: { ...part.call, ...end, waits: false }, ...(app ? { app } : {}) }
            : part,
        ),
      };
    }
    case 'approval': {
      const { callId, approval } = event;
      const waiting = parts.map((part): Part =>
        part.kind === 'call' && part.call.id === callId
          ? { ...part, call: { ...part.call, waits: true } }
          : part,
      );
      return { ...turn, parts: [...waiting, { kind: 'approval', callId, approval }] };
    }
    case 'suggestion':
      return add({ kind: 'suggestion', suggestions: event.suggestions });
    case 'retry':
      return add({ kind: 'retry', reason: event.reason, waitMs: event.waitMs });
    case 'note':
      return add({ kind: 'note', text: event.text });
    case 'usage':
      break;
  }
  return { ...turn, usage: event.usage };
}

/** Words go on from the words before. */
function withText(
  parts: readonly Part[],
  { kind, text }: { readonly kind: 'text' | 'reasoning'; readonly text: string },
): readonly Part[] {
  const last = parts.at(-1);
  return last?.kind === kind
    ? [...parts.slice(0, -1), { kind, text: last.text + text }]
    : [...parts, { kind, text }];
}
