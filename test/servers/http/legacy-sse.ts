import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { richServer } from '../rich/server.ts';
import { newWorld } from '../rich/world.ts';
import { answerError, type Exchange, type MakeBehaviour } from './behavior.ts';

/**
 * The transport of 2024-11-05: the host reads `GET /sse`, whose first event names where to post.
 * `endpoint=` names another place, for hosts that must not be led astray.
 */
export const legacySse: MakeBehaviour = (params, stats) => {
  const world = newWorld({ page: params.number('page', 0) });
  const streams = new Map<string, SseTransport>();

  const open = async (response: ServerResponse): Promise<void> => {
    const id = randomUUID();
    const transport = new SseTransport(response, params.text('endpoint') ?? `/messages?sessionId=${id}`);
    streams.set(id, transport);
    stats.sessions += 1;
    stats.sessionsOpen = streams.size;
    response.on('close', () => {
      streams.delete(id);
      stats.sessionsOpen = streams.size;
      transport.onclose?.();
    });
    const version = params.text('version');
    await richServer({ era: 'legacy', world, listens: true, version }).connect(transport);
  };

  const post = ({ response, body }: Exchange, url: URL): void => {
    const transport = streams.get(url.searchParams.get('sessionId') ?? '');
    if (!transport) return answerError(response, 404, 'Session not found');
    response.writeHead(202).end('Accepted');
    transport.onmessage?.(parseJSONRPCMessage(body));
  };

  return {
    path: '/sse',
    handle: async (exchange) => {
      const { request, response } = exchange;
      const url = new URL(request.url ?? '/', 'http://fixture');
      if (url.pathname === '/sse' && request.method === 'GET') return open(response);
      if (url.pathname === '/messages' && request.method === 'POST') return post(exchange, url);
      return answerError(response, url.pathname === '/sse' ? 405 : 404, 'Not here.');
    },
    controls: {
      '/_forget': () => {
        for (const transport of streams.values()) transport.response.destroy();
      },
    },
  };
};

class SseTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly response: ServerResponse;
  readonly #endpoint: string;

  constructor(response: ServerResponse, endpoint: string) {
    this.response = response;
    this.#endpoint = endpoint;
  }

  start(): Promise<void> {
    this.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    this.response.write(`event: endpoint\ndata: ${this.#endpoint}\n\n`);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.response.end();
    return Promise.resolve();
  }
}
