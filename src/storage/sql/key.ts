import { createHash } from 'node:crypto';

/**
 * A key that every database can hold and index: short printable text stays readable, anything
 * else (control characters, long paths, broken surrogates) becomes its hash.
 */
export function keyOf(text: string): string {
  if (/^[ -~]{1,200}$/.test(text) && !text.startsWith(HASHED)) return text;
  return HASHED + createHash('sha256').update(JSON.stringify(text)).digest('hex');
}

const HASHED = 'sha256:';
