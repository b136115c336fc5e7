import { expect, test } from 'vitest';
import type { ChatEvent } from '../hub/hub-context.tsx';
import type { Turn } from './conversation.ts';
import { hearEvent } from './hear-event.ts';

const turn: Turn = { id: 't', at: 0, text: 'Hi', parts: [], state: 'running', messages: [] };

function hear(...events: readonly ChatEvent[]): Turn['parts'] {
  return events.reduce(hearEvent, turn).parts;
}

test('words that come in pieces are one text, and a call stands where it was made', () => {
  const parts = hear(
    { kind: 'text', text: 'Let me ' },
    { kind: 'text', text: 'look.' },
    { kind: 'call-start', id: 'c', tool: 'notes/get', args: {} },
    { kind: 'text', text: 'There.' },
    { kind: 'call-end', id: 'c', tool: 'notes/get', outcome: 'completed', durationMs: 8, text: 'milk' },
  );
  expect(
    parts.map((part) => (part.kind === 'call' ? part.call.outcome : 'text' in part && part.text)),
  ).toEqual(['Let me look.', 'completed', 'There.']);
});

test('servers are shown if a person chose them, or if others were left out', () => {
  expect(hear({ kind: 'servers', servers: ['notes'], named: false })).toEqual([]);
  expect(hear({ kind: 'servers', servers: ['notes'], named: true })).toHaveLength(1);
  expect(hear({ kind: 'servers', servers: ['notes'], named: false, of: 3 })).toHaveLength(1);
});
