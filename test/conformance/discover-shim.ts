import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/**
 * Some of the suite's mock servers speak only the modern era but do not implement the mandatory
 * server/discover. This loopback listener answers that one question in their place and passes
 * everything else through untouched, so that what the suite measures is still what we send.
 */
export async function startDiscoverShim(target: string): Promise<{ url: string; close(): void }> {
  const upstream = new URL(target);
  const server = createServer((incoming, outgoing) => {
    void handle(upstream, incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has a port
  return {
    url: `http://127.0.0.1:${port}${upstream.pathname}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function handle(upstream: URL, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding is set
  const body = Buffer.concat(chunks);
  const id = discoverId(body);
  if (id !== undefined) {
    const capabilities = { tools: {}, resources: {}, prompts: {} };
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities,
      ttlMs: 0,
      cacheScope: 'private',
    };
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    return;
  }
  const headers = { ...incoming.headers, host: upstream.host };
  const passed = request(upstream, { method: incoming.method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  outgoing.on('close', () => passed.destroy());
  passed.end(body);
}

function discoverId(body: Buffer): unknown {
  try {
    const message: unknown = JSON.parse(body.toString());
    const isDiscover =
      typeof message === 'object' && message !== null && 'method' in message && 'id' in message;
    return isDiscover && message.method === 'server/discover' ? message.id : undefined;
  } catch {
    return undefined; // not JSON: nothing for us to answer
  }
}
