/**
 * Foreign text without what nobody can see: control characters go, and characters that hide or
 * reorder words appear by their number. What a model reads is then what a person would read.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, ' ')
    .replace(
      HIDDEN,
      (found) => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** C0 but newline and tab, DEL, and C1. */
// oxlint-disable-next-line no-control-regex -- control characters are what this file is about.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** Tags, zero-width and bidi characters, variation selectors, and separators that break lines. */
const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]`;

/** A single joiner or selector inside an emoji is how emoji are written; it can hide nothing. */
const IN_EMOJI = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
].join('|');

const HIDDEN = new RegExp(`(?!${IN_EMOJI})${INVISIBLE}`, 'gu');
