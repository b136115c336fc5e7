import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Forwarder extends AsyncDisposable {
  readonly url: string;
}

/**
 * The suite cannot send a token, so that this loopback listener adds it. Everything else goes through
 * as it comes, in both directions, unbuffered, and an end on one side is an end on the other.
 */
export async function startForwarder(target: string, token: string): Promise<Forwarder> {
  const upstream = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const headers = { ...ownPort(incoming.headers), authorization: `Bearer ${token}` };
    const passed = request(upstream, { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has a port

  /** Whoever names us means the gateway; any other name must reach it unchanged, to be refused there. */
  function ownPort({ host, origin, ...others }: IncomingHttpHeaders): IncomingHttpHeaders {
    const rename = (text: string): string => text.replace(new RegExp(`:${port}$`), `:${upstream.port}`);
    return {
      ...others,
      ...(host === undefined ? {} : { host: rename(host) }),
      ...(origin === undefined ? {} : { origin: rename(origin) }),
    };
  }
  return {
    url: `http://127.0.0.1:${port}${upstream.pathname}`,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
