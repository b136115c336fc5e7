import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { afterEach, expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type FixtureParams, type HttpFixture, startHttpFixture } from '../../../test/servers/start.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { createHttpClient } from './http-client.ts';
import { type OpenHttpOptions, openHttpTransport } from './open-http.ts';
import { lostCall } from './streamable-transport.ts';
import { wantsSse } from '../open-remote.ts';

let cleanup = new AsyncDisposableStack();
afterEach(async () => {
  await cleanup.disposeAsync();
  cleanup = new AsyncDisposableStack();
});

async function fixture(behavior: string, params: FixtureParams = {}): Promise<HttpFixture> {
  return cleanup.use(await startHttpFixture(behavior, params));
}

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP listener has such an address
}

function transportTo(
  kind: OpenHttpOptions['kind'],
  url: string,
  options: { readonly headers?: Record<string, string>; readonly limits?: Partial<Limits> } = {},
): Transport {
  const { headers = {}, limits = {} } = options;
  const client = cleanup.use(createHttpClient({ clock: systemClock, ids: systemIds, limits }));
  return openHttpTransport({ kind, url, headers, client, clock: systemClock, ids: systemIds });
}

async function connect(transport: Transport, mode: 'auto' | 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  cleanup.defer(() => client.close());
  await client.connect(transport);
  return client;
}

const KINDS = [
  ['modern', 'streamable-http', 'auto'],
  ['dual', 'streamable-http', 'auto'],
  ['legacy-stateful-sse', 'streamable-http', 'auto'],
  ['legacy-stateful-json', 'streamable-http', 'auto'],
  ['legacy-stateless', 'streamable-http', 'auto'],
  ['legacy-sse', 'sse', 'legacy'],
  ['websocket', 'ws', 'legacy'],
] as const;

for (const [behavior, kind, mode] of KINDS) {
  verifies(
    ['C1'],
    `tools of a ${behavior} server are listed and called over ${kind}`,
    async () => {
      const server = await fixture(behavior);
      const client = await connect(transportTo(kind, server.url, { headers: { 'x-key': 'k' } }), mode);
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain('echo');
      const result = await client.callTool({ name: 'echo', arguments: { message: 'hello' } });
      expect(JSON.stringify(result.content)).toContain('hello');
      const stats = await server.stats();
      expect(stats.lastHeaders['x-key']).toBe('k');
    },
    15_000,
  );
}

verifies(
  ['C1'],
  'a server of the older kind is recognized by its refusal of the newer handshake',
  async () => {
    const server = await fixture('legacy-sse');
    const error: unknown = await connect(transportTo('streamable-http', server.url), 'auto').catch(
      (e: unknown) => e,
    );
    expect(wantsSse(error)).toBe(true);
    const there = await fixture('unauthorized');
    const refused: unknown = await connect(transportTo('streamable-http', there.url), 'auto').catch(
      (e: unknown) => e,
    );
    expect(wantsSse(refused)).toBe(false);
  },
  15_000,
);

verifies(
  ['attack:E5'],
  'a redirect to another origin gets nothing: no key, no session, no body',
  async () => {
    const arrived: string[] = [];
    const trap = await listen((request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      response.end();
    });
    for (const [kind, status] of [
      ['streamable-http', 307],
      ['streamable-http', 308],
      ['sse', 302],
      ['sse', 307],
    ] as const) {
      const url = await listen((_, response) =>
        response.writeHead(status, { location: `${trap}/mcp` }).end(),
      );
      const transport = transportTo(kind, url, { headers: { authorization: 'Bearer secret' } });
      await expect(connect(transport, 'legacy')).rejects.toThrow('nothing was sent there');
    }
    expect(arrived).toEqual([]);
  },
);

test('a redirect within the origin is followed, with the user’s headers', async () => {
  const keys: unknown[] = [];
  const url = await listen((request, response) => {
    keys.push(request.headers['x-key']);
    if (request.url === '/old') return response.writeHead(307, { location: '/new' }).end();
    return response.writeHead(202).end();
  });
  const transport = transportTo('streamable-http', `${url}/old`, { headers: { 'x-key': 'k' } });
  await transport.start();
  await transport.send({ jsonrpc: '2.0', method: 'notifications/x' });
  expect(keys).toEqual(['k', 'k']);
});

test('the user’s headers do not reach an authorization server that the server names', async () => {
  const seen: unknown[] = [];
  const other = await listen((request, response) => {
    seen.push(request.headers['x-key']);
    response.writeHead(404).end();
  });
  const url = await listen((_, response) => {
    const challenge = `Bearer resource_metadata="${other}/.well-known/oauth-protected-resource"`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  const client = cleanup.use(createHttpClient({ clock: systemClock, ids: systemIds }));
  const transport = openHttpTransport({
    kind: 'streamable-http',
    url,
    headers: { 'x-key': 'secret' },
    client,
    clock: systemClock,
    ids: systemIds,
    authProvider: {
      token: () => Promise.resolve(undefined),
      onUnauthorized: async ({ fetchFn, response }) => {
        const named = /resource_metadata="([^"]+)"/.exec(response.headers.get('www-authenticate') ?? '');
        await fetchFn(named?.[1] ?? '');
      },
    },
  });
  await transport.start();
  await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('401');
  expect(seen).toEqual([undefined]);
});

test('a header that cannot be sent is named, its value is not', () => {
  expect(() =>
    transportTo('streamable-http', 'http://127.0.0.1:1/', { headers: { 'x-key': 'se\ncret' } }),
  ).toThrow(expect.objectContaining({ code: 'bad_config', message: 'The header “x-key” cannot be sent.' }));
});

async function firstAnswer(transport: Transport): Promise<{ answer: JSONRPCMessage; errors: string[] }> {
  const errors: string[] = [];
  const answered = Promise.withResolvers<JSONRPCMessage>();
  Object.assign(transport, {
    onmessage: (message) => answered.resolve(message),
    onerror: (error) => errors.push(error.message),
  } satisfies Partial<Transport>);
  await transport.start();
  await transport.send({ jsonrpc: '2.0', id: 'gw:1', method: 'tools/call', params: { name: 'x' } });
  return { answer: await answered.promise, errors };
}

test('a call whose event never ends is answered at once with the reason', async () => {
  const server = await fixture('endless-sse', { method: '*' });
  const limits = { sseEventBytesMax: 1024 * 1024 };
  const { answer } = await firstAnswer(transportTo('streamable-http', server.url, { limits }));
  expect(answer).toMatchObject({ id: 'gw:1', error: { message: expect.stringContaining('more than') } });
  expect(lostCall(answer)).toMatchObject({ code: 'too_large', owner: 'server' });
});

test('a call whose stream breaks off is answered at once with the reason', async () => {
  const server = await fixture('drops', { method: '*' });
  const { answer } = await firstAnswer(transportTo('streamable-http', server.url));
  expect(lostCall(answer)).toMatchObject({ code: 'unreachable', owner: 'network' });
});

test('a call whose stream ends without a result is answered, and one with a result only once', async () => {
  const url = await listen((request, response) => {
    const result = request.url === '/full' ? 'data: {"jsonrpc":"2.0","id":"gw:1","result":{}}\n\n' : '';
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`: hello\n\n${result}`);
  });
  const { answer } = await firstAnswer(transportTo('streamable-http', `${url}/empty`));
  expect(lostCall(answer)).toMatchObject({ code: 'protocol_error', owner: 'server' });
  expect(lostCall({ ...answer })).toBeUndefined();

  const messages: JSONRPCMessage[] = [];
  const full = transportTo('streamable-http', `${url}/full`);
  const { answer: real } = await firstAnswer(full);
  Object.assign(full, { onmessage: (message) => messages.push(message) } satisfies Partial<Transport>);
  expect(real).toEqual({ jsonrpc: '2.0', id: 'gw:1', result: {} });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(messages).toEqual([]);
});

test('an SSE session whose stream ends is closed once, and nothing reconnects behind its back', async () => {
  let streams = 0;
  const url = await listen((request, response) => {
    if (request.method !== 'GET') return response.writeHead(202).end();
    streams += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 1\nevent: endpoint\ndata: /post\n\n');
    return setTimeout(() => response.end(), 50);
  });
  const transport = transportTo('sse', `${url}/sse`);
  let closed = 0;
  Object.assign(transport, { onclose: () => (closed += 1) } satisfies Partial<Transport>);
  await transport.start();
  await expect.poll(() => closed).toBe(1);
  await transport.close();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect([closed, streams]).toEqual([1, 1]);
});

test('an SSE server that is not there, or ends before it began, fails the start and is left alone', async () => {
  await expect(transportTo('sse', 'http://127.0.0.1:1/sse').start()).rejects.toMatchObject({
    code: 'unreachable',
    message: 'Nothing listens at 127.0.0.1:1.',
  });
  let streams = 0;
  const url = await listen((_, response) => {
    streams += 1;
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 1\n\n');
  });
  await expect(transportTo('sse', url).start()).rejects.toThrow('before the server had named its endpoint');
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(streams).toBe(1);
});
