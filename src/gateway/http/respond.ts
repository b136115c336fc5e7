import { errorText, RpcError, rpcCodes, type RpcId } from '../rpc.ts';
import type { Outgoing } from './exchange.ts';

/** Left to transports by the spec; known from other servers. */
export const httpCodes = {
  badRequest: -32000,
  sessionNotFound: -32001,
} as const;

/** Alternating names and values: nothing is cached or sniffed. */
const ALWAYS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'] as const;
const JSON_HEADERS = [...ALWAYS, 'content-type', 'application/json'] as const;
const STREAM_HEADERS = [
  ...ALWAYS,
  'content-type',
  'text/event-stream',
  // Keeps proxies from buffering.
  'x-accel-buffering',
  'no',
] as const;

export function respondJson(
  response: Outgoing,
  status: number,
  text: string,
  extra: readonly string[] = [],
): void {
  response.whole(status, extra.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...extra], text);
}

export function respondStream(response: Outgoing, extra: readonly string[] = []): void {
  response.begin(200, [...STREAM_HEADERS, ...extra]);
}

export function respondEmpty(response: Outgoing, status: 202 | 204): void {
  response.whole(status, ALWAYS, '');
}

/** As JSON-RPC and as HTTP: hosts look at either. */
export function respondError(
  response: Outgoing,
  { status, error, id = null, headers }: Problem & { readonly id?: RpcId | null },
): void {
  if (response.isBegun) return;
  respondJson(response, status, errorText(id, error), headers);
}

export interface Problem {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: readonly string[];
}

export function problem(status: number, code: number, message: string, headers?: readonly string[]): Problem {
  return { status, error: new RpcError(code, message), ...(headers ? { headers } : {}) };
}

export function wrongMethod(allow: string): Problem {
  return problem(405, httpCodes.badRequest, `This address takes ${allow}.`, ['allow', allow]);
}

export function invalidRequest(message: string): Problem {
  return problem(400, rpcCodes.invalidRequest, message);
}

export function tooManySessions(): Problem {
  return problem(503, httpCodes.badRequest, 'There are too many sessions.', ['retry-after', '60']);
}

export const EVENTS_ONLY: Problem = problem(
  406,
  httpCodes.badRequest,
  'This is a stream: the header Accept must name text/event-stream.',
);
