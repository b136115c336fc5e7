import { CONTROL, invisible, numberOf } from '../../base/unseen-characters.ts';

/** Drops control characters and spells out hidden ones, so that a model reads what a person would see. */
export function visibleText(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(CONTROL, ' ').replace(invisible(), numberOf);
}
