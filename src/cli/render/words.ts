/** A command line that shows where one argument ends and the next begins. */
export function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./~-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}
