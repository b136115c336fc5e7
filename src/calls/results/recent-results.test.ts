import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { RecentResults } from './recent-results.ts';

verifies(
  ['W5', 'L6'],
  'the last small results are remembered, never more than a few, and none of a server that isn’t recorded',
  () => {
    const recent = new RecentResults({
      limits: { recentResultsMax: 3, recentResultBytesMax: 100 },
      isRecorded: (server) => server !== 'secret',
    });
    const add = (server: string, callId: string, bytes: number): void =>
      recent.add(server, { callId, result: { is: callId }, bytes });
    for (const callId of ['a', 'b', 'c', 'd']) add('notes', callId, 100);
    add('notes', 'large', 101);
    add('secret', 'hidden', 1);
    expect(['a', 'b', 'c', 'd', 'large', 'hidden'].map((callId) => recent.get(callId))).toEqual([
      undefined,
      { is: 'b' },
      { is: 'c' },
      { is: 'd' },
      undefined,
      undefined,
    ]);
  },
);
