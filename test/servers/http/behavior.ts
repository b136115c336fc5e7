import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Params } from '../params.ts';

/** What `GET /_stats` answers; see HttpStats in start.ts. */
export interface Stats {
  requests: number;
  sessions: number;
  sessionsOpen: number;
  readonly methods: Record<string, number>;
  readonly verbs: Record<string, number>;
  lastHeaders: Record<string, string>;
}

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parsed JSON body; undefined when there was none. */
  readonly body: unknown;
  /** The JSON-RPC method of the body. */
  readonly method: string | undefined;
}

export interface HttpBehaviour {
  /** Where hosts connect; `/mcp` unless told. */
  readonly path?: string;
  readonly scheme?: 'http' | 'ws';
  handle(exchange: Exchange): void | Promise<void>;
  upgrade?(request: IncomingMessage, socket: Duplex): void;
  /** What tests may post to, such as `/_forget`. */
  readonly controls?: Readonly<Record<string, () => void | Promise<void>>>;
}

export type MakeBehaviour = (params: Params, stats: Stats) => HttpBehaviour;

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export function answerError(response: ServerResponse, status: number, message: string): void {
  answerJson(response, status, { jsonrpc: '2.0', id: null, error: { code: -32000, message } });
}
