import { hash } from 'node:crypto';

/** As tokens, and ids that are good once, are kept. */
export function digestOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
