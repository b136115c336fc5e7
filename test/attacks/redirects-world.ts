import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import type { HttpBehaviour } from '../servers/http/behavior.ts';
import { good } from '../servers/http/behaviors.ts';
import { parseParams } from '../servers/params.ts';

/** Every way to say “look elsewhere” that some client follows. */
export const STATUSES = [301, 302, 303, 307, 308] as const;

/** A place that must hear nothing: it keeps every byte that comes, and answers as if all were well. */
export interface Trap {
  readonly port: number;
  readonly url: string;
  readonly heard: () => string;
  readonly visits: () => number;
}

export async function openTrap(host = '127.0.0.1', port = 0): Promise<Trap> {
  let heard = '';
  let visits = 0;
  const sockets = new Set<Socket>();
  const listener = createTcpServer((socket) => {
    visits += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
  }).listen(port, host);
  await once(listener, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const { port: own } = listener.address() as AddressInfo; // a TCP listener has one
  return { port: own, url: `http://${host}:${own}`, heard: () => heard, visits: () => visits };
}

/** Nothing has come so far. */
export function expectQuiet(...traps: readonly Trap[]): void {
  for (const trap of traps) {
    expect({ visits: trap.visits(), heard: trap.heard() }).toEqual({ visits: 0, heard: '' });
  }
}

/** Nothing came, although something would have been heard. */
export async function expectUnvisited(...traps: readonly Trap[]): Promise<void> {
  expectQuiet(...traps);
  for (const trap of traps) {
    await fetch(`${trap.url}/control`, { method: 'POST', body: 'a control' });
    expect(trap.heard()).toContain('a control');
  }
}

/** Every address that is another origin than the site's, however little it differs. */
export function elsewhere(site: string, trap: Trap, sameport: Trap): Readonly<Record<string, string>> {
  const { port } = new URL(site);
  return {
    'another port': `${trap.url}/mcp`,
    'another name': `http://localhost:${trap.port}/mcp`,
    'another name, the same port': `http://localhost:${port}/mcp`,
    'another address, the same port': `${sameport.url}/mcp`,
    'another scheme': `https://127.0.0.1:${trap.port}/mcp`,
    'another scheme, the same port': `https://127.0.0.1:${port}/mcp`,
    'no scheme': `//127.0.0.1:${trap.port}/mcp`,
    backslashes: `\\\\127.0.0.1:${trap.port}\\mcp`,
    'its own address as a name': `http://127.0.0.1:${port}@127.0.0.1:${trap.port}/mcp`,
  };
}

export interface Redirect {
  readonly status: number;
  readonly location: string;
  /** Which requests are sent on; all unless told. */
  readonly of?: (seen: SeenRequest) => boolean;
}

export interface SeenRequest {
  readonly verb: string;
  readonly path: string;
  /** Of the JSON-RPC message in the body. */
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
}

/** An MCP server that sends its clients elsewhere, when and where it is told. */
export interface Site {
  readonly url: string;
  readonly requests: SeenRequest[];
  /** What came that was no HTTP, such as the first words of TLS. */
  readonly noise: () => number;
  redirect: Redirect | undefined;
}

export async function openSite(kind: string): Promise<Site> {
  const stats = { requests: 0, sessions: 0, sessionsOpen: 0, methods: {}, verbs: {}, lastHeaders: {} };
  const make = good[kind];
  if (!make) throw new Error(`There is no server of the kind ${kind}.`);
  const behavior: HttpBehaviour = make(parseParams([]), stats);
  let noise = 0;
  const sentOn = (request: IncomingMessage, method?: string): Redirect | undefined => {
    const seen = { verb: request.method ?? '', path: request.url ?? '/', method, headers: request.headers };
    site.requests.push(seen);
    return site.redirect && (site.redirect.of?.(seen) ?? true) ? site.redirect : undefined;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const method = methodOf(body);
    const to = sentOn(request, method);
    if (to) return void response.writeHead(to.status, { location: to.location }).end();
    await behavior.handle({ request, response, body, method });
  };
  const { origin, listener } = await listenOn((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  listener.on('clientError', (_, socket) => {
    noise += 1;
    socket.destroy();
  });
  listener.on('upgrade', (request, socket) => {
    const to = sentOn(request);
    if (to)
      socket.end(`HTTP/1.1 ${to.status} Moved\r\nlocation: ${to.location}\r\ncontent-length: 0\r\n\r\n`);
    else if (behavior.upgrade) behavior.upgrade(request, socket);
    else socket.destroy();
  });
  const address = new URL(behavior.path ?? '/mcp', origin).href;
  const url = behavior.scheme === 'ws' ? address.replace('http:', 'ws:') : address;
  const site: Site = { url, requests: [], noise: () => noise, redirect: undefined };
  return site;
}

/** A listener that ends with the test. */
export async function listenOn(
  listen: RequestListener,
): Promise<{ readonly origin: string; readonly listener: ReturnType<typeof createServer> }> {
  const listener = createServer(listen).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo; // a TCP listener has one
  return { origin: `http://127.0.0.1:${port}`, listener };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
  return chunks.length === 0 ? undefined : (JSON.parse(Buffer.concat(chunks).toString()) as unknown);
}

function methodOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body)) return undefined;
  return typeof body.method === 'string' ? body.method : undefined;
}
