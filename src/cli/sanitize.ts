/**
 * Makes foreign text safe to show. Control characters (but newline and tab) appear escaped,
 * and characters that nobody can see appear by their number, so that a server can neither
 * drive the terminal nor hide words from the person who reads.
 */
export function sanitize(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(CONTROL, (found) => CONTROL_NAMES[found] ?? `\\x${hex(found, 2)}`)
    .replace(HIDDEN, (found) => `<U+${hex(found, 4).toUpperCase()}>`);
}

/** The same for a place that holds one line: a table's cell, a name in a sentence. */
export function sanitizeLine(text: string): string {
  return sanitize(text).replace(/\s+/gu, ' ').trim();
}

/** JSON that reads back unchanged, yet holds no character that could drive a terminal. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return text.replace(JSON_UNSAFE, (found) =>
    Array.from({ length: found.length }, (_, index) => `\\u${hex4(found.charCodeAt(index))}`).join(''),
  );
}

const CONTROL_NAMES: Readonly<Record<string, string>> = { '\r': '\\r', '\b': '\\b', '\0': '\\0' };

/** C0 but newline and tab, DEL, and C1. */
// oxlint-disable-next-line no-control-regex -- control characters are what this file is about.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** Zero-width, bidi, tag and variation characters, and the two separators that break lines. */
const INVISIBLE = String.raw`[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]`;

/** A single joiner or selector inside an emoji is how emoji are written; it can hide nothing. */
const IN_EMOJI = [
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
].join('|');

const HIDDEN = new RegExp(`(?!${IN_EMOJI})${INVISIBLE}`, 'gu');
const JSON_UNSAFE = new RegExp(String.raw`[\u007f-\u009f]|${INVISIBLE}`, 'gu');

function hex(character: string, digits: number): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(digits, '0');
}

function hex4(code: number): string {
  return code.toString(16).padStart(4, '0');
}
