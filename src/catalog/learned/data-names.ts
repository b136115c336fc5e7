import { learnedLimits as limits } from './limits.ts';

/**
 * Whether the name of a property is data itself: an id, an address, a path, a date. Such names
 * differ from result to result, say nothing about the next one, and are nobody's to keep.
 */
export function isDataName(name: string): boolean {
  return name.length > limits.nameCharsMax || !WORD.test(name) || DATA.some((shape) => shape.test(name));
}

/** What people call properties: `total_count`, `@type`, `content-type`, `_links.self`. */
const WORD = /^[@_$A-Za-z][\w$.:-]*$/;

const DATA: readonly RegExp[] = [
  /** Numbers of more than a few digits, as in ids and dates. */
  /\d{5,}/,
  /\d{4}-\d{2}/,
  /** Random ones: hexadecimal, with digits among the letters. */
  /^(?=.*\d)[0-9a-f-]{8,}$/i,
  /** Keys of the kind that services hand out: long, mixed, without a word's breaks. */
  /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{16,}$/,
  /^[\w.+-]+@[\w-]/,
];
