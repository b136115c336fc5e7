import { limits } from '../../base/limits.ts';
import type { RegistryEntry } from './entry.ts';

/** Every store indexes exactly these words, so that all answer alike. */
export interface EntryWords {
  /** Name and title: matches here count more. */
  readonly name: readonly string[];
  readonly text: readonly string[];
}

export function wordsOfEntry(entry: RegistryEntry): EntryWords {
  const name = wordsOf(`${entry.name} ${entry.title ?? ''}`);
  const parts = [
    entry.description,
    ...entry.packages.map(({ identifier }) => identifier),
    ...entry.remotes.map(({ url }) => url),
    entry.repository?.url ?? '',
  ];
  const text = wordsOf(parts.join(' ')).filter((word) => !name.includes(word) && !EVERYWHERE.has(word));
  return { name, text: text.slice(0, limits.registryWordsMax) };
}

/** Parts of URLs that are never searched for. */
const EVERYWHERE = new Set(['https', 'http', 'www', 'com', 'github']);

/** Lower case, no accents, split at punctuation and camelCase; camelCase words are also kept whole. */
function wordsOf(text: string): readonly string[] {
  const plain = text.slice(0, TEXT_CHARS_MAX).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = plain.split(/[^\p{L}\p{N}]+/u).flatMap((word) => {
    const humps = word.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(' ');
    return humps.length > 1 ? [word, ...humps] : [word];
  });
  const unique = new Set(words.map((word) => word.toLowerCase().slice(0, WORD_CHARS_MAX)));
  unique.delete('');
  return [...unique];
}

const TEXT_CHARS_MAX = 20_000;
const WORD_CHARS_MAX = 64;

export interface QueryWord {
  readonly word: string;
  readonly prefix: boolean;
}

export function queryWords(query: string): readonly QueryWord[] {
  const words = wordsOf(query.slice(0, QUERY_CHARS_MAX)).filter((word) => !NOISE.has(word));
  return words.slice(0, QUERY_WORDS_MAX).map((word) => ({ word, prefix: word.length > 2 }));
}

/** In nearly every name: a query of only these asks for all. */
const NOISE = new Set(['mcp', 'server', 'servers']);
const QUERY_CHARS_MAX = 400;
const QUERY_WORDS_MAX = 12;

export function scoreOf({ name, text }: EntryWords, query: readonly QueryWord[]): number {
  let score = 0;
  for (const word of query) {
    if (name.some((candidate) => fits(candidate, word))) score += 10;
    else if (text.some((candidate) => fits(candidate, word))) score += 1;
    else return 0;
  }
  return score;
}

function fits(candidate: string, { word, prefix }: QueryWord): boolean {
  return prefix ? candidate.startsWith(word) : candidate === word;
}
