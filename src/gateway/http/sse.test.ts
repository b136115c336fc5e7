import { expect, test, vi } from 'vitest';
import { open, send, startFront, type Coming } from '../../../test/contracts/http-host.ts';
import { toyGateway } from '../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../test/requirements.ts';

async function sseHost(
  port: number,
  path = '/sse',
): Promise<{
  readonly stream: Coming;
  readonly where: string;
  next(): Promise<Record<string, unknown>>;
  say(body: object): Promise<number>;
}> {
  const stream = await open(port, { method: 'GET', path });
  const first = await stream.next();
  expect(first?.event).toBe('endpoint');
  const where = first?.data ?? '';
  return {
    stream,
    where,
    next: async () => JSON.parse((await stream.next())?.data ?? 'null') as Record<string, unknown>,
    say: async (body) => (await send(port, { path: where, headers: { accept: '*/*' }, body })).status,
  };
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2024-11-05' } };

verifies(['G1'], 'an old host speaks over SSE: it posts, and everything comes on its stream', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  for (const [path, where, scope] of [
    ['/sse', '/sse/messages', {}],
    ['/sse/p/office?mode=all', '/sse/p/office/messages', { profile: 'office', mode: 'all' }],
    ['/sse/s/messages', '/sse/s/messages/messages', { server: 'messages' }],
  ] as const) {
    const host = await sseHost(port, path);
    expect(host.where.split('?')[0]).toBe(where);
    expect(await host.say(initialize)).toBe(202);
    expect(await host.next()).toMatchObject({ id: 0, result: { protocolVersion: '2024-11-05' } });
    expect(await host.say({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202);
    expect(gateway.links.at(-1)?.scope).toEqual(scope);
    expect(await host.say({ jsonrpc: '2.0', id: 1, method: 'progress' })).toBe(202);
    expect([await host.next(), await host.next()]).toMatchObject([
      { method: 'notifications/progress' },
      { id: 1, result: { done: true } },
    ]);
    gateway.links.at(-1)?.notify('notifications/tools/list_changed', {});
    expect(await host.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  }
});

verifies(['G1', 'G2'], 'over SSE questions, cancellation and going away work as everywhere', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const host = await sseHost(port);
  expect(await host.say({ jsonrpc: '2.0', id: 5, method: 'echo' })).toBe(202);
  expect(await host.next()).toMatchObject({ id: 5, error: { code: -32600 } });
  await host.say(initialize);
  await host.next();
  await host.say({ jsonrpc: '2.0', id: 1, method: 'question' });
  const asked = await host.next();
  await host.say({ jsonrpc: '2.0', id: asked['id'], result: { action: 'decline' } });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { action: 'decline' } });
  await host.say({ jsonrpc: '2.0', id: 2, method: 'wait' });
  await host.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1));
  await host.say({ jsonrpc: '2.0', id: 3, method: 'wait' });
  await vi.waitFor(() => expect(gateway.reached.at(-1)?.params).toBeDefined());
  await host.say({ jsonrpc: '2.0', id: 4, method: 'initialize' });
  expect(await host.next()).toMatchObject({ id: 4, error: { code: -32600 } });
  host.stream.drop();
  await vi.waitFor(() => expect([gateway.aborted.length, gateway.closed.length]).toEqual([2, 1]));
  expect(await host.say({ jsonrpc: '2.0', id: 9, method: 'echo' })).toBe(404);
});

test('what is not of this transport is refused', async () => {
  const { port } = await startFront(toyGateway());
  const body = { jsonrpc: '2.0', id: 1, method: 'echo' };
  expect((await send(port, { path: '/sse', body })).status).toBe(405);
  expect((await send(port, { path: '/sse/messages', method: 'GET' })).status).toBe(405);
  expect((await send(port, { path: '/sse/messages', body })).status).toBe(400);
  expect((await send(port, { path: '/sse/messages?sessionId=guess', body })).status).toBe(404);
  expect(
    (await send(port, { path: '/sse', method: 'GET', headers: { accept: 'application/json' } })).status,
  ).toBe(406);
  const host = await sseHost(port);
  expect(await host.say([body])).toBe(400);
  expect(await host.say({ no: 'message' })).toBe(400);
});

test('a session of one transport is none of the other', async () => {
  const { port } = await startFront(toyGateway());
  const host = await sseHost(port);
  const session = new URLSearchParams(host.where.split('?')[1]).get('sessionId') ?? '';
  const body = { jsonrpc: '2.0', id: 1, method: 'echo' };
  expect((await send(port, { headers: { 'mcp-session-id': session }, body })).status).toBe(404);
});
