import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

const META = 'io.modelcontextprotocol.registry/official';

/** What a path is answered with: JSON, or a status with any text. */
export type Reply = object | { readonly status: number; readonly text: string };

export interface Listener {
  readonly url: string;
  readonly asked: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Changes how it answers from now on. */
  answer: (url: URL) => Reply | undefined;
}

/** A real HTTP listener on loopback that writes down what it is asked. */
export async function listen(answer: Listener['answer']): Promise<Listener> {
  const listener = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    state.asked.push(url.pathname + url.search);
    state.headers.push(request.headers);
    const reply = state.answer(url) ?? { status: 404, text: '{}' };
    if ('status' in reply && 'text' in reply) {
      response.writeHead(reply.status, { 'content-type': 'text/html' }).end(reply.text);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo; // a TCP listener has one
  const state: Listener = { url: `http://127.0.0.1:${port}`, asked: [], headers: [], answer };
  return state;
}

export interface ListedServer {
  readonly name: string;
  readonly description?: string;
  readonly [field: string]: unknown;
}

/** Answers as the official API does: search, list, and one server's latest version. */
export function officialApi(servers: readonly ListedServer[]): Listener['answer'] {
  const wrap = (server: ListedServer): object => ({
    server: { description: `About ${server.name}`, version: '1.0.0', ...server },
    _meta: { [META]: { status: 'active', isLatest: true, updatedAt: '2026-01-01T00:00:00Z' } },
  });
  return (url) => {
    const one = /^\/v0\.1\/servers\/([^/]+)\/versions\/latest$/.exec(url.pathname)?.[1];
    if (one !== undefined) {
      const found = servers.find(({ name }) => name === decodeURIComponent(one));
      return found && wrap(found);
    }
    if (url.pathname !== '/v0.1/servers') return undefined;
    const text = url.searchParams.get('search') ?? '';
    const found = servers.filter(({ name }) => name.includes(text)).map(wrap);
    return { servers: found, metadata: { count: found.length } };
  };
}

/** Answers as Smithery's API does to a search. */
export function smitheryApi(servers: readonly object[]): Listener['answer'] {
  return (url) =>
    url.pathname === '/servers'
      ? { servers, pagination: { currentPage: 1, pageSize: 10, totalPages: 1, totalCount: servers.length } }
      : undefined;
}

/** The environment that makes `plug` ask these registries and no others. */
export function registriesAt(urls: { readonly official: string; readonly smithery?: string }): {
  readonly PLUG_REGISTRIES: string;
} {
  return {
    PLUG_REGISTRIES: JSON.stringify({
      official: { url: urls.official },
      smithery: urls.smithery === undefined ? false : { url: urls.smithery },
    }),
  };
}
