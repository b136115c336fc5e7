import { shellWord } from '../../base/shell-words.ts';
import { UNSEEN } from '../../base/unseen-characters.ts';

export function hasHidden(text: string): boolean {
  return text.search(UNSEEN) !== -1;
}

/** Shows every character: what cannot be seen becomes `\u{…}`. Nothing is cut off. */
export function showAll(text: string): string {
  return text.replaceAll(UNSEEN, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** One word of a command line, quoted when a shell would take it for something else. */
export function showWord(word: string): string {
  return shellWord(showAll(word));
}
