/** The places besides the vault where a key may stay: a definition then refers to it there. */
export type SecretPlace = 'file' | '1password' | 'command';

/** The value of a secret field whose key is kept elsewhere. */
export function secretReference(place: SecretPlace, at: string): string {
  if (place === 'file') return `\${file:${at}}`;
  return `\${command:${place === '1password' ? `op read ${at}` : at}}`;
}
