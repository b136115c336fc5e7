import type { Scope } from '../scope.ts';
import type { Accepted, EventStreamOptions } from './reply.ts';
import { type HostAtDoor, headersOf } from './knock.ts';
import { errorText, RpcError, rpcCodes, type RpcId } from '../rpc.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded } from '../../base/faults.ts';

export interface Incoming {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Identifies a connection that was admitted before. */
  readonly connection: object;
  /** Calls neither when the host goes away. */
  body(bytesMax: number, done: (body: Buffer) => void, tooLarge: () => void): void;
  skip(): void;
}

export interface Outgoing {
  readonly isBegun: boolean;
  readonly unread: number;
  /** Headers alternate names and values, without content-length. */
  whole(status: number, headers: readonly string[], text: string): void;
  begin(status: number, headers: readonly string[]): void;
  write(text: string): void;
  end(): void;
  destroy(): void;
  /** Once: the answer has left, or the host has gone. */
  onClose(listener: () => void): void;
}

export interface Posted {
  readonly response: Outgoing;
  readonly header: (name: string) => string | undefined;
  readonly accepted: Accepted;
  /** Without the query. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  readonly host: HostAtDoor | undefined;
  readonly cwd: string | undefined;
  readonly stream: EventStreamOptions;
}

/** Left to transports by the spec; known from other servers. */
export const httpCodes = { badRequest: -32000, sessionNotFound: -32001 } as const;

type Headers = readonly string[];

/** Alternating names and values: nothing is cached or sniffed. */
const ALWAYS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'] as const;
const JSON_HEADERS = [...ALWAYS, 'content-type', 'application/json'] as const;
/** x-accel-buffering keeps proxies from buffering. */
const STREAM_HEADERS = [...ALWAYS, 'content-type', 'text/event-stream', 'x-accel-buffering', 'no'] as const;

export function respondJson(response: Outgoing, status: number, text: string, extra: Headers = []): void {
  response.whole(status, extra.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...extra], text);
}

export function respondStream(response: Outgoing, extra: readonly string[] = []): void {
  response.begin(200, [...STREAM_HEADERS, ...extra]);
}

export function respondEmpty(response: Outgoing, status: 202 | 204): void {
  response.whole(status, ALWAYS, '');
}

/** As JSON-RPC and as HTTP: hosts look at either. */
export function respondError(response: Outgoing, { status, error, id = null, headers }: Problem): void {
  if (!response.isBegun) respondJson(response, status, errorText(id, error), headers);
}

export interface Problem {
  readonly status: number;
  readonly error: RpcError;
  readonly headers?: readonly string[];
  readonly id?: RpcId | null;
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

export function refusedBody({ why, id }: { readonly why: string; readonly id: RpcId | null }): Problem {
  return { ...invalidRequest(`The body was refused: ${why}.`), id };
}

export function tooManySessions(): Problem {
  return problem(503, httpCodes.badRequest, 'There are too many sessions.', ['retry-after', '60']);
}

export const EVENTS_ONLY: Problem = problem(
  406,
  httpCodes.badRequest,
  'This is a stream: the header Accept must name text/event-stream.',
);

export function nodeIncoming(request: IncomingMessage): Incoming {
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    header: headersOf(request),
    connection: request.socket,
    body: (bytesMax, done, tooLarge) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const end = (): unknown => request.destroy();
      const read = (chunk: Buffer): void => {
        bytes += chunk.length;
        chunks.push(chunk);
        if (bytes <= bytesMax) return;
        request.off('data', onData).off('end', onEnd);
        request.resume();
        tooLarge();
      };
      const onData = guarded('a request of a host', read, end);
      const onEnd = guarded('a request of a host', () => done(Buffer.concat(chunks, bytes)), end);
      request.on('data', onData).on('end', onEnd);
    },
    skip: () => void request.resume(),
  };
}

export function nodeOutgoing(response: ServerResponse): Outgoing {
  return {
    get isBegun(): boolean {
      return response.headersSent;
    },
    get unread(): number {
      return response.writableLength;
    },
    whole: (status, headers, text) => {
      const length = status === 204 ? [] : ['content-length', String(Buffer.byteLength(text))];
      response.writeHead(status, [...headers, ...length]).end(text);
    },
    begin: (status, headers) => void response.writeHead(status, [...headers]),
    write: (text) => void response.write(text),
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    onClose: (listener) => void response.once('close', listener),
  };
}
