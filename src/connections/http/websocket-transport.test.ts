import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { createHttpClient } from './http-client.ts';
import { openHttpTransport } from './open-http.ts';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

interface Peer {
  readonly url: string;
  readonly headers: Record<string, unknown>;
  readonly opcodes: number[];
  readonly socket: () => Duplex;
}

/** A WebSocket server of a few lines (RFC 6455): it answers each text message as `reply` says. */
async function serve(options: {
  readonly reply?: (text: string) => readonly Buffer[];
  readonly refuse?: string;
  readonly deaf?: boolean;
}): Promise<Peer> {
  let open: Duplex | undefined;
  const headers: Record<string, unknown> = {};
  const opcodes: number[] = [];
  const server = createServer().listen(0, '127.0.0.1');
  server.on('upgrade', (request, socket) => {
    Object.assign(headers, request.headers);
    open = socket.on('error', () => undefined);
    if (options.refuse !== undefined)
      return socket.end(`HTTP/1.1 ${options.refuse}\r\ncontent-length: 0\r\n\r\n`);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n' +
        `sec-websocket-protocol: mcp\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    return socket.on('data', (data: Buffer) => {
      for (const { opcode, body } of unframe(data)) {
        opcodes.push(opcode);
        if (options.deaf) continue;
        if (opcode === 8) socket.end(frame(8, body));
        if (opcode === 9) socket.write(frame(10, body));
        if (opcode === 1) for (const part of options.reply?.(body.toString()) ?? []) socket.write(part);
      }
    });
  });
  await once(server, 'listening');
  cleanup.defer(() => {
    open?.destroy();
    server.close();
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, // a TCP listener has such an address
    headers,
    opcodes,
    socket: () => open as Duplex, // only asked for after the handshake
  };
}

function frame(opcode: number, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body);
  const size = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), bytes]);
}

function* unframe(data: Buffer): Generator<{ opcode: number; body: Buffer }> {
  for (let at = 0; at < data.length;) {
    const short = (data[at + 1] ?? 0) & 0x7f;
    const length = short === 126 ? data.readUInt16BE(at + 2) : short;
    const maskAt = at + (short === 126 ? 4 : 2);
    const mask = data.subarray(maskAt, maskAt + 4);
    const body = Buffer.from(data.subarray(maskAt + 4, maskAt + 4 + length));
    for (let n = 0; n < body.length; n += 1) body[n] = (body[n] ?? 0) ^ (mask[n % 4] ?? 0);
    yield { opcode: (data[at] ?? 0) & 0x0f, body };
    at = maskAt + 4 + length;
  }
}

interface Seen {
  readonly messages: JSONRPCMessage[];
  readonly errors: unknown[];
  closed: number;
}

function transportTo(url: string, limits: Partial<Limits> = {}) {
  const client = cleanup.use(createHttpClient({ clock: systemClock, ids: systemIds, limits }));
  const headers = { authorization: 'Bearer t' };
  const transport = openHttpTransport({
    kind: 'ws',
    url,
    headers,
    client,
    clock: systemClock,
    ids: systemIds,
  });
  const seen: Seen = { messages: [], errors: [], closed: 0 };
  Object.assign(transport, {
    onmessage: (message) => seen.messages.push(message),
    onerror: (error) => seen.errors.push(error),
    onclose: () => (seen.closed += 1),
  } satisfies Partial<Transport>);
  return { transport, seen, client };
}

const ping: JSONRPCMessage = { jsonrpc: '2.0', id: 1, method: 'ping' };

test('messages go both ways as they are, with the headers and the subprotocol, and close says goodbye', async () => {
  const peer = await serve({
    reply: (text) => [frame(1, JSON.stringify({ ...JSON.parse(text), unknown: [1] }))],
  });
  const { transport, seen } = transportTo(peer.url);
  await transport.start();
  await transport.send(ping);
  await expect.poll(() => seen.messages).toEqual([{ ...ping, unknown: [1] }]);
  expect(peer.headers).toMatchObject({ authorization: 'Bearer t', 'sec-websocket-protocol': 'mcp' });
  await transport.close();
  await transport.close();
  expect([peer.opcodes, seen.closed, seen.errors]).toEqual([[1, 8], 1, []]);
  await expect(transport.send(ping)).rejects.toMatchObject({ code: 'unreachable' });
});

test('what is not JSON-RPC is reported and skipped', async () => {
  const peer = await serve({
    reply: (text) => [frame(1, 'hello'), frame(1, '{"a":1}'), frame(2, text), frame(1, `[${text},${text}]`)],
  });
  const { transport, seen } = transportTo(peer.url);
  await transport.start();
  await transport.send(ping);
  await expect.poll(() => seen.messages).toEqual([ping, ping]);
  expect(seen.errors).toMatchObject([
    { code: 'protocol_error' },
    { code: 'protocol_error' },
    { code: 'protocol_error' },
  ]);
});

test('a message over the limit ends the connection, once', async () => {
  const peer = await serve({
    reply: () => [frame(1, JSON.stringify({ jsonrpc: '2.0', id: 1, x: 'x'.repeat(5000) }))],
  });
  const { transport, seen } = transportTo(peer.url, { messageBytesMax: 1000 });
  await transport.start();
  await transport.send(ping);
  await expect.poll(() => seen.closed).toBe(1);
  expect(seen.messages).toEqual([]);
  expect(seen.errors).toMatchObject([
    { code: 'unreachable', message: expect.stringContaining('message over') },
  ]);
});

test('a connection that breaks is closed once, with a reason', async () => {
  const peer = await serve({});
  const { transport, seen } = transportTo(peer.url);
  await transport.start();
  peer.socket().destroy();
  await expect.poll(() => seen.closed).toBe(1);
  expect(seen.errors).toMatchObject([{ code: 'unreachable', owner: 'network' }]);
});

test('a peer that answers pings stays; one that falls silent is given up', async () => {
  const lively = await serve({});
  const first = transportTo(lively.url, { wsPingMs: 50 });
  await first.transport.start();
  await expect.poll(() => lively.opcodes.filter((opcode) => opcode === 9).length).toBeGreaterThan(3);
  expect(first.seen.closed).toBe(0);
  await first.transport.close();

  const deaf = await serve({ deaf: true });
  const second = transportTo(deaf.url, { wsPingMs: 50 });
  await second.transport.start();
  await expect.poll(() => second.seen.closed).toBe(1);
  expect(second.seen.errors).toMatchObject([{ message: expect.stringContaining('no longer answers') }]);
});

test('closing does not wait for a peer that never says goodbye, and leaves no socket', async () => {
  const peer = await serve({ deaf: true });
  const { transport, seen, client } = transportTo(peer.url, { wsCloseMs: 50 });
  await transport.start();
  await transport.close();
  expect([seen.closed, peer.socket().readableEnded]).toEqual([1, false]);
  await client.close();
  await expect.poll(() => peer.socket().readableEnded).toBe(true);
});

test('a refused handshake says why', async () => {
  const start = (url: string): Promise<void> => transportTo(url).transport.start();
  const closed = await serve({ refuse: '401 Unauthorized' });
  await expect(start(closed.url)).rejects.toMatchObject({ code: 'sign_in_needed', owner: 'you' });
  const other = await serve({ refuse: '404 Not Found' });
  await expect(start(other.url)).rejects.toMatchObject({
    code: 'start_failed',
    message: expect.stringContaining('HTTP 404'),
  });
  const empty = createServer().listen(0, '127.0.0.1');
  await once(empty, 'listening');
  const { port } = empty.address() as AddressInfo; // a TCP listener has such an address
  empty.close();
  await once(empty, 'close');
  await expect(start(`ws://127.0.0.1:${port}/mcp`)).rejects.toMatchObject({
    code: 'unreachable',
    message: `Nothing listens at 127.0.0.1:${port}.`,
  });
});
