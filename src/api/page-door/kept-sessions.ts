import { isObject } from '../../base/json.ts';
import { doorLimits } from './limits.ts';

/** A session as it is kept: SHA-256 of both halves, in hexadecimal. */
export interface KeptSession {
  readonly cookie: string;
  readonly key: string;
  /** A session holds where it was opened: another port is another origin. */
  readonly port: number;
  /** Epoch milliseconds. */
  readonly openedAt: number;
}

/** What cannot be read is no session: whoever had it opens the page again. */
export function parseSessions(text: string): readonly KeptSession[] {
  try {
    const value: unknown = JSON.parse(text);
    const sessions: unknown = isObject(value) ? value['sessions'] : undefined;
    return Array.isArray(sessions) ? sessions.filter(isSession).slice(-doorLimits.sessionsMax) : [];
  } catch {
    return [];
  }
}

function isSession(value: unknown): value is KeptSession {
  if (!isObject(value)) return false;
  const { cookie, key, port, openedAt } = value;
  return isDigest(cookie) && isDigest(key) && Number.isInteger(port) && typeof openedAt === 'number';
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}
