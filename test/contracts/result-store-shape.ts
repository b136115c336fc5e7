import type { StoredResult } from '../../src/calls/stored-result.ts';

export function resultOf(given: Partial<StoredResult>): StoredResult {
  return {
    id: 'r',
    server: 's',
    tool: 't',
    callId: 'call',
    createdAt: 1,
    expiresAt: 1_789_000_000_000,
    bytes: 5,
    pieces: 0,
    ...given,
  };
}
