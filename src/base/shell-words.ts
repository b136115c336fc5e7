/** One word for a POSIX shell, quoted if needed. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : singleQuoted(text);
}

export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Exactly this text for a POSIX shell, in printable characters; undefined when that is impossible. */
export function exactShellWord(text: string): string | undefined {
  if (text.includes('\0') || !text.isWellFormed()) return undefined;
  const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
  if (text.search(unprintable) === -1) return shellWord(text);
  // A shell drops trailing newlines of a command's output.
  if (text.endsWith('\n')) return undefined;
  const format = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll(unprintable, octal);
  return `"$(printf ${singleQuoted(format)})"`;
}

function octal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)];
  return bytes.map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
