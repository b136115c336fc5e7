import { createServer, request, type Agent, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { readBefore } from '../../src/daemon/listen.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { HttpFront, type HttpFrontOptions } from '../../src/gateway/http/http-front.ts';
import type { Answer } from './knock.ts';

/** A front on a real listener of its own, until the test ends. */
export async function startFront(
  gateway: Gateway,
  options: Partial<HttpFrontOptions> = {},
): Promise<{ readonly front: HttpFront; readonly port: number; readonly url: string }> {
  const front = new HttpFront({
    gateway,
    admit: () => ({ principal: 'local' }),
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
    ...options,
  });
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    if (!front.request(request, response, 'port')) response.writeHead(418).end();
  });
  const door = { begin: () => undefined, end: () => undefined };
  readBefore(server, (socket, giveAway) => {
    sockets.add(socket);
    front.connection(socket, 'port', { ...door, giveAway });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    await front.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return { front, port, url: `http://127.0.0.1:${port}` };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** A value is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown;
  /** Keeps the connection for what comes next; without one each request has its own. */
  readonly agent?: Agent;
}

/** An answer whose body is still coming. */
export interface Coming {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  /** The next event; undefined when the stream has ended. Comments and events without data are passed over. */
  next(): Promise<SentEvent | undefined>;
  /** The whole body. */
  whole(): Promise<string>;
  /** Resolves when the other side has ended it. */
  readonly ended: Promise<void>;
  /** Goes away. */
  drop(): void;
  /** Reads no more. */
  pause(): void;
  /** Events without data so far: an id to come back with. */
  readonly primings: string[];
  /** Comments so far. */
  readonly comments: string[];
}

export interface SentEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

const BOTH = 'application/json, text/event-stream';

/** Sends one request and answers as soon as the headers are there. */
export function open(port: number, sent: Sent): Promise<Coming> {
  const { method = 'POST', path = '/mcp', body, agent = false } = sent;
  const raw =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = {
    accept: BOTH,
    ...(raw === undefined ? {} : { 'content-type': 'application/json' }),
    ...sent.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers, agent });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => resolve(coming(incoming, () => outgoing.destroy())));
    outgoing.end(raw);
  });
}

/** Sends one request and waits for the whole answer. */
export async function send(port: number, sent: Sent): Promise<Answer & { readonly json: Answered }> {
  const answer = await open(port, sent);
  const { status, headers } = answer;
  const text = await answer.whole();
  const isJson = headers['content-type'] === 'application/json';
  return { status, headers, text, json: isJson ? JSON.parse(text) : {} };
}

export interface Answered {
  readonly id?: unknown;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

function coming(incoming: IncomingMessage, drop: () => void): Coming {
  const blocks: string[] = [];
  const comments: string[] = [];
  const primings: string[] = [];
  let text = '';
  let rest = '';
  let wake = (): void => undefined;
  const state = { isOver: false };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  incoming.setEncoding('utf8');
  incoming.on('data', (chunk: string) => {
    text += chunk;
    const parts = (rest + chunk).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const isPriming = part.endsWith('\ndata: ');
      (part.startsWith(':') ? comments : isPriming ? primings : blocks).push(part);
    }
    wake();
  });
  incoming.on('error', () => undefined);
  incoming.on('close', () => {
    state.isOver = true;
    wake();
    resolve();
  });
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    comments,
    primings,
    ended,
    next: async () => {
      while (blocks.length === 0 && !state.isOver) await new Promise<void>((woken) => (wake = woken));
      const block = blocks.shift();
      if (block === undefined) return undefined;
      const [, id, event = '', data = ''] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { id, event, data };
    },
    whole: async () => {
      await ended;
      return text;
    },
    drop: () => {
      incoming.on('error', () => undefined);
      drop();
    },
    pause: () => void incoming.pause(),
  };
}

/** A request of a modern host, with the headers that go with it. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  options: {
    readonly id?: string | number;
    readonly headers?: OutgoingHttpHeaders;
    readonly meta?: object;
  } = {},
): Sent {
  const name = params['name'] ?? params['uri'];
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    ...options.meta,
  };
  const headers: OutgoingHttpHeaders = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    ...options.headers,
  };
  for (const [key, value] of Object.entries(headers)) if (value === undefined) delete headers[key];
  return {
    headers,
    body: { jsonrpc: '2.0', id: options.id ?? 1, method, params: { ...params, _meta: meta } },
  };
}

/** A legacy host that has initialized. */
export async function legacyHost(
  port: number,
  options: { readonly version?: string; readonly path?: string } = {},
): Promise<{
  readonly session: string;
  /** The request of this host, ready to be sent. */
  readonly asking: (method: string, params?: object, id?: string | number) => Sent;
  readonly saying: (body: unknown) => Sent;
}> {
  const { version = '2025-11-25', path = '/mcp' } = options;
  const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'toy', version: '1' } };
  const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  const { headers } = await send(port, { path, body });
  const session = String(headers['mcp-session-id']);
  const own = { 'mcp-session-id': session, 'mcp-protocol-version': version };
  const saying = (body: unknown): Sent => ({ path, headers: own, body });
  return {
    session,
    saying,
    asking: (method, params = {}, id = 1) => saying({ jsonrpc: '2.0', id, method, params }),
  };
}
