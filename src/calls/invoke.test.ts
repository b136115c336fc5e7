import { expect, test } from 'vitest';
import { PlugError, type ErrorCode } from '../base/errors.ts';
import { verifies } from '../../test/requirements.ts';
import { mayRetry } from './invoke.ts';

const failure = (code: ErrorCode, details = {}): PlugError =>
  new PlugError(code, 'It broke.', { owner: 'server', details });

verifies(['L7'], 'a lost connection is tried once more for reads, and never for anything else', () => {
  for (const error of [
    failure('crashed'),
    failure('unreachable'),
    failure('protocol_error', { httpStatus: 404 }),
  ]) {
    expect(mayRetry({ risk: 'read', error, attempt: 0 })).toBe(true);
    expect(mayRetry({ risk: 'read', error, attempt: 1 })).toBe(false);
    for (const risk of ['write', 'destructive', 'unknown'] as const) {
      expect(mayRetry({ risk, error, attempt: 0 })).toBe(false);
    }
  }
});

test('what a server refused, or what took too long, is not asked again', () => {
  const codes: readonly ErrorCode[] = [
    'call_timeout',
    'server_error',
    'denied',
    'sign_in_needed',
    'rate_limited',
    'cancelled',
    'too_large',
    'start_failed',
    'protocol_error',
    'unavailable',
    'internal',
  ];
  for (const code of codes) expect(mayRetry({ risk: 'read', error: failure(code), attempt: 0 })).toBe(false);
});
