import type { ErrorCode } from '../../base/errors.ts';
import type { ServerState } from '../../connections/state.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import type { CheckedServer } from './checked-server.ts';
import { fail, skip, warn } from './rows.ts';

type Failed = Extract<ServerState, { kind: 'failed' }>;

/** The step of the chain at which a server failed the last time it was started. */
export function failedAt({ state, pooled }: CheckedServer): DoctorCheck | undefined {
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
export function recordedAt(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  if (failedAt(checked) !== check || checked.examination.live) return undefined;
  const { id, state } = checked;
  const says = `Its last start failed here, but what was wrong is gone. It said: ${state.reason}`;
  const fix = { id: `restart:${id}`, says: `start ${id} again` };
  return warn(check, says, {
    cause: 'unavailable',
    owner: 'you',
    remedy: { do: 'restart', server: id },
    fix,
  });
}

/** For a step after the one at which the last start failed: nothing newer is known. */
export function beyondFailure(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(checked);
  if (at === undefined || at === check) return undefined;
  if (ORDER.indexOf(at) > ORDER.indexOf(check)) return undefined;
  return skip(check, 'Not known before it is started again.');
}

/** A start that was just tried and failed before this step: only trying has shown it. */
export function failedBefore(checked: CheckedServer, check: DoctorCheck): DoctorRow | undefined {
  const at = failedAt(checked);
  if (at === undefined || ORDER.indexOf(at) >= ORDER.indexOf(check)) return undefined;
  const { state, id } = checked;
  return fail(at, state.reason, {
    cause: CODES[at] ?? 'start_failed',
    owner: at === 'endpoint' ? 'network' : 'you',
    remedy: state.remedy ?? { do: 'show-logs', server: id },
  });
}

const CODES: Readonly<Partial<Record<DoctorCheck, ErrorCode>>> = {
  variables: 'missing_input',
  command: 'bad_config',
  endpoint: 'unreachable',
};

/** For a step about which only a server says something that was started once. */
export function neverStarted({ id }: CheckedServer, check: DoctorCheck): DoctorRow {
  return skip(check, 'Not known before its first start.', {
    remedy: { do: 'check', server: id, live: true },
  });
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
