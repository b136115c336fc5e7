/**
 * The hub lets no key out, also not the one that it was just sent: in the corrected text a mark stands
 * in its place. The text that the person pasted has it, after the same words.
 */
export function restoreKeys(pasted: string, corrected: string): string {
  const pieces = corrected.split(MARK);
  const letters = lettersOf(pasted);
  let from = 0;
  let text = pieces[0] ?? '';
  for (const [at, piece] of pieces.slice(1).entries()) {
    const before = lettersOf(pieces[at] ?? '').text.slice(-CONTEXT_CHARS);
    const found = letters.text.indexOf(before, from);
    const end = found === -1 ? undefined : letters.places[found + before.length - 1];
    const key =
      end === undefined ? undefined : VALUE.exec(pasted.slice(end + 1, end + 1 + KEY_CHARS_MAX))?.[1];
    if (found !== -1 && key !== undefined) from = found + before.length + lettersOf(key).text.length;
    text += (key ?? MARK) + piece;
  }
  return text;
}

/** As src/base/redact.ts writes it, which needs Node. */
const MARK = '[secret]';
const CONTEXT_CHARS = 40;
const KEY_CHARS_MAX = 8_192;

/** What follows a name: the first run of characters without quotes and spaces. */
const VALUE = /^[\s"':=,{[\\]*([^\s"',}\]\\]+)/;

/** Letters and digits alone, and where each of them stands: punctuation is what a correction changes. */
function lettersOf(text: string): { readonly text: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let letters = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (!/[\p{L}\p{N}]/u.test(letter)) continue;
    letters += letter;
    places.push(at);
  }
  return { text: letters, places };
}
