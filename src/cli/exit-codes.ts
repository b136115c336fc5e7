import type { ErrorCode } from '../base/errors.ts';
import type { ServerView } from '../hub/hub.ts';

/** What `plug` answers to the shell. Scripts branch on these, so they never change their meaning. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  approvalRequired: 3,
  signInRequired: 4,
  serverNotAvailable: 5,
  notFound: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const EXIT_CODE: Record<ErrorCode, ExitCode> = {
  usage: exitCodes.usage,
  bad_arguments: exitCodes.usage,
  bad_config: exitCodes.failed,
  already_exists: exitCodes.failed,
  denied: exitCodes.failed,
  protocol_error: exitCodes.failed,
  server_error: exitCodes.failed,
  unsupported: exitCodes.failed,
  call_timeout: exitCodes.failed,
  cancelled: exitCodes.failed,
  too_large: exitCodes.failed,
  storage_failed: exitCodes.failed,
  internal: exitCodes.failed,
  approval_required: exitCodes.approvalRequired,
  untrusted: exitCodes.approvalRequired,
  sign_in_needed: exitCodes.signInRequired,
  disabled: exitCodes.serverNotAvailable,
  missing_command: exitCodes.serverNotAvailable,
  missing_input: exitCodes.serverNotAvailable,
  start_failed: exitCodes.serverNotAvailable,
  start_timeout: exitCodes.serverNotAvailable,
  crashed: exitCodes.serverNotAvailable,
  unreachable: exitCodes.serverNotAvailable,
  rate_limited: exitCodes.serverNotAvailable,
  unavailable: exitCodes.serverNotAvailable,
  hub_unavailable: exitCodes.serverNotAvailable,
  not_found: exitCodes.notFound,
};

export function exitCodeOf(code: ErrorCode): ExitCode {
  return EXIT_CODE[code];
}

export function exitCodeOfServers(servers: readonly ServerView[]): ExitCode {
  const codes = servers.map(({ state, untrusted }) =>
    untrusted ? exitCodes.approvalRequired : EXIT_CODE_OF_STATE[state.kind],
  );
  return (
    codes.find((code) => code === exitCodes.approvalRequired || code === exitCodes.signInRequired) ??
    codes.find((code) => code !== exitCodes.ok) ??
    exitCodes.ok
  );
}

const EXIT_CODE_OF_STATE: Readonly<Record<ServerView['state']['kind'], ExitCode>> = {
  ready: exitCodes.ok,
  degraded: exitCodes.ok,
  asleep: exitCodes.ok,
  'needs-sign-in': exitCodes.signInRequired,
  quarantined: exitCodes.approvalRequired,
  starting: exitCodes.serverNotAvailable,
  disabled: exitCodes.serverNotAvailable,
  'needs-input': exitCodes.serverNotAvailable,
  failed: exitCodes.serverNotAvailable,
};
