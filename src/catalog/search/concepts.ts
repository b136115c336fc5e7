import { editsBetween } from '../../base/edit-distance.ts';
import { searchLimits } from './limits.ts';
import { stem } from '../../base/stem.ts';
import { weakWords } from './analyze.ts';
import type { Query } from './query.ts';
import { synonymsOf } from './synonyms.ts';
import type { Vocabulary } from './vocabulary.ts';
import { weights } from './weights.ts';

/** A query word and its alternatives, strongest first. */
export interface Concept {
  readonly idf: number;
  readonly terms: readonly ConceptTerm[];
}

export interface ConceptTerm {
  readonly number: number;
  readonly weight: number;
  readonly idf: number;
}

export interface Corpus {
  readonly vocabulary: Vocabulary;
  readonly servers: number;
}

export function conceptsOf({ terms, values }: Query, corpus: Corpus): readonly Concept[] {
  const different = [...new Set(terms)].slice(0, searchLimits.queryWordsMax);
  const budget = { corrections: searchLimits.correctedWordsMax };
  return different.flatMap((term, index) => {
    const neighbors = { before: different[index - 1], after: different[index + 1] };
    const found = alternativesOf(term, neighbors, corpus, budget);
    return found.size === 0 ? [] : [conceptOf(scaleOf(term, values), found, corpus)];
  });
}

function alternativesOf(
  term: string,
  { before, after }: { readonly before: string | undefined; readonly after: string | undefined },
  { vocabulary }: Corpus,
  budget: { corrections: number },
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const add = (word: string, weight: number): void => {
    const number = vocabulary.find(word);
    if (number !== undefined && weight > (found.get(number) ?? 0)) found.set(number, weight);
  };
  add(term, 1);
  const isKnown = found.size > 0;
  // “time zone” also matches “timezone”.
  if (before !== undefined) add(stem(before + term), weights.joined);
  if (after !== undefined) add(stem(term + after), weights.joined);
  for (const other of synonymsOf(term)) add(other, weights.synonym);
  if (!isKnown && budget.corrections > 0) {
    budget.corrections -= 1;
    for (const { word, weight } of correctionsOf(term, vocabulary)) add(word, weight);
  }
  return found;
}

function conceptOf(scale: number, found: ReadonlyMap<number, number>, corpus: Corpus): Concept {
  const terms = [...found]
    .map(([number, weight]) => ({ number, weight, idf: scale * idfOf(number, corpus) }))
    .toSorted((a, b) => b.weight - a.weight);
  // An unknown word is as rare as its rarest alternative.
  const own = terms[0]?.weight === 1 ? terms[0].idf : Math.max(...terms.map(({ idf }) => idf));
  return { idf: own, terms };
}

function scaleOf(term: string, values: ReadonlySet<string>): number {
  if (NUMBER.test(term)) return weights.number;
  if (values.has(term)) return weights.value;
  return isWeak(term) ? weights.weakWord : 1;
}

/** Counted in servers: many tools of one server repeat its words. */
export function idfOf(number: number, { vocabulary, servers }: Corpus): number {
  const frequency = vocabulary.serversWith(number);
  return Math.log(1 + (servers - frequency + 0.5) / (frequency + 0.5));
}

let weakStems: ReadonlySet<string> | undefined;

function isWeak(term: string): boolean {
  weakStems ??= new Set([...weakWords].map(stem));
  return weakStems.has(term);
}

export const NUMBER = /^\p{N}+$/u;

interface Correction {
  readonly word: string;
  readonly weight: number;
}

/** For unknown words: prefixes, else near spellings. */
function correctionsOf(term: string, vocabulary: Vocabulary): readonly Correction[] {
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
