import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Ids } from '../../base/ids.ts';

export interface CallbackListener extends AsyncDisposable {
  /** On a random port and path of this machine, so that nobody can guess it. */
  readonly redirectUri: string;
  /** Resolves with the first request that reaches the path; every other one is turned away. */
  readonly answer: Promise<URLSearchParams>;
  close(): Promise<void>;
}

/** Waits on loopback for the browser to come back, once. */
export async function listenForCallback(ids: Ids): Promise<CallbackListener> {
  const path = `/${ids.next('callback')}`;
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  let answered = false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const right = request.method === 'GET' && url.pathname === path && !answered;
    response.writeHead(right ? 200 : 404, HEADERS).end(right ? PAGE : 'Nothing is here.');
    if (!right) return;
    answered = true;
    resolve(url.searchParams);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeIdleConnections();
    server.closeAllConnections();
    await closed;
  };
  return { redirectUri: `http://127.0.0.1:${port}${path}`, answer, close, [Symbol.asyncDispose]: close };
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const PAGE = `<!doctype html><meta charset="utf-8"><title>Plugboard</title>
<body style="font: 1.1rem system-ui; margin: 20vh auto; max-width: 30rem; text-align: center">
<p>That is all. You can close this page and go back to Plugboard.</p>`;
