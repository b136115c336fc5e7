import type { ErrorCode, PlugError } from '../base/errors.ts';
import type { Risk } from '../catalog/risk.ts';

/**
 * Whether a call that failed is made once more. When a connection is lost nobody knows whether the
 * server had done its work already, so that only what changes nothing may be tried again.
 */
export function mayRetry(failed: {
  readonly risk: Risk;
  readonly error: PlugError;
  /** 0 for the first. */
  readonly attempt: number;
}): boolean {
  return failed.risk === 'read' && failed.attempt < RETRIES_MAX && isLost(failed.error);
}

const RETRIES_MAX = 1;

/** The connection or the session broke; the server itself has refused nothing. */
function isLost({ code, details }: PlugError): boolean {
  if (LOST.has(code)) return true;
  // A server that has forgotten a session answers so (spec 2025-11-25, session management).
  return code === 'protocol_error' && details?.['httpStatus'] === 404;
}

const LOST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['crashed', 'unreachable']);
