import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { modern, open, send, startFront } from '../../../test/contracts/http-host.ts';
import { toyGateway } from '../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../test/requirements.ts';

verifies(['G1', 'G2'], 'a modern host calls with one POST and gets JSON back', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const { status, headers, json } = await send(port, modern('tools/call', { name: 'a/b' }, { id: 'x' }));
  expect([status, headers['content-type'], json]).toEqual([
    200,
    'application/json',
    { jsonrpc: '2.0', id: 'x', result: { called: 'a/b' } },
  ]);
  expect(headers['content-length']).toBeDefined();
  expect(gateway.reached[0]?.modern).toMatchObject({ id: 'x', principal: 'local', scope: {} });
});

verifies(['G1'], 'each address has its scope: everything, a profile, or one server', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway, { admit: () => ({ principal: 'me', folder: '/a b' }) });
  for (const path of ['/mcp', '/mcp?mode=search', '/mcp/p/office', '/mcp/s/github?mode=all']) {
    expect((await send(port, { ...modern('echo'), path })).status).toBe(200);
  }
  expect(gateway.reached.map(({ modern }) => modern?.scope)).toEqual([
    { folder: '/a b' },
    { mode: 'search', folder: '/a b' },
    { profile: 'office', folder: '/a b' },
    { server: 'github', mode: 'all', folder: '/a b' },
  ]);
  expect(gateway.reached[0]?.modern).toMatchObject({ principal: 'me', cwd: '/a b' });
  // A mistake in the query is said: nobody else knows these addresses.
  for (const path of ['/mcp?mode=no', '/mcp/p/office?read-only=maybe', '/sse/s/github?mode=']) {
    const { status, json } = await send(port, { ...modern('echo'), path });
    expect([path, status, json.error?.message]).toEqual([path, 400, expect.stringMatching(/mode|read-only/)]);
  }
  const foreign = ['/mcp/', '/mcp/x/y', '/mcp/s/UPPER!', '/mcpx', '/v1/status', '/sse/p'];
  for (const path of foreign) {
    expect([path, (await send(port, { ...modern('echo'), path })).status]).toEqual([path, 418]);
  }
});

verifies(['G2', 'attack:G12'], 'headers that do not repeat the body are refused with -32020', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const wrong = [
    { 'mcp-method': undefined },
    { 'mcp-method': 'prompts/list' },
    { 'mcp-method': 'TOOLS/CALL' },
    { 'mcp-name': undefined },
    { 'mcp-name': 'other' },
    { 'mcp-name': '=?base64?Zm9?=' },
    { 'mcp-name': '=?base64?####?=' },
    { 'mcp-protocol-version': undefined },
    { 'mcp-protocol-version': '2026-07-29' },
    { 'mcp-protocol-version': '2025-11-25' },
  ];
  for (const headers of wrong) {
    const { status, json } = await send(port, modern('tools/call', { name: 'foo' }, { id: 7, headers }));
    expect([headers, status, json.id, json.error?.code]).toEqual([headers, 400, 7, -32020]);
  }
  expect(gateway.reached).toEqual([]);
  const right = [
    ['foo', '  foo  '],
    ['=?x', '=?x'],
    ['grüße', `=?base64?${Buffer.from('grüße').toString('base64')}?=`],
  ] as const;
  for (const [name, header] of right) {
    const { status } = await send(port, modern('tools/call', { name }, { headers: { 'mcp-name': header } }));
    expect([name, status]).toEqual([name, 200]);
  }
});

verifies(['G2'], 'an incomplete envelope is refused with the id of its request', async () => {
  const { port } = await startFront(toyGateway());
  const metas = [
    { 'io.modelcontextprotocol/protocolVersion': undefined },
    { 'io.modelcontextprotocol/clientCapabilities': undefined },
    { 'io.modelcontextprotocol/clientCapabilities': 'all' },
    { 'io.modelcontextprotocol/clientInfo': 'me' },
  ];
  for (const meta of metas) {
    const { status, json } = await send(port, modern('server/discover', {}, { id: 102, meta }));
    expect([meta, status, json.id, json.error?.code]).toEqual([meta, 400, 102, -32602]);
  }
  const bare = { jsonrpc: '2.0', id: 101, method: 'server/discover', params: {} };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const { status, json } = await send(port, { headers, body: bare });
  expect([status, json.id, json.error?.code]).toEqual([400, 101, -32602]);
});

verifies(['G2'], 'a revision that is not spoken is refused with those that are', async () => {
  const { port } = await startFront(toyGateway());
  const version = 'v999.0.0';
  const meta = { 'io.modelcontextprotocol/protocolVersion': version };
  const headers = { 'mcp-protocol-version': version };
  const { status, json } = await send(port, modern('server/discover', {}, { id: 301, meta, headers }));
  expect([status, json.id, json.error?.code, json.error?.data]).toEqual([
    400,
    301,
    -32022,
    { supported: ['2026-07-28'], requested: version },
  ]);
});

test('discovery needs no headers, as it tells a host what to send', async () => {
  const { port } = await startFront(toyGateway());
  const none = { 'mcp-method': undefined, 'mcp-protocol-version': undefined };
  expect((await send(port, modern('server/discover', {}, { headers: none }))).status).toBe(200);
});

verifies(['G2'], 'a method that does not exist is 404; a failed one is an ordinary answer', async () => {
  const { port } = await startFront(toyGateway());
  for (const method of ['initialize', 'ping', 'unknown/method', 'constructor']) {
    const { status, json } = await send(port, modern(method, {}, { id: 5 }));
    expect([method, status, json.id, json.error?.code]).toEqual([method, 404, 5, -32601]);
  }
  for (const [code, status] of [
    [-32602, 200],
    [-32603, 200],
    [-32601, 200],
    [1, 200],
    [-32021, 400],
    [-32020, 400],
  ] as const) {
    const failed = await send(port, modern('fail', { code }, { id: 6 }));
    expect([failed.status, failed.json]).toEqual([
      status,
      { jsonrpc: '2.0', id: 6, error: { code, message: 'It failed.', data: { why: 'asked to' } } },
    ]);
  }
  expect((await send(port, modern('bug'))).json.error?.code).toBe(-32603);
});

test('a notification is accepted, and a response or a batch is not', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const headers = { 'mcp-protocol-version': '2026-07-28' };
  const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const accepted = await send(port, { headers, body: note });
  expect([accepted.status, accepted.text]).toEqual([202, '']);
  const response = { jsonrpc: '2.0', id: 1, result: {} };
  expect((await send(port, { headers, body: response })).status).toBe(400);
  const { body } = modern('echo');
  expect((await send(port, { headers, body: [body] })).status).toBe(400);
  expect((await send(port, { body: [body, body] })).json.error?.code).toBe(-32600);
  expect(gateway.reached).toEqual([]);
});

test('there is nothing to listen to or to end without a session: GET and DELETE are refused', async () => {
  const { port } = await startFront(toyGateway());
  const headers = { 'mcp-protocol-version': '2026-07-28' };
  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    const { status, headers: answered } = await send(port, { method, headers });
    expect([method, status, answered['allow']]).toEqual([method, 405, 'POST']);
  }
});

verifies(['G2'], 'what is told before the answer makes the answer a stream', async () => {
  const { port } = await startFront(toyGateway());
  const coming = await open(port, modern('progress', { token: 't' }, { id: 3 }));
  expect([coming.status, coming.headers['content-type']]).toEqual([200, 'text/event-stream']);
  const told = [await coming.next(), await coming.next(), await coming.next()];
  expect(told.map((one) => one && JSON.parse(one.data))).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { token: 't' } },
    { jsonrpc: '2.0', id: 3, result: { done: true } },
    undefined,
  ]);
});

test('a host gets what it accepts: JSON alone, events alone, or neither', async () => {
  const { port } = await startFront(toyGateway());
  const given = async (accept: string, method: string): Promise<unknown[]> => {
    const { status, headers, text } = await send(port, modern(method, {}, { headers: { accept } }));
    return [status, headers['content-type'], /done|params/.test(text)];
  };
  const json = [200, 'application/json', true];
  const events = [200, 'text/event-stream', true];
  expect(await given('application/json', 'progress')).toEqual(json);
  expect(await given('text/event-stream', 'echo')).toEqual(events);
  expect(await given('*/*', 'echo')).toEqual(json);
  expect(await given('*/*', 'progress')).toEqual(events);
  expect(await given('application/json;q=0.5, text/event-stream;q=0', 'progress')).toEqual(json);
  expect((await given('text/html', 'echo'))[0]).toBe(406);
  expect((await given('application/json', 'subscriptions/listen'))[0]).toBe(406);
});

verifies(['G2'], 'closing the answer is cancellation, before and after its stream has begun', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const listening = await open(port, modern('subscriptions/listen'));
  expect(await listening.next()).toMatchObject({ event: 'message' });
  const silent = connect(port, '127.0.0.1');
  const { headers, body } = modern('wait');
  const text = JSON.stringify(body);
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  silent.write(
    `POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n${lines.join('')}\r\n${text}`,
  );
  await vi.waitFor(() => expect(gateway.reached).toHaveLength(2));
  expect(gateway.aborted).toEqual([]);
  silent.destroy();
  listening.drop();
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(2));
  expect(gateway.aborted[0]).toMatch(/gone/);
});

test('a host that closes its half of the connection does not leave its call running', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const { headers, body } = modern('wait');
  const text = JSON.stringify(body);
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.end(
    `POST /mcp HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\n${lines.join('')}\r\n${text}`,
  );
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1));
  socket.destroy();
});

verifies(['G2'], 'streams that are quiet are kept alive, and so is a call that takes long', async () => {
  const { port } = await startFront(toyGateway(), { bounds: { keepAliveMs: 30 } });
  const listening = await open(port, modern('subscriptions/listen'));
  const waiting = await open(port, modern('wait'));
  expect(waiting.headers['content-type']).toBe('text/event-stream');
  await vi.waitFor(() => {
    expect(listening.comments.length).toBeGreaterThan(2);
    expect(waiting.comments.length).toBeGreaterThan(2);
  });
});

test('when the hub stops, waiting hosts are still answered and new ones are told', async () => {
  const deaf = new Promise<never>(() => undefined);
  const gateway = toyGateway({ deaf: () => deaf });
  const { port, front } = await startFront(gateway);
  const listening = await open(port, modern('subscriptions/listen', {}, { id: 'l' }));
  const waiting = send(port, modern('wait', {}, { id: 'w' }));
  const unheard = send(port, modern('deaf'));
  await vi.waitFor(() => expect(gateway.reached).toHaveLength(3));
  await front.close();
  await listening.next();
  expect(JSON.parse((await listening.next())?.data ?? '')).toEqual({ jsonrpc: '2.0', id: 'l', result: {} });
  expect((await waiting).json).toMatchObject({ id: 'w', error: { code: -32603 } });
  expect((await unheard).text).toBe('');
  expect((await send(port, modern('echo'))).status).toBe(503);
});

verifies(
  ['G2'],
  'a host that never reads is bounded: its stream is ended and its request aborted',
  async () => {
    const piece = 'x'.repeat(64 * 1024);
    let sent = 0;
    const gateway = toyGateway({
      flood: async ({ exchange }) => {
        while (!exchange.signal.aborted && sent < 400) {
          exchange.notify('notifications/message', { data: piece });
          sent += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
        return {};
      },
    });
    const { port } = await startFront(gateway, { bounds: { unreadBytesMax: 1024 * 1024 } });
    const flooded = await open(port, modern('flood'));
    flooded.pause();
    await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1), 5_000);
    // What the kernel took by itself, and the bound: far below the 25 MB that were on offer.
    expect(sent * piece.length).toBeLessThan(20 * 1024 * 1024);
    expect((await send(port, modern('echo'))).status).toBe(200);
    flooded.drop();
  },
);
