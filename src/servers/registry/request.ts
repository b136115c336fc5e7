import { stem } from '../../base/stem.ts';
import { meaningsOf } from './synonyms.ts';
import { ABOUT, LITTLE } from './request-words.ts';
import { wordsIn } from './words.ts';

/** A request in plain words: “read my calendar”, “github”. */
export interface ServerRequest {
  readonly words: readonly string[];
  /** Every word in order, as stems: what people call a thing may hold little words (“to do list”). */
  readonly spoken: readonly string[];
  /** Two words that may be one name, “mongo db”: the name's stem, and theirs. */
  readonly pairs: ReadonlyMap<string, readonly [string, string]>;
  /** The words that tell which server is meant. */
  readonly terms: readonly RequestTerm[];
}

export interface RequestTerm {
  readonly word: string;
  readonly stem: string;
  /** 1, or less for a word that is about the request rather than the server. */
  readonly weight: number;
  /** Stems of other words for the same thing. */
  readonly meanings: readonly string[];
}

export function readRequest(text: string): ServerRequest {
  return requestOf(wordsIn(text.slice(0, REQUEST_CHARS_MAX).replaceAll(POSSESSIVE, '')));
}

function requestOf(words: readonly string[]): ServerRequest {
  const telling = [...new Set(words)].filter((word) => !LITTLE.has(word)).slice(0, REQUEST_WORDS_MAX);
  const pairs = words.slice(1).map((word, index) => {
    const before = words[index] ?? '';
    return [stemOf(before + word), [stemOf(before), stemOf(word)]] as const;
  });
  return { words, spoken: words.map(stemOf), pairs: new Map(pairs), terms: telling.map(termOf) };
}

function termOf(word: string): RequestTerm {
  return { word, stem: stemOf(word), weight: ABOUT.has(word) ? 0.3 : 1, meanings: meaningsOf(word) };
}

/** The same request with other words in the place of misspelt ones. */
export function correctedRequest(
  { words }: ServerRequest,
  changes: ReadonlyMap<string, string>,
): ServerRequest {
  return requestOf(words.map((word) => changes.get(word) ?? word));
}

/** What a registry is asked that is searched by words. */
export function wordsToAsk({ terms }: ServerRequest): readonly string[] {
  const strong = terms.filter(({ weight }) => weight === 1);
  return (strong.length > 0 ? strong : terms).map(({ word }) => word);
}

/** Names hold any script; only English words have English endings. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const made = /^[a-z]+$/.test(word) ? stem(word) : word;
  if (stems.size >= STEMS_KEPT) stems.clear();
  stems.set(word, made);
  return made;
}

/** The same words come with every search. */
const stems = new Map<string, string>();
const STEMS_KEPT = 20_000;

const REQUEST_CHARS_MAX = 400;
const REQUEST_WORDS_MAX = 12;
const POSSESSIVE = /[’'](?:s|re|ve|ll|m|d|t)\b/giu;
