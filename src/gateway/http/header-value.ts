/**
 * Reads `=?base64?…?=`, in which a header carries what is not plain ASCII; other values are literal.
 * Undefined when it is not well encoded.
 */
export function decodeHeaderValue(value: string): string | undefined {
  if (!value.startsWith('=?')) return value;
  const [, base64] = /^=\?base64\?(.*)\?=$/s.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, 'base64');
  // Node skips what is no base64: only what it would write itself is taken.
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined;
}
