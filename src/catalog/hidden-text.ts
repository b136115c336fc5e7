import { CONTROL_CLASS, INVISIBLE_CLASS, numberOf } from '../base/unseen-characters.ts';

/** Hidden characters: tags, zero-width, bidi, control. Those that a script or an emoji needs stay. */

/** For people: each hidden character by its number, as in <U+200B>. */
export function showHidden(text: string): string {
  return replaceHidden(text, numberOf);
}

/** For models: a number could be decoded, so nothing is left. */
export function withoutHidden(text: string): string {
  return replaceHidden(text, () => '');
}

/** For searching: without any invisible character. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(ALL_INVISIBLE, '');
}

export interface HiddenCharacters {
  readonly count: number;
  readonly codes: readonly string[];
}

export function findHidden(text: string): HiddenCharacters | undefined {
  if (!SUSPECT.test(text)) return undefined;
  const codes = new Set<string>();
  const isRightToLeft = RIGHT_TO_LEFT.test(text);
  let count = 0;
  for (const { 0: found, index } of text.matchAll(FLAGS_OR_HIDDEN)) {
    if (isAllowed(found, text, index, isRightToLeft)) continue;
    if (codes.size < CODES_SHOWN) codes.add(numberOf(found).slice(1, -1));
    count += 1;
    if (count === COUNTED_MAX) break;
  }
  return count === 0 ? undefined : { count, codes: [...codes] };
}

function replaceHidden(text: string, write: (character: string) => string): string {
  if (!SUSPECT.test(text)) return text;
  const isRightToLeft = RIGHT_TO_LEFT.test(text);
  return text
    .toWellFormed()
    .replace(FLAGS_OR_HIDDEN, (found, offset: number, whole: string) =>
      isAllowed(found, whole, offset, isRightToLeft) ? found : write(found),
    );
}

function isAllowed(character: string, text: string, offset: number, isRightToLeft: boolean): boolean {
  if (character.length > 2) return true; // a whole flag
  const before = characterBefore(text, offset);
  const after = text.slice(offset + character.length, offset + character.length + 2);
  switch (character) {
    case '\r':
      return after.startsWith('\n');
    case '\ufe0e':
    case '\ufe0f':
      return EMOJI.test(before);
    case '\u200d':
      return JOINING.test(before) || (EMOJI_PART.test(before) && EMOJI.test(after));
    case '\u200c':
      return JOINING.test(before);
    case '\u200b':
      return UNSPACED.test(before) && UNSPACED.test(after);
    case '\u200e':
    case '\u200f':
    case '\u061c':
      return isRightToLeft && !MARK.test(before) && !MARK.test(after);
    default:
      return MONGOLIAN_SELECTOR.test(character) && MONGOLIAN.test(before);
  }
}

function characterBefore(text: string, offset: number): string {
  const last = text.slice(Math.max(0, offset - 2), offset);
  return last.length === 2 && (last.codePointAt(0) ?? 0) > 0xff_ff ? last : last.slice(-1);
}

const CODES_SHOWN = 8;
const COUNTED_MAX = 1_000;

/** Most texts have only printable ASCII. */
const SUSPECT = /[^\t\n -~]/;

/** Plus the empty Braille pattern. */
const INVISIBLE = String.raw`${INVISIBLE_CLASS}\u2800`;
const ALL_INVISIBLE = new RegExp(`[${INVISIBLE}]+`, 'gu');
const HIDDEN = `[${CONTROL_CLASS}${INVISIBLE}]`;

/** The only emoji that are written with tags. */
const FLAG = ['gbeng', 'gbsct', 'gbwls']
  .map((name) => `\u{1f3f4}${Array.from(name, tag).join('')}\u{e007f}`)
  .join('|');
const FLAGS_OR_HIDDEN = new RegExp(`${FLAG}|${HIDDEN}`, 'gu');

const EMOJI = /^[\p{Emoji}\p{Extended_Pictographic}]/u;
const EMOJI_PART = /^[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]/u;
/** Scripts that spell with joiners. */
const JOINING =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}]$/u;
/** Scripts with invisible line-break marks. */
const UNSPACED = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const MARK = new RegExp(`[${INVISIBLE}]`, 'u');
const MONGOLIAN = /\p{Script=Mongolian}$/u;
const MONGOLIAN_SELECTOR = /[\u180b-\u180f]/u;

function tag(letter: string): string {
  return String.fromCodePoint(0xe_00_00 + (letter.codePointAt(0) ?? 0));
}
