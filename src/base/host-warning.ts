/** Warns of names with lookalike letters: `URL` writes letters of other alphabets as `xn--…`. */
export function hostWarning(hostname: string): string | undefined {
  return hostname.split('.').some((label) => label.toLowerCase().startsWith('xn--'))
    ? 'Its name has letters that are not plain ones, and can look like another name.'
    : undefined;
}
