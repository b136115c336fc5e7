import { createServer, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { modernParams, type Reply, textOf } from './line-client.ts';
import { isAlive, startHttpFixture, waitFor } from './start.ts';
import { temporaryFolder } from './temporary-folder.ts';

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: { form: {} } },
  clientInfo: { name: 'test', version: '1' },
};

interface Answer extends Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly Reply[];
}

async function post(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      ...(method.startsWith('notifications/') ? {} : { id: 1 }),
      method,
      params,
    }),
    redirect: 'manual',
  });
  const body = await response.text();
  const streamed = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const events = streamed ? eventsOf(body) : body.startsWith('{') ? [JSON.parse(body) as Reply] : [];
  return {
    ...events.find((each) => each.id === 1),
    events,
    status: response.status,
    headers: response.headers,
  };
}

function eventsOf(body: string): Reply[] {
  const data = body.split('\n').filter((line) => line.startsWith('data: {'));
  return data.map((line) => JSON.parse(line.slice(6)) as Reply);
}

const modernHeaders = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

const callModern = (url: string, name: string, args = {}, meta = {}): Promise<Answer> =>
  post(
    url,
    'tools/call',
    modernParams({ name, arguments: args }, {}, meta),
    modernHeaders('tools/call', name),
  );

async function openSession(url: string): Promise<Record<string, string>> {
  const { headers } = await post(url, 'initialize', initialize);
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' };
  await post(url, 'notifications/initialized', {}, session);
  return session;
}

const echo = { name: 'echo', arguments: { message: 'hi' } };

test('modern answers with JSON or a stream, and refuses initialize', async () => {
  await using server = await startHttpFixture('modern');
  const plain = await callModern(server.url, 'echo', { message: 'hi' });
  expect(plain.headers.get('content-type')).toContain('application/json');
  expect(textOf(plain)).toBe('hi');
  const streamed = await callModern(server.url, 'slow', { ms: 20, steps: 2 }, { progressToken: 't' });
  expect(streamed.headers.get('content-type')).toContain('text/event-stream');
  expect(streamed.events.map((each) => each.method)).toEqual([
    'notifications/progress',
    'notifications/progress',
    undefined,
  ]);
  expect((await post(server.url, 'initialize', initialize)).error?.code).toBe(-32022);
  expect(await server.stats()).toMatchObject({ requests: 3, methods: { 'tools/call': 2, initialize: 1 } });
});

test('modern tells listeners of changes, and a closed stream cancels the call', async () => {
  await using server = await startHttpFixture('modern');
  const file = join(temporaryFolder(), 'cancelled');
  const abort = new AbortController();
  const open = (method: string, params: Record<string, unknown>, name?: string): Promise<Response> =>
    fetch(server.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...modernHeaders(method, name),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 9, method, params: modernParams(params) }),
      signal: abort.signal,
    });
  const stream = await open('subscriptions/listen', { notifications: { toolsListChanged: true } });
  const hanging = open('tools/call', { name: 'hang', arguments: { file } }, 'hang').catch((error: unknown) =>
    String(error),
  );
  await waitFor(async () => (await server.stats()).methods['tools/call'] === 1);
  await callModern(server.url, 'change', { add: 'fresh' });
  let seen = '';
  for await (const chunk of stream.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    if (seen.includes('notifications/tools/list_changed')) break;
  }
  expect(seen).toContain('notifications/subscriptions/acknowledged');
  abort.abort();
  expect(await hanging).toContain('AbortError');
  await waitFor(() => readFileSync(file, 'utf8').startsWith('cancelled'));
});

test.for([
  ['legacy-stateful-sse', 'text/event-stream'],
  ['legacy-stateful-json', 'application/json'],
] as const)('%s keeps sessions and answers as %s', async ([behavior, type]) => {
  await using server = await startHttpFixture(behavior);
  expect((await post(server.url, 'tools/call', echo)).status).toBe(400);
  expect(
    (await post(server.url, 'server/discover', modernParams(), modernHeaders('server/discover'))).status,
  ).toBe(400);
  const session = await openSession(server.url);
  const reply = await post(server.url, 'tools/call', echo, session);
  expect(reply.headers.get('content-type')).toContain(type);
  expect(textOf(reply)).toBe('hi');
  expect(await server.stats()).toMatchObject({ sessions: 1, sessionsOpen: 1 });
  expect((await post(server.url, 'tools/call', echo, { 'mcp-session-id': 'other' })).status).toBe(404);
  await fetch(server.url, { method: 'DELETE', headers: session });
  expect(await server.stats()).toMatchObject({ sessions: 1, sessionsOpen: 0, verbs: { DELETE: 1 } });
});

test('legacy-stateful-sse asks the host on the stream of the call', async () => {
  await using server = await startHttpFixture('legacy-stateful-sse');
  const session = await openSession(server.url);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...session,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask' } });
  const stream = await fetch(server.url, { method: 'POST', headers, body });
  let seen = '';
  for await (const chunk of stream.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    const asked = eventsOf(seen).find((each) => each.method === 'elicitation/create');
    if (!asked || seen.includes('Ada')) continue;
    const result = { action: 'accept', content: { name: 'Ada' } };
    await fetch(server.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }),
    });
  }
  expect(seen).toContain('Ada');
});

test('a legacy session hears of changes on its GET stream', async () => {
  await using server = await startHttpFixture('legacy-stateful-json');
  const session = await openSession(server.url);
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream', ...session } });
  await post(server.url, 'tools/call', { name: 'change', arguments: { add: 'fresh' } }, session);
  let seen = '';
  for await (const chunk of stream.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    if (seen.includes('list_changed')) break;
  }
  expect(seen).toContain('notifications/tools/list_changed');
});

test('legacy-stateless needs no session and has no GET', async () => {
  await using server = await startHttpFixture('legacy-stateless');
  const opened = await post(server.url, 'initialize', initialize);
  expect(opened.result).toMatchObject({ protocolVersion: '2025-11-25' });
  expect(opened.headers.get('mcp-session-id')).toBeNull();
  expect(textOf(await post(server.url, 'tools/call', echo))).toBe('hi');
  expect((await fetch(server.url)).status).toBe(405);
});

test('legacy-sse names its endpoint, answers on the stream, and refuses a POST to its url', async () => {
  await using server = await startHttpFixture('legacy-sse');
  expect((await post(server.url, 'initialize', initialize)).status).toBe(405);
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream' } });
  let seen = '';
  for await (const chunk of stream.body ?? []) {
    seen += Buffer.from(chunk).toString('utf8');
    const endpoint = /event: endpoint\ndata: (.+)\n/.exec(seen)?.[1];
    if (seen.includes('"fixture"')) break;
    if (endpoint)
      expect((await post(`${server.origin}${endpoint}`, 'initialize', initialize)).status).toBe(202);
  }
  expect(eventsOf(seen)[0]?.result).toMatchObject({ serverInfo: { name: 'fixture' } });
});

test('websocket speaks the subprotocol mcp, with messages of every length', async () => {
  await using server = await startHttpFixture('websocket');
  const socket = new WebSocket(server.url, 'mcp');
  const replies = new Map<unknown, Reply>();
  socket.addEventListener('message', (event) => {
    const reply = JSON.parse(String(event.data)) as Reply;
    replies.set(reply.id, reply);
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
  expect(socket.protocol).toBe('mcp');
  const send = (id: number, method: string, params: unknown): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  send(1, 'initialize', initialize);
  for (const [id, length] of [
    [2, 10],
    [3, 1_000],
    [4, 200_000],
  ] as const) {
    send(id, 'tools/call', { name: 'echo', arguments: { message: 'ä'.repeat(length) } });
    await waitFor(() => replies.has(id));
    expect(textOf(replies.get(id) ?? {})).toBe('ä'.repeat(length));
  }
  expect(await server.stats()).toMatchObject({ sessionsOpen: 1 });
  socket.close();
  await waitFor(async () => (await server.stats()).sessionsOpen === 0);
});

test('forgets-session answers 404 for a known session and opens a new one', async () => {
  await using server = await startHttpFixture('forgets-session');
  const session = await openSession(server.url);
  await server.post('/_forget');
  expect((await post(server.url, 'tools/call', echo, session)).status).toBe(404);
  expect(textOf(await post(server.url, 'tools/call', echo, await openSession(server.url)))).toBe('hi');
  expect(await server.stats()).toMatchObject({ sessions: 2, sessionsOpen: 1 });
});

test('rate-limited answers 429 with Retry-After, then lets calls through', async () => {
  await using server = await startHttpFixture('rate-limited', { times: 1, after: 2, inner: 'modern' });
  const limited = await callModern(server.url, 'echo', { message: 'hi' });
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
  expect(textOf(await callModern(server.url, 'echo', { message: 'hi' }))).toBe('hi');
  expect((await server.stats()).methods).toEqual({ 'tools/call': 2 });
});

test('unauthorized challenges with Bearer and lets the token in', async () => {
  const metadata = 'http://127.0.0.1:1/meta';
  await using server = await startHttpFixture('unauthorized', { token: 'good', metadata });
  const refused = await post(server.url, 'initialize', initialize);
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer .*resource_metadata="http:\/\/127/);
  const allowed = await post(server.url, 'initialize', initialize, { authorization: 'Bearer good' });
  expect(allowed.result).toBeDefined();
  expect((await server.stats()).lastHeaders).toMatchObject({ authorization: 'Bearer good' });
});

test('big answers with as many bytes as told', async () => {
  await using server = await startHttpFixture('big', { bytes: 3_000_000 });
  const reply = await post(server.url, 'tools/call', echo, await openSession(server.url));
  expect(textOf(reply)).toHaveLength(3_000_000);
});

test('endless-sse sends one event that does not end', async () => {
  await using server = await startHttpFixture('endless-sse', { method: '*' });
  const stream = await fetch(server.url, { method: 'POST', body: '{}' });
  let bytes = 0;
  let ended = false;
  for await (const chunk of stream.body ?? []) {
    bytes += chunk.length;
    ended ||= Buffer.from(chunk).includes('\n\n');
    if (bytes > 5_000_000) break;
  }
  expect(bytes).toBeGreaterThan(5_000_000);
  expect(ended).toBe(false);
});

test('gzip-bomb is small on the wire and large unpacked', async () => {
  await using server = await startHttpFixture('gzip-bomb', { bytes: 64 * 1024 * 1024, method: '*' });
  const packed = await new Promise<number>((resolve, reject) => {
    httpRequest(server.url, { method: 'POST' }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length)).on('end', () => resolve(bytes));
    })
      .on('error', reject)
      .end('{}');
  });
  expect(packed).toBeLessThan(200_000);
  const unpacked = await (await fetch(server.url, { method: 'POST', body: '{}' })).text();
  expect(unpacked.length).toBeGreaterThan(64 * 1024 * 1024);
  expect(unpacked.trimStart()).toContain('boom');
});

test('redirects sends to another origin with 307', async () => {
  const to = 'http://127.0.0.1:1/elsewhere';
  await using server = await startHttpFixture('redirects', { to });
  const reply = await post(server.url, 'initialize', initialize);
  expect([reply.status, reply.headers.get('location')]).toEqual([307, to]);
});

test('dies closes its sockets, and its port can be used again', async () => {
  await using server = await startHttpFixture('dies');
  const session = await openSession(server.url);
  const stream = await fetch(server.url, { headers: { accept: 'text/event-stream', ...session } });
  const cut = stream.text().then(
    () => 'ended',
    () => 'cut',
  );
  await server.post('/_die');
  expect(['ended', 'cut']).toContain(await cut);
  await waitFor(() => !isAlive(server.pid));
  await expect(fetch(server.url)).rejects.toThrow('fetch failed');
  await using again = await startHttpFixture('dies', { port: server.port });
  expect(again.url).toBe(server.url);
  expect((await post(again.url, 'tools/call', echo, session)).status).toBe(404);
});

test('hangs accepts and never answers', async () => {
  await using server = await startHttpFixture('hangs');
  const asked = fetch(server.url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(400) });
  await expect(asked).rejects.toThrow('timeout');
  expect((await server.stats()).requests).toBe(1);
});

test('drops destroys the socket in the middle of an answer', async () => {
  await using server = await startHttpFixture('drops');
  const session = await openSession(server.url);
  await expect(post(server.url, 'tools/call', echo, session)).rejects.toThrow('terminated');
});

test('a fixture ends with its test, and one that cannot start says so', async () => {
  const server = await startHttpFixture('modern');
  await server.close();
  expect(isAlive(server.pid)).toBe(false);
  const taken = createServer().listen(0, '127.0.0.1');
  await waitFor(() => taken.listening);
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(startHttpFixture('modern', { port })).rejects.toThrow(/exited with 1: .*EADDRINUSE/s);
  taken.close();
});
