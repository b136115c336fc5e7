import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';

type Answer = { readonly result?: JsonObject; readonly error?: JsonObject };

/** A site of this machine: MCP at `/mcp`, unless `instead` answers. */
export interface Site {
  readonly origin: string;
  readonly url: string;
  readonly port: number;
  instead: ((response: ServerResponse, request: Asked) => boolean) | undefined;
  readonly answers: Record<string, () => Answer>;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
  /** At the same port, once it was closed. */
  readonly open: () => Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly headers: Headers;
  readonly id: Json;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export async function newSite(instead?: Site['instead']): Promise<Site> {
  const answers: Site['answers'] = {
    initialize: () => ({
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 'notes', version: '1' },
      },
    }),
    'tools/list': () => ({
      result: {
        tools: [{ name: 'list_notes', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
      },
    }),
    'tools/call': () => ({ result: { content: [{ type: 'text', text: 'two notes' }] } }),
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    const asked = body.startsWith('{') ? (JSON.parse(body) as { id?: Json; method?: string }) : {};
    const { id = null, method = '' } = asked;
    if (site.instead?.(response, { id, method, headers: request.headers }) === true) return;
    if (request.url !== '/mcp') return void response.writeHead(404).end('Not here');
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (asked.id === undefined) return void response.writeHead(202).end();
    const unknown = { error: { code: -32_601, message: 'unknown' } };
    const said = (answers[method] ?? (() => unknown))();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
  };
  const handle: Site['handle'] = (request, response) => void answer(request, response);
  let listener = createServer(handle).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const close = async (): Promise<void> => {
    listener.closeAllConnections();
    if (listener.listening) await once(listener.close(), 'close');
  };
  onTestFinished(close);
  const { port } = listener.address() as AddressInfo; // it listens on a port
  const open = async (): Promise<void> => {
    listener = createServer(handle).listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  const origin = `http://127.0.0.1:${port}`;
  const site: Site = { origin, url: `${origin}/mcp`, port, instead, answers, handle, close, open };
  return site;
}

/** Answers every request so. */
export function always(
  status: number,
  body = '',
  headers: Readonly<Record<string, string>> = {},
): Site['instead'] {
  return (response) => {
    response.writeHead(status, headers).end(body);
    return true;
  };
}
