import { SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { PlugError } from '../../base/errors.ts';
import { wantsSse } from '../open-remote.ts';

const answered = (status: number, text = 'Cannot POST /sse'): SdkHttpError =>
  new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'Error POSTing to endpoint', { status, text });

test('a server that has no use for a POST is taken for one of the older kind', () => {
  for (const status of [400, 404, 405, 406, 415]) expect(wantsSse(answered(status)), `${status}`).toBe(true);
  const wrapped = new SdkError(SdkErrorCode.EraNegotiationFailed, 'failed', undefined, {
    cause: answered(405),
  });
  expect(wantsSse(wrapped)).toBe(true);
});

test('sign-in, breakdown and absence are not mistaken for it', () => {
  for (const status of [401, 403, 409, 429, 500, 502, 503]) expect(wantsSse(answered(status))).toBe(false);
  expect(wantsSse(new UnauthorizedError())).toBe(false);
  expect(wantsSse(new PlugError('unreachable', 'Nothing listens.', { owner: 'network' }))).toBe(false);
  expect(wantsSse(undefined)).toBe(false);
});

test('who answers in JSON-RPC speaks the newer transport', () => {
  const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request"}}';
  expect(wantsSse(answered(400, text))).toBe(false);
  expect(wantsSse(answered(404, text))).toBe(false);
  expect(wantsSse(answered(400, '{"jsonrpc":'))).toBe(true);
  expect(wantsSse(answered(405, text))).toBe(true);
});
