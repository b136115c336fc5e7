import type { ConfiguringEvent } from '../hub/hub-context.tsx';
import type { Part } from './entries.ts';

/** The parts of an answer after one more event. Texts that follow each other are one. */
export function hearEvent(parts: readonly Part[], event: ConfiguringEvent): readonly Part[] {
  switch (event.kind) {
    case 'text': {
      const last = parts.at(-1);
      return last?.kind === 'text'
        ? [...parts.slice(0, -1), { kind: 'text', text: last.text + event.text }]
        : [...parts, { kind: 'text', text: event.text }];
    }
    case 'tool-start':
      return [...parts, { kind: 'tool', id: event.id, says: event.says }];
    case 'tool-end':
      return parts.map((part) =>
        part.kind === 'tool' && part.id === event.id
          ? { ...part, outcome: event.outcome, says: event.says }
          : part,
      );
    case 'said':
      return parts;
    case 'proposal':
      break;
  }
  return [...parts, { kind: 'proposal', id: crypto.randomUUID(), proposal: event.proposal }];
}
