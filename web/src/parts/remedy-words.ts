import { stepOf } from '../../../src/base/remedy-sentence.ts';
import type { Remedy } from '../../../src/base/remedy.ts';
import { sentence } from '../../../src/base/sentence.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';

/** A remedy in words, where no button does it. None of them is a command of ours. */
export function wordsOf(remedy: Remedy): string {
  const text = sentence(stepOf(remedy));
  return showHidden(text.charAt(0).toUpperCase() + text.slice(1));
}
