import { once } from 'node:events';
import { type ClientRequest, createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { text } from 'node:stream/consumers';
import { renaming } from './unprefixed.ts';

export interface Forwarder extends AsyncDisposable {
  readonly url: string;
}

/**
 * The suite cannot send a token, so that this loopback listener adds it. Everything else goes through
 * as it comes, in both directions, unbuffered, and an end on one side is an end on the other. With
 * `among`, the names of that server are as if it stood alone.
 */
export async function startForwarder(target: string, token: string, among?: string): Promise<Forwarder> {
  const upstream = new URL(target);
  const renamed = among === undefined ? undefined : renaming(among);
  const server = createServer((incoming, outgoing) => {
    const headers: IncomingHttpHeaders = {
      ...ownPort(incoming.headers),
      authorization: `Bearer ${token}`,
    };
    const open = (own: IncomingHttpHeaders): ClientRequest => {
      const passed = request(upstream, { method: incoming.method, headers: own, agent: false }, (answer) => {
        const { 'content-length': length, ...rest } = answer.headers;
        const framed = renamed || length === undefined ? rest : { ...rest, 'content-length': length };
        outgoing.writeHead(answer.statusCode ?? 502, framed);
        outgoing.flushHeaders();
        if (renamed) answer.pipe(byLine(renamed.back)).pipe(outgoing);
        else answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
      });
      passed.on('error', () => outgoing.destroy());
      outgoing.on('close', () => passed.destroy());
      return passed;
    };
    if (!renamed || incoming.method !== 'POST') {
      incoming.pipe(open(headers));
      return;
    }
    void text(incoming).then((body) => {
      const { 'content-length': _, 'mcp-name': name, ...rest } = headers;
      const isNamed = typeof name === 'string' && !name.startsWith('=?');
      const dressed = isNamed ? { ...rest, 'mcp-name': renamed.name(name) } : rest;
      return open(dressed).end(renamed.out(body));
    });
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

/** Rewrites whole lines, since a name may be cut between two chunks; the last one needs no end. */
function byLine(rewrite: (line: string) => string): Transform {
  const decoder = new TextDecoder();
  let rest = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map((line) => `${rewrite(line)}\n`).join(''));
    },
    flush(done) {
      done(null, rewrite(rest));
    },
  });
}
