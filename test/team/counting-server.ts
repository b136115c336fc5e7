import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface CountingServer extends AsyncDisposable {
  readonly url: string;
  /** How often each number was counted. */
  readonly counts: ReadonlyMap<number, number>;
  /** What came in the header `x-token`. */
  readonly tokens: ReadonlySet<string>;
}

/** A legacy MCP server without sessions. Its tools count the numbers that they are called with, and take their time. */
export async function startCountingServer(delayMs: () => number = () => 0): Promise<CountingServer> {
  const counts = new Map<number, number>();
  const tokens = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const { 'x-token': token } = request.headers;
    if (typeof token === 'string') tokens.add(token);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void answer(request.method, Buffer.concat(chunks).toString(), response));
  });
  const answer = async (verb: string | undefined, body: string, response: ServerResponse): Promise<void> => {
    if (verb !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = method === 'tools/call' ? counted(params.arguments.n) : RESULTS[method];
    if (method === 'tools/call') await sleep(delayMs());
    const error = { code: -32_601, message: 'Method not found' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
  };
  const counted = (n: number): object => {
    counts.set(n, (counts.get(n) ?? 0) + 1);
    // A number below none is answered at length, so that its result is kept.
    const text = n < 0 ? `${n}\n`.repeat(50_000) : String(n);
    return { content: [{ type: 'text', text }] };
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a listening TCP server has one
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    counts,
    tokens,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const inputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'counting', version: '1' },
  },
  ping: {},
  'tools/list': {
    tools: [
      {
        name: 'get_number',
        description: 'Reads a number.',
        inputSchema,
        annotations: { readOnlyHint: true },
      },
      { name: 'add_number', description: 'Adds a number.', inputSchema },
    ],
  },
};
