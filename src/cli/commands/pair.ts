import { usage } from '../failures.ts';

/** `NAME=value`, as it stands after `plug add`. */
export const PAIR = /^[A-Za-z_][\w.:-]*=/;

/** By the first separator, so that values may hold more. The pair may be a secret: it is not repeated. */
export function splitAt(pair: string, separator: '=' | ':', complaint: string): readonly [string, string] {
  const at = pair.indexOf(separator);
  const key = pair.slice(0, at).trim();
  if (at < 1 || key === '') throw usage(complaint);
  const value = pair.slice(at + 1);
  return [key, separator === ':' ? value.trim() : value];
}
