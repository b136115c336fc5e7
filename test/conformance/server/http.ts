import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest, isLegacyRequest } from '@modelcontextprotocol/server';
import { conformanceServer } from './server.ts';
import { newWorld } from './world.ts';

const BODY_BYTES_MAX = 4 * 1024 * 1024;
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Both eras at one address: modern requests each by itself, legacy ones in sessions. */
export function createFixtureListener(): Server {
  const world = newWorld();
  const handler = createMcpHandler(() => conformanceServer(world, { listens: false }), { legacy: 'reject' });
  world.listeners.add(handler.notify);
  const modern = toNodeHandler(handler);
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();

  const openSession = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
    });
    await conformanceServer(world, { listens: true }).connect(transport);
    return transport;
  };

  const legacy = async (request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known) return known.handleRequest(request, response, body);
    if (id !== undefined) return refuse(response, 404, 'Session not found');
    if (!isInitializeRequest(body)) return refuse(response, 400, 'No valid session ID provided');
    return (await openSession()).handleRequest(request, response, body);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isFromHere(request)) return refuse(response, 403, 'Only requests from this machine are answered.');
    const body = await readBody(request);
    // The SDK's types only lack “or undefined” in their optional fields.
    const incoming = request as NodeIncomingMessageLike;
    if (await isLegacyRequest(await toWebRequest(incoming, body), body))
      return legacy(request, response, body);
    return modern(incoming, response, body);
  };
  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
}

/** A page of the web may name this address as its own (DNS rebinding); neither header may say so. */
function isFromHere({ headers }: IncomingMessage): boolean {
  return isLoopback(`http://${headers.host ?? ''}`) && (!headers.origin || isLoopback(headers.origin));
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && LOOPBACK.has(new URL(origin).hostname);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('The body is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined; // the SDK says what is wrong with it
  }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
