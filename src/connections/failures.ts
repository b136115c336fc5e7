import { messageOf, PlugError } from '../base/errors.ts';
import { isDeeper } from '../base/json-shape.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { TOO_LARGE_CODE } from './frame-depth.ts';
import { presentQuestion } from './present-question.ts';
import { serverNote } from './server-words.ts';

interface Where {
  readonly server: string;
  readonly method: string;
}

export function timeoutError(server: string, method: string, timeoutMs: number): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return new PlugError('call_timeout', `${server} did not answer ${method} within ${seconds} s.`, {
    owner: 'server',
    server,
    remedy: { do: 'show-logs', server },
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
    remedy: { do: 'restart', server },
  });
}

/** An error that the server sent as its answer: the code and data stay readable for gateways. */
export function rpcError(server: string, error: Readonly<Record<string, unknown>>): PlugError {
  const message = typeof error['message'] === 'string' ? error['message'] : 'an error without a text';
  // Our own transports answer so in place of a message that was too long or too deep to be read.
  if (error['code'] === TOO_LARGE_CODE) {
    return new PlugError('too_large', `${server}: ${message}`, {
      owner: 'server',
      server,
      remedy: 'Ask the tool for less, for instance a page or a filter.',
    });
  }
  return new PlugError('server_error', `${server} answered: ${message}`, {
    owner: 'server',
    server,
    details: {
      rpcCode: error['code'],
      rpcMessage: error['code'] === URL_ELICITATION_REQUIRED ? serverNote(server, message) : message,
      ...(error['data'] === undefined ? {} : { rpcData: dataOf(server, error) }),
    },
  });
}

/** An error may ask for pages to be opened first (spec 2025-11-25, elicitation): those are questions. */
function dataOf(server: string, { code, data }: Readonly<Record<string, unknown>>): unknown {
  if (code !== URL_ELICITATION_REQUIRED || !isObject(data)) return data;
  const { elicitations } = data;
  if (!Array.isArray(elicitations)) return data;
  const shown = elicitations.flatMap((asked: unknown) => {
    // JSON came in, so an object is a JsonObject.
    const presented = isObject(asked) && presentQuestion('elicitation', server, asked as JsonObject);
    return presented && presented.kind === 'ask' ? [presented.params] : [];
  });
  return { ...data, elicitations: shown };
}

const URL_ELICITATION_REQUIRED = -32_042;

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
  const type = unexpectedType(error);
  if (type !== undefined) return notMcpError(type, where, error);
  return new PlugError('unreachable', `The connection to ${where.server} broke: ${messageOf(error)}`, {
    owner: 'network',
    server: where.server,
    remedy: { do: 'show-logs', server: where.server },
    cause: error,
  });
}

/** Something answers there, but in another language. */
function notMcpError(type: string, { server }: Where, cause: unknown): PlugError {
  const what = type === 'text/html' ? 'a web page, not an MCP server' : `not an MCP server (${type})`;
  return new PlugError('protocol_error', `The address of ${server} is ${what}.`, {
    owner: 'you',
    server,
    remedy: 'Look at the path of its address: most servers are at /mcp, old ones at /sse.',
    details: { contentType: type },
    cause,
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
      // The status behind it tells whether the server is one of the older kind.
      cause: error,
    });
  }
  const fault = status >= 500 ? 'failed' : 'refused';
  return new PlugError('protocol_error', `${server} ${fault} ${method} with HTTP ${status}.`, {
    owner: 'server',
    server,
    remedy: { do: 'show-logs', server },
    details: { httpStatus: status },
    cause: error,
  });
}

export function signInError(server: string, status: number): PlugError {
  const what = status === 403 ? 'does not let this account in (HTTP 403)' : 'wants you to sign in (HTTP 401)';
  return new PlugError('sign_in_needed', `${server} ${what}.`, {
    owner: 'you',
    server,
    remedy: { do: 'sign-in', server },
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

/** The SDK names the type of an answer that is neither JSON nor events in `data`. */
function unexpectedType(error: unknown): string | undefined {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  const type = isObject(data) && typeof data['contentType'] === 'string' ? data['contentType'] : '';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type)?.[0].toLowerCase();
}

function sdkText(error: unknown): string | undefined {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  return isObject(data) && typeof data['text'] === 'string' ? data['text'] : undefined;
}

function rpcErrorInBody(text: string | undefined): Record<string, unknown> | undefined {
  if (!text?.startsWith('{')) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (isDeeper(body, limits.messageDepthMax, text.length)) return undefined;
    const error = isObject(body) ? body['error'] : undefined;
    return isObject(error) && typeof error['code'] === 'number' ? error : undefined;
  } catch {
    return undefined; // not JSON: the status alone has to tell
  }
}

/** A call is made as the account that was decided on, or not at all. */
export function accountChanged(server: string): PlugError {
  return new PlugError(
    'denied',
    `The account for ${server} changed after this was decided, so nothing was called.`,
    { owner: 'you', server, remedy: 'Make the call again: it asks again.' },
  );
}
