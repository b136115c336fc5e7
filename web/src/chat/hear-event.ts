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
      return event.named || event.of !== undefined
        ? add({ kind: 'servers', servers: event.servers, of: event.of })
        : turn;
    case 'call-start': {
      const { id, tool, args } = event;
      return add({ kind: 'call', call: { id, tool, args } });
    }
    case 'call-end': {
      const { kind: _, app, ...end } = event;
      return changed(turn, event.id, (part) => ({
        kind: 'call',
        call: { ...part.call, ...end, approval: undefined },
        ...(app ? { app } : {}),
      }));
    }
    case 'approval':
      return changed(turn, event.callId, (part) => ({
        ...part,
        call: { ...part.call, approval: event.approval },
      }));
    case 'approval-end':
      return changed(turn, event.callId, (part) => ({
        ...part,
        call: { ...part.call, approval: undefined, answered: event.end },
      }));
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

type CallPart = Extract<Part, { readonly kind: 'call' }>;

function changed(turn: Turn, id: string, change: (part: CallPart) => CallPart): Turn {
  const parts = turn.parts.map((part) => (part.kind === 'call' && part.call.id === id ? change(part) : part));
  return { ...turn, parts };
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
