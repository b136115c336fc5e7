/** Characters that a person does not see, or that turn around what they see; a blank is neither. */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u;
const HIDDEN_ALL = new RegExp(HIDDEN.source, 'gu');

export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Shows every character: what cannot be seen becomes `\u{…}`. Nothing is cut off. */
export function showAll(text: string): string {
  return text.replaceAll(HIDDEN_ALL, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
}

/** One word of a command line, quoted when a shell would take it for something else. */
export function showWord(word: string): string {
  const shown = showAll(word);
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", String.raw`'\''`)}'`;
}
