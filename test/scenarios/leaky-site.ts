import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formsOf } from './leaky-server.ts';

export interface LeakySite extends AsyncDisposable {
  readonly url: string;
  /** The same behind a sign-in. */
  readonly signInUrl: string;
}

/** A remote server that answers every request with an error that repeats the address and all headers. */
export async function openLeakySite(issuer: string): Promise<LeakySite> {
  const listener = createServer((request, response) => void answer(request, response));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // it listens on TCP

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
    response.setHeader('content-type', 'application/json');
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) {
      const about = { resource: `${origin}/private`, authorization_servers: [issuer] };
      return void response.end(JSON.stringify({ ...about, scopes_supported: ['openid', 'tools'] }));
    }
    if (pathname === '/private' && request.headers.authorization === undefined) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/private`;
      response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      return void response.writeHead(401).end('{}');
    }
    if (request.method !== 'POST') return void response.writeHead(405).end('{}');
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number }; // the hub sends JSON-RPC
    const seen = [request.url ?? '', ...Object.values(request.headers).map(String)];
    const tokens = seen.map((text) => text.replace(/^Bearer /, ''));
    const words = [...seen, ...tokens.flatMap((text) => Object.values(formsOf(text)))];
    const error = { code: -32_000, message: `Refused: ${words.join(' ')}`, data: words };
    return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  return {
    url: `${origin}/mcp`,
    signInUrl: `${origin}/private`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(listener, 'close');
      listener.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}
