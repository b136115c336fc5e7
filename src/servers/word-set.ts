/** A set of words that are written in one text. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
