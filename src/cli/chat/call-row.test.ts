import { expect } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import type { ErrorView } from '../../base/errors.ts';
import { callRows, type CallEnd, type ShownCall } from './call-row.ts';

const call: ShownCall = { id: '1', tool: 'github/search', args: { q: 'x' }, startedMs: 1_000 };
const look = { now: 4_200, verbose: false };

function texts(given: Partial<ShownCall>, more = look): readonly string[] {
  return callRows({ ...call, ...given }, more).map((row) =>
    row.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join(''),
  );
}

const end = (given: Partial<CallEnd>): CallEnd => ({
  outcome: 'completed',
  durationMs: 1_240,
  text: '',
  ...given,
});

verifies(
  ['L8'],
  'a call is shown as using, completed, failed, timed out, denied or cancelled, with arguments and duration',
  () => {
    const error: ErrorView = {
      code: 'crashed',
      message: 'It crashed.',
      owner: 'server',
      next: 'plug logs github',
    };
    expect(texts({})).toEqual(['◐ Using github/search… 3s', '    q: x']);
    expect(texts({ end: end({ allowedBy: 'trusted' }) })).toEqual([
      '✔ github/search completed 1.2s · trusted',
      '    q: x',
    ]);
    expect(texts({ end: end({ outcome: 'failed', error }) })[0]).toBe(
      '✖ github/search failed: It crashed. (plug logs github)',
    );
    expect(texts({ end: end({ outcome: 'timed-out', durationMs: 30_000 }) })[0]).toBe(
      '⏱ github/search timed out after 30s',
    );
    const late: ErrorView = { ...error, code: 'call_timeout', message: 'It slept.' };
    expect(texts({ end: end({ outcome: 'timed-out', durationMs: 600_000, error: late }) })[0]).toBe(
      '⏱ github/search timed out after 10m (plug logs github)',
    );
    expect(texts({ end: end({ outcome: 'denied', text: 'not now' }) })[0]).toBe(
      '⊘ github/search denied: not now',
    );
    expect(texts({ end: end({ outcome: 'cancelled' }) })[0]).toBe('⊘ github/search cancelled after 1.2s');
    expect(texts({ end: end({ resultId: 'res_1' }) }).at(-1)).toBe('    view more: plug results res_1');
  },
);

verifies(
  ['L8'],
  'a long argument says how much of it is missing, many say how many, and none drives the terminal',
  () => {
    const args = {
      body: 'y'.repeat(1_000),
      evil: '\u001b[2J\nnext',
      n: 1,
      list: [1, 2],
      on: true,
      no: null,
      more: 1,
      most: 2,
    };
    const rows = texts({ args });
    expect(rows[1]).toBe(`    body: ${'y'.repeat(40)}… (960 more characters)`);
    expect(rows[2]).toBe('    evil: \\x1b[2J\\nnext');
    expect(rows.at(-1)).toBe('    and 2 more');
    expect(rows.every((row) => !row.includes('\n'))).toBe(true);
  },
);
