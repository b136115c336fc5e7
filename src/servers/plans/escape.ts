import { shellWord } from '../../base/shell-words.ts';
import { UNSEEN } from '../../base/unseen-characters.ts';

export function hasHidden(text: string): boolean {
  return text.search(UNSEEN) !== -1;
}

/** Shows invisible characters as `\u{…}`. */
export function showAll(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

export function showWord(word: string): string {
  return shellWord(showAll(word));
}
