import { editsBetween } from '../../base/edit-distance.ts';
import { listFeatured } from '../featured.ts';
import { ownName } from './maker.ts';
import type { RankedServer } from './rank.ts';
import { isHeld } from './rank.ts';
import type { RequestTerm, ServerRequest } from './request.ts';
import { NOISE, wordsIn } from './words.ts';

/**
 * Words that nothing found has, with the nearest word of a server's name: “githb” becomes “github”. The names are
 * read only if there is such a word.
 */
export async function correctionsFor(
  request: ServerRequest,
  servers: readonly RankedServer[],
  listNames: () => Promise<readonly string[]>,
): Promise<ReadonlyMap<string, string>> {
  const isAlone = request.words.length === 1;
  const strange = request.terms.filter((term) => mayBeMisspelt(term, isAlone) && !isHeld(term, servers));
  if (strange.length === 0) return new Map();
  const listed = vocabularyOf((await listNames()).map(ownName));
  const pairs = strange.flatMap(({ word }) => {
    const near = nearest(word, FEATURED_WORDS, isAlone) ?? nearest(word, listed, isAlone);
    return near === undefined ? [] : [[word, near] as const];
  });
  return new Map(pairs);
}

/** In a short word of a sentence one letter makes another word; typed alone, it is meant as a name. */
function mayBeMisspelt({ word, weight }: RequestTerm, isAlone: boolean): boolean {
  return weight === 1 && word.length >= (isAlone ? 4 : 5) && /^\p{L}+$/u.test(word);
}

/** “time” and the like are near too many words. */
const NAME_CHARS_MIN = 5;

function nearest(word: string, known: ReadonlySet<string>, isAlone: boolean): string | undefined {
  const max = word.length < (isAlone ? 6 : 8) ? 1 : 2;
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of known) {
    if (!beginsAlike(word, name)) continue;
    const far = editsBetween(word, name, max);
    if (far <= max && far < (best?.far ?? max + 1)) best = { name, far };
  }
  return best?.name;
}

/** Fingers rarely slip on the first letter, unless they swap it: “lights” is not “flights”. */
function beginsAlike(word: string, name: string): boolean {
  return word[0] === name[0] || (word[0] === name[1] && word[1] === name[0]);
}

function vocabularyOf(names: readonly string[]): ReadonlySet<string> {
  const words = names.flatMap((name) => wordsIn(name));
  return new Set(words.filter((word) => word.length >= NAME_CHARS_MIN && !NOISE.has(word)));
}

const FEATURED_WORDS: ReadonlySet<string> = vocabularyOf(
  listFeatured().flatMap(({ id, title, words }) => [id, title, ...words]),
);
