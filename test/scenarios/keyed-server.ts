import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface KeyedServer {
  readonly url: string;
  /** The keys that were sent, in order. */
  readonly seen: string[];
}

/** An MCP server over HTTP that lets in one key in one header, and answers all others with a status. */
export async function startKeyedServer(lets: {
  readonly header: string;
  readonly value: string;
  readonly status: number;
  readonly words?: string;
}): Promise<KeyedServer> {
  const seen: string[] = [];
  const listener = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const given = request.headers[lets.header.toLowerCase()];
      if (typeof given === 'string') seen.push(given);
      if (given !== lets.value) return response.writeHead(lets.status).end(lets.words ?? 'no');
      if (request.method !== 'POST') return response.writeHead(405).end();
      const { id, method } = JSON.parse(body) as { id?: number; method: string }; // sent by our own client
      if (id === undefined) return response.writeHead(202).end();
      const result = RESULTS[method];
      const error = { code: -32_601, message: 'Method not found' };
      const answer = { jsonrpc: '2.0', id, ...(result ? { result } : { error }) };
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`, seen }; // a TCP listener
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
  },
  'tools/call': { content: [{ type: 'text', text: 'read' }] },
  ping: {},
};
