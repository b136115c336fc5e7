import { limits } from '../../base/limits.ts';
import { wordSet } from '../word-set.ts';
import type { RegistryEntry } from './entry.ts';
import { makerOf, ownName } from './maker.ts';

/** Every store indexes exactly these words, so that all answer alike. */
export interface EntryWords {
  /** The server's own name and title: matches here count more. */
  readonly name: readonly string[];
  readonly text: readonly string[];
}

/** The namespace is no word: `io.github.…` doesn't make a server one for GitHub. Its maker is. */
export function wordsOfEntry(entry: RegistryEntry): EntryWords {
  const name = indexWords(`${ownName(entry.name)} ${entry.title ?? ''}`);
  const parts = [
    makerOf(entry.name) ?? '',
    entry.description,
    ...entry.packages.map(({ identifier }) => identifier),
    ...entry.remotes.map(({ url }) => url),
    entry.repository?.url ?? '',
  ];
  const text = indexWords(parts.join(' ')).filter((word) => !name.includes(word) && !EVERYWHERE.has(word));
  return { name, text: text.slice(0, limits.registryWordsMax) };
}

/** Parts of URLs that are never searched for. */
const EVERYWHERE = wordSet('https http www com github');

/** camelCase words are also kept whole. */
function indexWords(text: string): readonly string[] {
  const words = splitWords(text).flatMap((word) => {
    const humps = word.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(' ');
    return humps.length > 1 ? [word, ...humps] : [word];
  });
  return [...new Set(words.map(plainWord))];
}

/** In order; lower case, no accents, split at punctuation. */
export function wordsIn(text: string): readonly string[] {
  return splitWords(text).map(plainWord);
}

function splitWords(text: string): readonly string[] {
  const plain = text.slice(0, TEXT_CHARS_MAX).normalize('NFKD').replaceAll(/\p{M}/gu, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function plainWord(word: string): string {
  return word.toLowerCase().slice(0, WORD_CHARS_MAX);
}

const TEXT_CHARS_MAX = 20_000;
const WORD_CHARS_MAX = 64;

export interface QueryWord {
  readonly word: string;
  readonly prefix: boolean;
}

export function queryWords(query: string): readonly QueryWord[] {
  const words = indexWords(query.slice(0, QUERY_CHARS_MAX)).filter((word) => !NOISE.has(word));
  return words.slice(0, QUERY_WORDS_MAX).map((word) => ({ word, prefix: word.length > 2 }));
}

/** In nearly every name: a query of only these asks for all. */
export const NOISE: ReadonlySet<string> = wordSet('mcp server servers');
const QUERY_CHARS_MAX = 400;
const QUERY_WORDS_MAX = 24;
