import { expect, test } from 'vitest';
import type { Risk } from '../risk.ts';
import { byVerb } from './by-verb.ts';
import type { Hit } from './rank.ts';

const hit = (id: string, score: number, risk: Risk): Hit => ({
  document: { id, server: 'notes', name: id, risk },
  score,
});
const order = (hits: readonly Hit[], query: string): readonly string[] =>
  byVerb(hits, query).map(({ document }) => document.id);

const NOTES = [hit('find_note', 0.6, 'read'), hit('append_note', 0.55, 'write'), hit('note', 0.5, 'unknown')];

test('a tool that changes something comes before one that only reads, when a change is asked for', () => {
  expect(order(NOTES, 'write a note')).toEqual(['append_note', 'note', 'find_note']);
  expect(order(NOTES, 'please remove the note')).toEqual(['append_note', 'note', 'find_note']);
});

test('and the reverse, when something is to be read', () => {
  const changed = [hit('append_note', 0.6, 'write'), hit('find_note', 0.55, 'read')];
  expect(order(changed, 'show my notes')).toEqual(['find_note', 'append_note']);
});

test('without a verb at its beginning, or with many words, a query keeps its order', () => {
  const same = NOTES.map(({ document }) => document.id);
  expect(order(NOTES, 'my notes')).toEqual(same);
  expect(order(NOTES, `write ${'down and then do all of the rest '.repeat(8)}`)).toEqual(same);
});

test('an exact name stays first, whatever its tool does', () => {
  expect(order([hit('write_note', 10.4, 'read'), ...NOTES], 'write_note')[0]).toBe('write_note');
});
