import { editsBetween } from '../../base/edit-distance.ts';

/** A word as it is compared: lower case, without accents and apostrophes. */
export interface Word {
  readonly text: string;
  /** As it was written. */
  readonly raw: string;
  readonly at: number;
}

export function wordsIn(text: string): readonly Word[] {
  return [...text.slice(0, TEXT_CHARS_MAX).matchAll(WORD)]
    .map((found) => ({ raw: found[0], text: plainWord(found[0]), at: found.index }))
    .filter(({ text: word }) => word !== '')
    .slice(0, WORDS_MAX);
}

export function plainWord(word: string): string {
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’ʼ]/gu, '')
    .replaceAll('ß', 'ss');
}

/** The same word, or a slip of the finger away from it. Short words are too near to each other for that. */
export function isAlike(said: string, meant: string): boolean {
  if (said === meant) return true;
  const slips = slipsIn(meant);
  return slips > 0 && editsBetween(said, meant, slips) <= slips;
}

function slipsIn({ length }: string): number {
  if (length < 4) return 0;
  return length < 9 ? 1 : 2;
}

const TEXT_CHARS_MAX = 4_000;
const WORDS_MAX = 400;
const WORD = /[\p{L}\p{N}]+(?:['’ʼ][\p{L}\p{N}]+)*/gu;
