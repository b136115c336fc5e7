import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { PlugError, type ErrorCode } from '../base/errors.ts';
import { overallOf, type ServerState } from './state.ts';
import { stateOfError } from './state-of-error.ts';

const STATES: Readonly<Record<string, ServerState>> = {
  disabled: { kind: 'disabled', reason: '' },
  asleep: { kind: 'asleep', reason: '' },
  starting: { kind: 'starting', attempt: 1, reason: '' },
  ready: { kind: 'ready', since: 0, reason: '' },
  degraded: { kind: 'degraded', since: 0, reason: '' },
  'needs-sign-in': { kind: 'needs-sign-in', reason: '' },
  failed: { kind: 'failed', cause: 'crashed', reason: '' },
};

verifies(['C4'], 'the states of all servers sum up to one', () => {
  const table: readonly (readonly [string, string])[] = [
    ['', 'idle'],
    ['disabled asleep', 'idle'],
    ['starting asleep', 'starting'],
    ['starting failed', 'starting'],
    ['ready disabled asleep', 'ready'],
    ['ready degraded', 'ready'],
    ['ready starting', 'partial'],
    ['ready failed', 'partial'],
    ['degraded needs-sign-in', 'partial'],
    ['failed asleep', 'failed'],
    ['needs-sign-in', 'failed'],
  ];
  for (const [kinds, overall] of table) {
    const states = kinds.split(' ').flatMap((kind) => STATES[kind] ?? []);
    expect([kinds, overallOf(states)]).toEqual([kinds, overall]);
  }
});

verifies(
  ['C4'],
  'each failure of a start leads to a state with its cause, its reason and its next step',
  () => {
    const table: readonly (readonly [ErrorCode, object])[] = [
      ['start_timeout', { kind: 'failed', cause: 'timeout' }],
      ['crashed', { kind: 'failed', cause: 'crashed' }],
      ['start_failed', { kind: 'failed', cause: 'crashed' }],
      ['unreachable', { kind: 'failed', cause: 'refused' }],
      ['missing_command', { kind: 'failed', cause: 'config' }],
      ['protocol_error', { kind: 'failed', cause: 'protocol' }],
      ['sign_in_needed', { kind: 'needs-sign-in' }],
      ['missing_input', { kind: 'needs-input', missing: ['${input:key}', 'other'] }],
    ];
    for (const [code, state] of table) {
      const details = { missing: [{ placeholder: '${input:key}' }, 'other'] };
      const error = new PlugError(code, 'Why.', { owner: 'server', next: 'plug do', details });
      expect(stateOfError(error)).toMatchObject({ ...state, reason: 'Why.', next: 'plug do' });
    }
    const details = { exitCode: 3, exitSignal: 'SIGTERM', stderr: ['a', 'b'] };
    expect(stateOfError(new PlugError('crashed', 'Why.', { owner: 'server', details }), 99)).toEqual({
      kind: 'failed',
      cause: 'crashed',
      reason: 'Why.',
      exitCode: 3,
      exitSignal: 'SIGTERM',
      stderr: ['a', 'b'],
      retryAt: 99,
    });
  },
);
