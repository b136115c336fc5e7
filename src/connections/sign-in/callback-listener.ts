import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { CallbackPlace } from './callback-place.ts';

export interface CallbackListener extends AsyncDisposable {
  readonly redirectUri: string;
  /** Resolves with the first request that brings an answer; every other one is turned away. */
  readonly answer: Promise<URLSearchParams>;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly place: CallbackPlace;
  /** The state of the sign-in that waits. */
  readonly state: string;
}

/** Waits on loopback for the browser to come back, once. */
export async function listenForCallback({ place, state }: ListenOptions): Promise<CallbackListener> {
  const { path } = place;
  const { promise: answer, resolve } = Promise.withResolvers<URLSearchParams>();
  let answered = false;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const right = request.method === 'GET' && url.pathname === path && !answered;
    if (!right) {
      response.writeHead(404, HEADERS).end('Nothing is here.');
      return;
    }
    // Any web page can knock at an address that can be guessed: it must not end the sign-in that
    // waits there. Whoever finds one that cannot was sent to it, and its wrong answer is told.
    if (place.known && url.searchParams.get('state') !== state) {
      response.writeHead(400, HEADERS).end(pageOf(FOREIGN));
      return;
    }
    response.writeHead(200, HEADERS).end(pageOf(DONE));
    answered = true;
    resolve(url.searchParams);
  });
  server.listen(place.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const close = (): Promise<void> => closeServer(server);
  return { redirectUri: `http://127.0.0.1:${port}${path}`, answer, close, [Symbol.asyncDispose]: close };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  server.closeAllConnections();
  await closed;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
};

const DONE = 'That is all. You can close this page and go back to Plugboard.';
const FOREIGN = 'This page does not belong to the sign-in that Plugboard waits for, which goes on.';

function pageOf(sentence: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Plugboard</title>
<body style="font: 1.1rem system-ui; margin: 20vh auto; max-width: 30rem; text-align: center">
<p>${sentence}</p>`;
}
