/**
 * The word that a shell would make of this, as far as quotes and backslashes go. Nothing is expanded:
 * a dollar sign or a backquote stays what it is. A quote that is still open counts as closed.
 */
export function unquote(word: string): string {
  let plain = '';
  let quote = '';
  for (let index = 0; index < word.length; index += 1) {
    const character = word.charAt(index);
    if (quote !== '' && character === quote) quote = '';
    else if (quote === '' && (character === "'" || character === '"')) quote = character;
    else if (character === '\\' && quote !== "'" && index + 1 < word.length) {
      index += 1;
      plain += word.charAt(index);
    } else plain += character;
  }
  return plain;
}
