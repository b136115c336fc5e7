import { PlugError } from '../base/errors.ts';

/** The place of a record in the audit. No place moves when records come or go. */
export interface AuditPlace {
  readonly at: number;
  readonly seq: number;
}

export function toCursor({ at, seq }: AuditPlace): string {
  return Buffer.from(`${at}.${seq}`).toString('base64url');
}

export function fromCursor(cursor: string): AuditPlace {
  const match = /^(-?\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return { at: Number(match[1]), seq: Number(match[2]) };
  throw new PlugError('usage', 'This cursor was not given by a page of the audit.', {
    owner: 'you',
    next: 'Ask for the first page: leave the cursor out.',
  });
}
