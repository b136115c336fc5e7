import type { PlugError } from '../base/errors.ts';
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

function causeOf(error: PlugError): FailureCause {
  switch (error.code) {
    case 'start_timeout':
    case 'call_timeout':
      return 'timeout';
    case 'unreachable':
    case 'rate_limited':
    case 'unavailable':
      return 'refused';
    case 'bad_config':
    case 'missing_command':
    case 'usage':
    case 'untrusted':
      return 'config';
    case 'crashed':
    case 'start_failed':
      return 'crashed';
    default:
      return 'protocol';
  }
}

function missingIn(error: PlugError): readonly string[] {
  const missing = error.details?.['missing'];
  if (!Array.isArray(missing)) return [];
  return missing.map((each: unknown) => (isObject(each) ? String(each['placeholder']) : String(each)));
}
