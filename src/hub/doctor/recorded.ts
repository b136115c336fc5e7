import type { ErrorCode } from '../../base/errors.ts';
import type { ServerState } from '../../connections/state.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import type { CheckedServer } from './checked-server.ts';
import { fail, skip, warn } from './rows.ts';

/** The step of the chain at which the last start of a server failed. */
export function failedAt({ state, pooled }: CheckedServer): DoctorCheck | undefined {
  if (state.kind === 'needs-input') return 'variables';
  if (state.kind === 'needs-sign-in') return 'auth';
  if (state.kind !== 'failed') return undefined;
  const [local, remote] = STEPS[state.cause];
  return pooled.definition.endpoint.kind === 'stdio' ? local : remote;
}

/** For a local server, and for a remote one. */
const STEPS: Readonly<
  Record<Extract<ServerState, { kind: 'failed' }>['cause'], readonly [DoctorCheck, DoctorCheck]>
> = {
  config: ['command', 'endpoint'],
  refused: ['spawn', 'endpoint'],
  crashed: ['spawn', 'handshake'],
  timeout: ['handshake', 'handshake'],
  protocol: ['handshake', 'handshake'],
};

/** For a step that passes now although the last start failed there: the server has to be started again. */
export function recordedAt(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  if (failedAt(checked) !== check || checked.examination.live) return undefined;
  const { id, state } = checked;
  const says = `Its last start failed here, but the cause is gone. The error was: ${state.reason}`;
  const fix = { id: `restart:${id}`, says: `start ${id} again` };
  return warn(check, says, {
    cause: 'unavailable',
    owner: 'you',
    remedy: { do: 'restart', server: id },
    fix,
  });
}

/** For a step after the one at which the last start failed. */
export function beyondFailure(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(checked);
  if (at === undefined || at === check || ORDER.indexOf(at) > ORDER.indexOf(check)) return undefined;
  return skip(check, 'Unknown until it starts again.');
}

/** A start that was just tried and failed before this step. */
export function failedBefore(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(checked);
  if (at === undefined || ORDER.indexOf(at) >= ORDER.indexOf(check)) return undefined;
  const { state, id } = checked;
  const { code, owner }: Told = state.kind === 'failed' ? state : {};
  return fail(at, state.reason, {
    cause: code ?? CODES[at] ?? 'start_failed',
    owner: owner ?? (at === 'endpoint' ? 'network' : 'you'),
    remedy: state.remedy ?? { do: 'show-logs', server: id },
  });
}

type Told = Pick<Extract<ServerState, { kind: 'failed' }>, 'code' | 'owner'>;

const CODES: Readonly<Partial<Record<DoctorCheck, ErrorCode>>> = {
  variables: 'missing_input',
  command: 'bad_config',
  endpoint: 'unreachable',
};

export function neverStarted({ id }: CheckedServer, check: DoctorCheck): DoctorRow {
  const remedy = { do: 'check', server: id, live: true } as const;
  return skip(check, 'Unknown until its first start.', { remedy });
}

const ORDER: readonly DoctorCheck[] = [
  'config',
  'variables',
  'command',
  'endpoint',
  'spawn',
  'stderr',
  'handshake',
  'auth',
  'tools',
  'pins',
];
