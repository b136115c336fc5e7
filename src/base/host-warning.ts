/**
 * What a person should know about a host before they go there; undefined when there is nothing. In an
 * address that was read, letters of other alphabets stand as `xn--…`: as such nobody takes them for others.
 */
export function hostWarning(hostname: string): string | undefined {
  return hostname.split('.').some((label) => label.toLowerCase().startsWith('xn--'))
    ? 'Its name has letters that are not plain ones, and can look like another name.'
    : undefined;
}
