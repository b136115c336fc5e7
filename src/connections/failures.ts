import { messageOf, PlugError } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { TOO_LARGE_CODE } from './processes/stdio-transport.ts';

interface Where {
  readonly server: string;
  readonly method: string;
}

export function timeoutError(server: string, method: string, timeoutMs: number): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return new PlugError('call_timeout', `${server} did not answer ${method} within ${seconds} s.`, {
    owner: 'server',
    server,
    next: `plug logs ${server}`,
    details: { method, timeoutMs },
  });
}

export function cancelledError(server: string, method: string): PlugError {
  return new PlugError('cancelled', `The request ${method} to ${server} was cancelled.`, {
    owner: 'you',
    server,
  });
}

/** We ended the link ourselves while somebody still waited. */
export function closedError(server: string): PlugError {
  return new PlugError('unavailable', `${server} was stopped before it had answered.`, {
    owner: 'you',
    server,
    next: `plug restart ${server}`,
  });
}

/** An error that the server sent as its answer: the code and data stay readable for gateways. */
export function rpcError(server: string, error: Readonly<Record<string, unknown>>): PlugError {
  const message = typeof error['message'] === 'string' ? error['message'] : 'an error without a text';
  // Our own stdio transport answers so in place of a line that was too long to read.
  if (error['code'] === TOO_LARGE_CODE) {
    return new PlugError('too_large', `${server}: ${message}`, {
      owner: 'server',
      server,
      next: 'Ask the tool for less, for instance a page or a filter.',
    });
  }
  return new PlugError('server_error', `${server} answered: ${message}`, {
    owner: 'server',
    server,
    details: {
      rpcCode: error['code'],
      rpcMessage: message,
      ...(error['data'] === undefined ? {} : { rpcData: error['data'] }),
    },
  });
}

/** The JSON-RPC code of an error that a server answered with. */
export function rpcCodeOf(error: unknown): number | undefined {
  if (!(error instanceof PlugError) || error.code !== 'server_error') return undefined;
  const code = error.details?.['rpcCode'];
  return typeof code === 'number' ? code : undefined;
}

/** The HTTP status behind a failed request, when there is one. */
export function httpStatusOf(error: unknown): number | undefined {
  if (!(error instanceof PlugError)) return undefined;
  const status = error.details?.['httpStatus'];
  return typeof status === 'number' ? status : undefined;
}

/** The server or the way to it is down for now: what is not there yet may come back by itself. */
export function isOutage(error: PlugError): boolean {
  return error.code === 'unreachable' || (httpStatusOf(error) ?? 0) >= 500;
}

/** Translates what a transport throws from send() into our words. */
export function sendError(error: unknown, where: Where): PlugError {
  if (error instanceof PlugError) return error;
  const status = sdkStatus(error);
  if (status !== undefined) return httpError(error, status, where);
  if (error instanceof Error && error.name === 'UnauthorizedError') return signInError(where.server, 401);
  return new PlugError('unreachable', `The connection to ${where.server} broke: ${messageOf(error)}`, {
    owner: 'network',
    server: where.server,
    next: `plug logs ${where.server}`,
    cause: error,
  });
}

function httpError(error: unknown, status: number, { server, method }: Where): PlugError {
  if (status === 401 || status === 403) return signInError(server, status);
  const inBody = rpcErrorInBody(sdkText(error));
  // A modern server answers an unknown method with HTTP 404 and the JSON-RPC error in the body.
  if (inBody) {
    const wire = rpcError(server, inBody);
    return new PlugError(wire.code, wire.message, {
      owner: 'server',
      server,
      details: { ...wire.details, httpStatus: status },
    });
  }
  const fault = status >= 500 ? 'failed' : 'refused';
  return new PlugError('protocol_error', `${server} ${fault} ${method} with HTTP ${status}.`, {
    owner: 'server',
    server,
    next: `plug logs ${server}`,
    details: { httpStatus: status },
    cause: error,
  });
}

export function signInError(server: string, status: number): PlugError {
  const what = status === 403 ? 'does not let this account in (HTTP 403)' : 'wants you to sign in (HTTP 401)';
  return new PlugError('sign_in_needed', `${server} ${what}.`, {
    owner: 'you',
    server,
    next: `plug auth ${server}`,
    details: { httpStatus: status },
  });
}

/** The SDK's HTTP errors carry { status, text } in `data`; SSE errors carry the status in `code`. */
function sdkStatus(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const data: unknown = 'data' in error ? error.data : undefined;
  if (isObject(data) && typeof data['status'] === 'number') return data['status'];
  const code: unknown = 'code' in error ? error.code : undefined;
  return typeof code === 'number' && code >= 300 && code < 600 ? code : undefined;
}

function sdkText(error: unknown): string | undefined {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  return isObject(data) && typeof data['text'] === 'string' ? data['text'] : undefined;
}

function rpcErrorInBody(text: string | undefined): Record<string, unknown> | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    const error = isObject(body) ? body['error'] : undefined;
    return isObject(error) && typeof error['code'] === 'number' ? error : undefined;
  } catch {
    return undefined; // not JSON: the status alone has to tell
  }
}
