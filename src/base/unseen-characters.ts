/** C0 but newline and tab, DEL, and C1: for use in a character class. */
export const CONTROL_CLASS: string = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f`;
export const CONTROL: RegExp = new RegExp(`[${CONTROL_CLASS}]`, 'gu');

/** Tags, zero-width and bidi characters, variation selectors, and separators that break lines. */
export const INVISIBLE_CLASS: string = String.raw`\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb`;

/** A single joiner or selector inside an emoji is how emoji are written; it can hide nothing. */
const IN_EMOJI = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
].join('|');

let invisibleMade: RegExp | undefined;
/** Made when it is first needed: reading properties of Unicode takes a command half a millisecond for each. */
export function invisible(): RegExp {
  return (invisibleMade ??= new RegExp(`(?!${IN_EMOJI})[${INVISIBLE_CLASS}]`, 'gu'));
}

/** Whether a text has nothing but printable ASCII, tabs and line feeds: nearly all texts. */
export function isPlainAscii(text: string): boolean {
  return !NOT_PLAIN.test(text);
}

const NOT_PLAIN = /[^\t\n -~]/;

/** The strictest reading: controls, formats, separators other than the space, and noncharacters. */
export function unseen(): RegExp {
  return /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
}

/** “<U+200B>” */
export function numberOf(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
