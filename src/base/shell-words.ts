/** One word for a POSIX shell, quoted where the shell would take it for something else. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : singleQuoted(text);
}

/** A command line that shows where one argument ends and the next begins. */
export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * One word of a command line for a POSIX shell, such that the program gets exactly this text.
 * Control and hidden characters are written as numbers, so that a terminal can print the line.
 * Undefined when no command line can carry it.
 */
export function exactShellWord(text: string): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) return undefined;
  if (text.search(UNPRINTABLE) === -1) return shellWord(text);
  // What a shell takes from a command loses its last newlines.
  if (text.endsWith('\n')) return undefined;
  const format = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll(UNPRINTABLE, (found) =>
      Array.from(new TextEncoder().encode(found), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join(
        '',
      ),
    );
  return `"$(printf ${singleQuoted(format)})"`;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
