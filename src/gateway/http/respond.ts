import { errorText, RpcError, rpcCodes, type RpcId } from '../rpc.ts';
import type { Outgoing } from './exchange.ts';

/** Codes that the specification leaves to transports: what hosts know from other servers. */
export const httpCodes = {
  badRequest: -32000,
  sessionNotFound: -32001,
} as const;

/** On every answer, names and values in turn: nothing is cached or sniffed. */
const ALWAYS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'] as const;
const JSON_HEADERS = [...ALWAYS, 'content-type', 'application/json'] as const;
const STREAM_HEADERS = [
  ...ALWAYS,
  'content-type',
  'text/event-stream',
  // Proxies in between would collect the events otherwise.
  'x-accel-buffering',
  'no',
] as const;

/** Sends a JSON text as the whole answer. */
export function respondJson(
  response: Outgoing,
  status: number,
  text: string,
  extra: readonly string[] = [],
): void {
  response.whole(status, extra.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...extra], text);
}

/** Begins an event stream; what follows is written by EventStream. */
export function respondStream(response: Outgoing, extra: readonly string[] = []): void {
  response.begin(200, [...STREAM_HEADERS, ...extra]);
}

/** An answer without a body. */
export function respondEmpty(response: Outgoing, status: 202 | 204): void {
  response.whole(status, ALWAYS, '');
}

/** A refusal as JSON-RPC and as HTTP at once: hosts look at either. */
export function respondError(
  response: Outgoing,
  { status, error, id = null, headers }: Problem & { readonly id?: RpcId | null },
): void {
  if (response.isBegun) return;
  respondJson(response, status, errorText(id, error), headers);
}

/** What is wrong with a request, before any method has looked at it. */
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
