import { editsBetween } from './edits.ts';
import { searchLimits } from './limits.ts';
import type { Vocabulary } from './vocabulary.ts';
import { weights } from './weights.ts';

export interface Correction {
  readonly word: string;
  readonly weight: number;
}

/** For a word that no tool has: what begins like it, or else what is spelled almost like it. */
export function correctionsOf(term: string, vocabulary: Vocabulary): readonly Correction[] {
  if (term.length < PREFIX_CHARS_MIN || !LETTERS.test(term)) return [];
  const longer = vocabulary.beginning(term);
  if (longer.length > 0) {
    return longer
      .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
      .slice(0, searchLimits.correctionsMax)
      .map((word) => ({ word, weight: weights.prefix }));
  }
  if (term.length < CORRECTED_CHARS_MIN) return [];
  const most = term.length < LONG_WORD_CHARS ? 1 : 2;
  const near = vocabulary
    .near(term, most)
    .map((word) => ({ word, edits: editsBetween(term, word, most) }))
    .filter(({ edits }) => edits <= most)
    .toSorted((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1));
  return near
    .filter(({ edits }) => edits === near[0]?.edits)
    .slice(0, searchLimits.correctionsMax)
    .map(({ word, edits }) => ({ word, weight: edits === 1 ? weights.oneEdit : weights.twoEdits }));
}

const PREFIX_CHARS_MIN = 3;
const CORRECTED_CHARS_MIN = 4;
const LONG_WORD_CHARS = 7;
const LETTERS = /^\p{L}+$/u;
