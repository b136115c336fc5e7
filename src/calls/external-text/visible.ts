import { CONTROL, INVISIBLE, numberOf } from '../../base/unseen-characters.ts';

/**
 * Foreign text without what nobody can see: control characters go, and characters that hide or
 * reorder words appear by their number. What a model reads is then what a person would read.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROL, ' ').replace(INVISIBLE, numberOf);
}
