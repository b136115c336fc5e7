import { type ErrorCode, messageOf, PlugError, type PlugErrorOptions } from '../base/errors.ts';
import { plainNumber } from '../base/exact-number.ts';
import { parseJson } from '../base/parse-json.ts';
import { isDeeper } from '../base/json-shape.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { TOO_LARGE_CODE } from './frame-depth.ts';
import { presentQuestion } from './present-question.ts';
import { serverNote } from './server-words.ts';

/** A failure that is the server's to mend. */
export function serverFailure(
  code: ErrorCode,
  server: string,
  message: string,
  more?: Omit<PlugErrorOptions, 'owner' | 'server'>,
): PlugError {
  return new PlugError(code, message, { owner: 'server', server, ...more });
}

export function timeoutError(server: string, method: string, timeoutMs: number): PlugError {
  const seconds = Math.round(timeoutMs / 100) / 10;
  return serverFailure('call_timeout', server, `${server} did not answer ${method} within ${seconds} s.`, {
    remedy: { do: 'show-logs', server },
    details: { method, timeoutMs },
  });
}

export function cancelledError(server: string, method: string): PlugError {
  const message = `The request ${method} to ${server} was cancelled.`;
  return new PlugError('cancelled', message, { owner: 'you', server });
}

/** We ended the link ourselves while a request still waited. */
export function closedError(server: string): PlugError {
  const message = `${server} was stopped before it had answered.`;
  return new PlugError('unavailable', message, { owner: 'you', server, remedy: { do: 'restart', server } });
}

/** An error that the server answered with; gateways can still read its code and data. */
export function rpcError(server: string, error: Readonly<Record<string, unknown>>): PlugError {
  const code = plainNumber(error['code']);
  const message = typeof error['message'] === 'string' ? error['message'] : 'an error without a text';
  // Our own transports answer so in place of a message that was too long or too deep to be read.
  if (code === TOO_LARGE_CODE) {
    const remedy = 'Ask the tool for less, for instance a page or a filter.';
    return serverFailure('too_large', server, `${server}: ${message}`, { remedy });
  }
  const rpcMessage = code === URL_ELICITATION_REQUIRED ? serverNote(server, message) : message;
  const rpcData = error['data'] === undefined ? {} : { rpcData: dataOf(server, error) };
  return serverFailure('server_error', server, `${server} answered: ${message}`, {
    details: { rpcCode: code, rpcMessage, ...rpcData },
  });
}

/** An error may ask for pages to be opened first (spec 2025-11-25, elicitation). */
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

export function rpcCodeOf(error: unknown): number | undefined {
  if (!(error instanceof PlugError) || error.code !== 'server_error') return undefined;
  const code = error.details?.['rpcCode'];
  return typeof code === 'number' ? code : undefined;
}

export function httpStatusOf(error: unknown): number | undefined {
  if (!(error instanceof PlugError)) return undefined;
  const status = error.details?.['httpStatus'];
  return typeof status === 'number' ? status : undefined;
}

/** The server or the network is down for now and may come back by itself. */
export function isOutage(error: PlugError): boolean {
  return error.code === 'unreachable' || (httpStatusOf(error) ?? 0) >= 500;
}

/** Translates an error thrown by a transport's send(). */
export function sendError(
  error: unknown,
  where: { readonly server: string; readonly method: string },
): PlugError {
  if (error instanceof PlugError) return error;
  const status = sdkStatus(error);
  if (status !== undefined) return httpError(error, status, where.server, where.method);
  if (error instanceof Error && error.name === 'UnauthorizedError') return signInError(where.server, 401);
  const type = unexpectedType(error);
  if (type !== undefined) return notMcpError(type, where.server, error);
  const { server, method } = where;
  if (isUnreadable(error)) {
    if (FIRST_QUESTIONS.has(method)) return notMcpError('application/json', server, error);
    const message = `${server} answered ${method} with something that isn't an MCP message.`;
    return serverFailure('protocol_error', server, message, {
      remedy: { do: 'show-logs', server },
      cause: error,
    });
  }
  return new PlugError('unreachable', `The connection to ${server} broke: ${messageOf(error)}`, {
    owner: 'network',
    server,
    remedy: { do: 'show-logs', server },
    cause: error,
  });
}

const FIRST_QUESTIONS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** The SDK checks each message by a schema, whose error lists its issues. */
function isUnreadable(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    (error instanceof Error && 'issues' in error && Array.isArray(error.issues))
  );
}

function notMcpError(type: string, server: string, cause: unknown): PlugError {
  const what = type === 'text/html' ? 'a web page, not an MCP server' : `not an MCP server (${type})`;
  return new PlugError('protocol_error', `The address of ${server} is ${what}.`, {
    owner: 'you',
    server,
    remedy: 'Look at the path of its address: most servers are at /mcp, old ones at /sse.',
    details: { contentType: type },
    cause,
  });
}

function httpError(error: unknown, status: number, server: string, method: string): PlugError {
  if (status === 401 || status === 403) return signInError(server, status);
  const inBody = rpcErrorInBody(sdkData(error)['text']);
  // A modern server answers an unknown method with HTTP 404 and the JSON-RPC error in the body.
  if (inBody) {
    const { code, message, details } = rpcError(server, inBody);
    // The status of the cause tells whether the server is one of the older kind.
    return serverFailure(code, server, message, {
      details: { ...details, httpStatus: status },
      cause: error,
    });
  }
  const fault = status >= 500 ? 'failed' : 'refused';
  return serverFailure('protocol_error', server, `${server} ${fault} ${method} with HTTP ${status}.`, {
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
  const { status } = sdkData(error);
  if (typeof status === 'number') return status;
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' && code >= 300 && code < 600 ? code : undefined;
}

/** The SDK names the type of an answer that is neither JSON nor events. */
function unexpectedType(error: unknown): string | undefined {
  const { contentType } = sdkData(error);
  const type = typeof contentType === 'string' ? contentType : '';
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(type)?.[0].toLowerCase();
}

function sdkData(error: unknown): Readonly<Record<string, unknown>> {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined;
  return isObject(data) ? data : {};
}

function rpcErrorInBody(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    const body: unknown = parseJson(text);
    if (isDeeper(body, limits.messageDepthMax, text.length)) return undefined;
    const error = isObject(body) ? body['error'] : undefined;
    return isObject(error) && typeof error['code'] === 'number' ? error : undefined;
  } catch {
    return undefined; // not JSON: the status alone has to tell
  }
}

/** A call is made as the account that was decided on, or not at all. */
export function accountChanged(server: string): PlugError {
  const message = `The account for ${server} changed after this was decided, so nothing was called.`;
  return new PlugError('denied', message, {
    owner: 'you',
    server,
    remedy: 'Call it again to be asked again.',
  });
}
