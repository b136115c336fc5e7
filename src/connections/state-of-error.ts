import type { ErrorCode, PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import type { FailureCause, ServerState } from './state.ts';

/** The state that a failed start leads to, with the reason in words and the next command. */
export function stateOfError(error: PlugError, retryAt?: number): ServerState {
  const because = { reason: error.message, ...(error.next === undefined ? {} : { next: error.next }) };
  if (error.code === 'sign_in_needed') return { kind: 'needs-sign-in', ...because };
  if (error.code === 'missing_input') return { kind: 'needs-input', missing: missingIn(error), ...because };
  const { exitCode, exitSignal, stderr } = error.details ?? {};
  return {
    kind: 'failed',
    cause: causeOf(error),
    ...because,
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
    ...(typeof exitSignal === 'string' ? { exitSignal } : {}),
    ...(Array.isArray(stderr) ? { stderr: stderr.map(String) } : {}),
    ...(retryAt === undefined ? {} : { retryAt }),
  };
}

const CAUSES: Readonly<Partial<Record<ErrorCode, FailureCause>>> = {
  start_timeout: 'timeout',
  call_timeout: 'timeout',
  unreachable: 'refused',
  rate_limited: 'refused',
  unavailable: 'refused',
  bad_config: 'config',
  missing_command: 'config',
  usage: 'config',
  untrusted: 'config',
  crashed: 'crashed',
  start_failed: 'crashed',
};

/** Whatever else goes wrong in a start is a broken rule of the protocol. */
function causeOf(error: PlugError): FailureCause {
  return CAUSES[error.code] ?? 'protocol';
}

function missingIn(error: PlugError): readonly string[] {
  const missing = error.details?.['missing'];
  if (!Array.isArray(missing)) return [];
  return missing.map((each: unknown) => (isObject(each) ? String(each['placeholder']) : String(each)));
}
