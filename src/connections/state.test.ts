import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { PlugError, type ErrorCode } from '../base/errors.ts';
import { overallOf, type ServerState } from './state.ts';
import { Condition, stateOfError } from './condition.ts';
import { explainFailure } from './causes/explain.ts';
import type { CauseContext } from './causes/known-causes.ts';
import { limits } from '../base/limits.ts';
import { systemClock } from '../base/clock.ts';

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
      const remedy = { do: 'restart', server: 'x' } as const;
      const error = new PlugError(code, 'Why.', { owner: 'server', remedy, details });
      expect(stateOfError(error)).toMatchObject({
        ...state,
        reason: 'Why.',
        remedy,
        next: 'plug restart x',
      });
    }
    const details = { exitCode: 3, exitSignal: 'SIGTERM', stderr: ['a', 'b'] };
    const crashed = new PlugError('crashed', 'Why.', { owner: 'server', details });
    expect(stateOfError(crashed, 99)).toEqual({
      kind: 'failed',
      cause: 'crashed',
      code: 'crashed',
      owner: 'server',
      reason: 'Why.',
      exitCode: 3,
      exitSignal: 'SIGTERM',
      stderr: ['a', 'b'],
      retryAt: 99,
    });
  },
);

const local: CauseContext = { server: 'notes', remote: false };
const remote: CauseContext = { server: 'notes', remote: true };
const keyed: CauseContext = { ...remote, keyHeader: 'X-Api-Key', secret: 'notes/key' };
const told = { owner: 'server', remedy: { do: 'show-logs', server: 'notes' } } as const;
const signIn = { owner: 'you', remedy: { do: 'sign-in', server: 'notes' } } as const;

/** What was thrown, at a server of which this is known → the next step, of its state and of its caller. */
const REMEDIES: readonly (readonly [string, CauseContext, PlugError, object])[] = [
  [
    'a program that is missing',
    local,
    new PlugError('start_failed', 'Why.', {
      ...told,
      details: { stderr: ['sh: 1: uvx: command not found'] },
    }),
    { do: 'install', program: 'uv' },
  ],
  [
    'an address where no server is',
    remote,
    new PlugError('protocol_error', 'Why.', { ...told, details: { httpStatus: 404 } }),
    { do: 'edit-server', server: 'notes', field: 'url' },
  ],
  [
    'a key that is rejected',
    keyed,
    new PlugError('sign_in_needed', 'Why.', { ...signIn, details: { httpStatus: 401 } }),
    { do: 'set-secret', name: 'notes/key', server: 'notes' },
  ],
  [
    'a key in the definition that is rejected',
    { ...remote, keyHeader: 'X-Api-Key' },
    new PlugError('sign_in_needed', 'Why.', { ...signIn, details: { httpStatus: 403 } }),
    { do: 'edit-server', server: 'notes', field: 'headers.X-Api-Key' },
  ],
  [
    'an account that lacks a scope, beside a key',
    keyed,
    new PlugError('sign_in_needed', 'Why.', { ...signIn, details: { httpStatus: 403, scope: 'write' } }),
    signIn.remedy,
  ],
  ['a sign-in that has expired', remote, new PlugError('sign_in_needed', 'Why.', signIn), signIn.remedy],
  [
    'a failure that was thrown without a next step',
    remote,
    new PlugError('unreachable', 'Why.', { owner: 'network' }),
    { do: 'restart', server: 'notes' },
  ],
  ['last words that mean nothing known', local, new PlugError('start_failed', 'Why.', told), told.remedy],
];

verifies(
  ['C4', 'U4'],
  'the state of a server has the reason and the next step that a failed call gets',
  () => {
    for (const [what, context, error, remedy] of REMEDIES) {
      const states: ServerState[] = [];
      const events = { onState: (state: ServerState) => void states.push(state) };
      const condition = new Condition({
        server: 'notes',
        clock: systemClock,
        limits,
        events,
        causes: () => context,
      });
      condition.fails(error, 0);
      expect([what, states]).toMatchObject([what, [{ remedy }]]);
      const { message: reason, remedy: told } = explainFailure(error, context);
      expect([what, states]).toMatchObject([what, [{ reason, remedy: told }]]);
    }
  },
);
