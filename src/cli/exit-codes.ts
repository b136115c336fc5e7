import type { ErrorCode } from '../base/errors.ts';

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
