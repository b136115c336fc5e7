import type { ErrorCode } from '../../base/errors.ts';
import type { ServerState } from '../../connections/state.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import type { Patient } from './patient.ts';
import { fail, skip, warn } from './rows.ts';

type Failed = Extract<ServerState, { kind: 'failed' }>;

/** The step of the chain at which a server failed the last time it was started. */
export function failedAt({ state, pooled }: Patient): DoctorCheck | undefined {
  if (state.kind === 'needs-input') return 'variables';
  if (state.kind === 'needs-sign-in') return 'auth';
  if (state.kind !== 'failed') return undefined;
  return (pooled.definition.endpoint.kind === 'stdio' ? LOCAL : REMOTE)[state.cause];
}

const LOCAL: Readonly<Record<Failed['cause'], DoctorCheck>> = {
  config: 'command',
  refused: 'spawn',
  crashed: 'spawn',
  timeout: 'handshake',
  protocol: 'handshake',
};

const REMOTE: Readonly<Record<Failed['cause'], DoctorCheck>> = {
  config: 'endpoint',
  refused: 'endpoint',
  crashed: 'handshake',
  timeout: 'handshake',
  protocol: 'handshake',
};

/**
 * For a step that finds nothing wrong any more although the last start failed there: what was
 * wrong has been mended, and the server does not know it yet.
 */
export function recordedAt(patient: Patient, check: DoctorCheck): DoctorRow | undefined {
  if (failedAt(patient) !== check || patient.visit.live) return undefined;
  const { id, state } = patient;
  const says = `Its last start failed here, but what was wrong is gone. It said: ${state.reason}`;
  const fix = { id: `restart:${id}`, says: `start ${id} again` };
  return warn(check, says, { cause: 'unavailable', owner: 'you', next: `plug restart ${id}`, fix });
}

/** For a step after the one at which the last start failed: nothing newer is known. */
export function beyondFailure(patient: Patient, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(patient);
  if (at === undefined || at === check) return undefined;
  if (ORDER.indexOf(at) > ORDER.indexOf(check)) return undefined;
  return skip(check, 'Not known before it is started again.');
}

/** A start that was just tried and failed before this step: only trying has shown it. */
export function failedBefore(patient: Patient, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(patient);
  if (at === undefined || ORDER.indexOf(at) >= ORDER.indexOf(check)) return undefined;
  const { state, id } = patient;
  return fail(at, state.reason, {
    cause: CODES[at] ?? 'start_failed',
    owner: at === 'endpoint' ? 'network' : 'you',
    next: state.next ?? `plug logs ${id}`,
  });
}

const CODES: Readonly<Partial<Record<DoctorCheck, ErrorCode>>> = {
  variables: 'missing_input',
  command: 'bad_config',
  endpoint: 'unreachable',
};

/** For a step about which only a server says something that was started once. */
export function neverStarted({ id }: Patient, check: DoctorCheck): DoctorRow {
  return skip(check, 'Not known before its first start.', { next: `plug doctor ${id} --live` });
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
