import { expect, test, vi } from 'vitest';
import { legacyHost, open, send, startFront, type Coming } from '../../../test/contracts/http-host.ts';
import { toyGateway } from '../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';

async function nextMessage(coming: Coming): Promise<Record<string, unknown>> {
  const event = await coming.next();
  return JSON.parse(event?.data ?? 'null') as Record<string, unknown>;
}

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } };

verifies(['G1', 'G2'], 'a legacy host initializes, calls, notifies and ends its session', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const begun = await send(port, { path: '/mcp/p/office', body: initialize });
  expect([begun.status, begun.json.id, begun.json.result?.['protocolVersion']]).toEqual([
    200,
    0,
    '2025-11-25',
  ]);
  const session = String(begun.headers['mcp-session-id']);
  expect(session).toMatch(/^[\x21-\x7e]{24,}$/);
  const headers = { 'mcp-session-id': session };
  const path = '/mcp/p/office';
  const note = { jsonrpc: '2.0', method: 'notifications/initialized' };
  expect((await send(port, { path, headers, body: note })).status).toBe(202);
  const ask = { jsonrpc: '2.0', id: 'a', method: 'echo', params: { x: 1 } };
  expect((await send(port, { path, headers, body: ask })).json).toEqual({
    jsonrpc: '2.0',
    id: 'a',
    result: { params: { x: 1 } },
  });
  expect(gateway.links[0]).toMatchObject({ scope: { profile: 'office' }, principal: 'local' });
  expect(gateway.notified).toEqual([{ method: 'notifications/initialized', params: {} }]);
  expect((await send(port, { method: 'DELETE', path, headers })).status).toBe(204);
  expect(gateway.closed).toEqual(gateway.links);
  expect((await send(port, { path, headers, body: ask })).status).toBe(404);
  expect((await send(port, { method: 'GET', path, headers })).status).toBe(404);
});

verifies(
  ['G2', 'attack:G2'],
  'a session is known to its own principal at its own address alone',
  async () => {
    let principal = 'ann';
    const { port } = await startFront(toyGateway(), { admit: () => ({ principal }) });
    const { asking } = await legacyHost(port);
    const { asking: other } = await legacyHost(port);
    expect((await send(port, asking('echo'))).status).toBe(200);
    expect((await send(port, { ...asking('echo'), path: '/mcp/s/toy' })).status).toBe(404);
    principal = 'bob';
    const { status, json } = await send(port, other('echo', {}, 4));
    expect([status, json.id]).toEqual([404, 4]);
  },
);

test('a host without a session is told so, and one with a strange revision too', async () => {
  const { port } = await startFront(toyGateway());
  const body = { jsonrpc: '2.0', id: 2, method: 'echo' };
  const lost = await send(port, { body });
  expect([lost.status, lost.json.id]).toEqual([400, 2]);
  expect((await send(port, { headers: { 'mcp-session-id': 'session_guess' }, body })).status).toBe(404);
  const { session } = await legacyHost(port);
  for (const [version, status] of [
    ['2025-11-25', 200],
    ['2025-06-18', 200],
    ['2025-03-26', 200],
    ['2024-01-01', 400],
    ['nonsense', 400],
  ] as const) {
    const headers = { 'mcp-session-id': session, 'mcp-protocol-version': version };
    expect([version, (await send(port, { headers, body })).status]).toEqual([version, status]);
  }
  const refused = await send(port, { body: { ...initialize, params: { refuse: true } } });
  expect([refused.json.error?.code, refused.headers['mcp-session-id']]).toEqual([-32602, undefined]);
});

verifies(['G2'], '32 calls at once that all have the id 1 get their own answers', async () => {
  const gateway = toyGateway({
    late: async ({ params }) => {
      await systemClock.sleep(Number(params['ms']));
      return { mine: params['mine'] ?? null };
    },
  });
  const { port } = await startFront(gateway);
  const hosts = [await legacyHost(port), await legacyHost(port)];
  const calls = Array.from({ length: 32 }, async (_, mine) => {
    const asking = hosts[mine % 2]?.asking;
    const sent = asking?.('late', { mine, ms: (31 - mine) * 3 }, 1) ?? {};
    const { json } = await send(port, sent);
    return [json.id, json.result?.['mine']];
  });
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 32 }, (_, mine) => [1, mine]));
});

verifies(['G2'], 'a cancelled call is aborted: the oldest of its id, in its own session alone', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const [mine, theirs] = [await legacyHost(port), await legacyHost(port)];
  const open32 = [mine, theirs, mine].map((host, at) => send(port, host.asking('wait', { at }, 1)));
  await vi.waitFor(() => expect(gateway.reached).toHaveLength(3));
  // They came on connections of their own, in whatever order.
  const first = gateway.reached.find(({ link }) => link === gateway.links[0]);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await send(port, mine.saying(cancel))).status).toBe(202);
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1));
  expect(first?.exchange.signal.aborted).toBe(true);
  const ended = await Promise.race(open32);
  expect([ended.status, ended.text]).toEqual([200, '']);
  const json = {
    ...mine.asking('wait', {}, 'j'),
    headers: { ...mine.asking('wait').headers, accept: 'application/json' },
  };
  const waiting = send(port, json);
  await vi.waitFor(() => expect(gateway.reached).toHaveLength(4));
  await send(port, mine.saying({ ...cancel, params: { requestId: 'j' } }));
  expect((await waiting).json).toMatchObject({ id: 'j', error: { code: -32603 } });
  expect(gateway.notified).toEqual([]);
});

verifies(
  ['G2'],
  'a question comes on the stream of its own call, and its answer goes to that call',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway);
    const [mine, theirs] = [await legacyHost(port), await legacyHost(port)];
    const call = await open(port, mine.asking('question', {}, 1));
    const asked = await nextMessage(call);
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'Sure?' } });
    const answer = { jsonrpc: '2.0', id: asked['id'], result: { action: 'accept' } };
    // The same id out of another session means nothing to this one.
    const forged = await send(port, theirs.saying({ ...answer, result: { action: 'forged' } }));
    expect(forged.status).toBe(202);
    expect((await send(port, mine.saying(answer))).status).toBe(202);
    expect(await nextMessage(call)).toEqual({ jsonrpc: '2.0', id: 1, result: { action: 'accept' } });
    expect(await call.next()).toBeUndefined();
    expect((await send(port, mine.saying(answer))).status).toBe(202);
  },
);

verifies(['G2'], 'a host that takes JSON alone is asked on its GET stream, or on none', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const host = await legacyHost(port);
  const sent = host.asking('question', {}, 8);
  const json = { ...sent, headers: { ...sent.headers, accept: 'application/json' } };
  expect((await send(port, json)).json).toMatchObject({ id: 8, error: { code: -32603 } });
  const { body: _none, ...get } = { ...host.saying(undefined), method: 'GET' };
  const listening = await open(port, get);
  const answered = send(port, json);
  const asked = await nextMessage(listening);
  await send(port, host.saying({ jsonrpc: '2.0', id: asked['id'], error: { code: -1, message: 'No.' } }));
  expect((await answered).json).toMatchObject({ id: 8, error: { code: -1, message: 'No.' } });
});

test('a question whose call is cancelled is taken back', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway);
  const host = await legacyHost(port);
  const { body: _none, ...get } = { ...host.saying(undefined), method: 'GET' };
  const listening = await open(port, get);
  const sent = host.asking('question', {}, 1);
  const call = send(port, { ...sent, headers: { ...sent.headers, accept: 'application/json' } });
  const asked = await nextMessage(listening);
  await send(
    port,
    host.saying({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
  );
  expect(await nextMessage(listening)).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: asked['id'] },
  });
  expect((await call).json.error?.code).toBe(-32603);
});

verifies(
  ['G2'],
  'notifications reach the GET stream, the newest one, and wait for it when there is none',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway, { bounds: { missedNotesMax: 2 } });
    const host = await legacyHost(port);
    const link = gateway.links[0];
    for (const kind of ['a', 'b', 'b', 'c']) link?.notify(`notifications/${kind}`, {});
    const { body: _none, ...get } = { ...host.saying(undefined), method: 'GET' };
    expect(
      (await open(port, { ...get, headers: { ...get.headers, accept: 'application/json' } })).status,
    ).toBe(406);
    const older = await open(port, { ...get, headers: { ...get.headers, 'last-event-id': '17' } });
    expect([(await nextMessage(older))['method'], (await nextMessage(older))['method']]).toEqual([
      'notifications/b',
      'notifications/c',
    ]);
    const newer = await open(port, get);
    await older.ended;
    link?.notify('notifications/tools/list_changed', {});
    expect((await nextMessage(newer))['method']).toBe('notifications/tools/list_changed');
  },
);

verifies(
  ['G2'],
  'a host that goes away in the middle of a call, and does not come back, aborts it',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway, { bounds: { resumeMs: 50, sessionSweepMs: 20 } });
    const host = await legacyHost(port);
    const call = await open(port, host.asking('question'));
    await nextMessage(call);
    call.drop();
    await vi.waitFor(() => expect(gateway.aborted).toEqual([expect.stringMatching(/gone/)]));
    expect((await send(port, host.asking('echo'))).status).toBe(200);
  },
);

verifies(['attack:G3'], 'idle sessions end; one whose stream is open does not', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway, { bounds: { sessionIdleMs: 100, sessionSweepMs: 20 } });
  const [idle, there] = [await legacyHost(port), await legacyHost(port)];
  const { body: _none, ...get } = { ...there.saying(undefined), method: 'GET' };
  await open(port, get);
  await vi.waitFor(() => expect(gateway.closed).toEqual([gateway.links[0]]));
  await systemClock.sleep(200);
  expect((await send(port, idle.asking('echo'))).status).toBe(404);
  expect((await send(port, there.asking('echo'))).status).toBe(200);
});

verifies(
  ['attack:G3'],
  'there are only so many sessions: the one that is idle longest makes room, a busy one does not',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway, { bounds: { sessionsMax: 2 } });
    const [first, second] = [await legacyHost(port), await legacyHost(port)];
    await send(port, first.asking('echo'));
    const third = await legacyHost(port);
    expect((await send(port, second.asking('echo'))).status).toBe(404);
    expect((await send(port, first.asking('echo'))).status).toBe(200);
    const busy = [first, third].map((host) => send(port, host.asking('wait')));
    await vi.waitFor(() => expect(gateway.reached.filter(({ method }) => method === 'wait')).toHaveLength(2));
    const refused = await send(port, { body: initialize });
    expect([refused.status, refused.json.id]).toEqual([503, 0]);
    for (const host of [first, third]) {
      await send(port, { method: 'DELETE', headers: { 'mcp-session-id': host.session } });
    }
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
  },
);

test('a GET stream that nobody reads is ended, and the session goes on', async () => {
  const gateway = toyGateway();
  const { port } = await startFront(gateway, { bounds: { unreadBytesMax: 256 * 1024 } });
  const host = await legacyHost(port);
  const { body: _none, ...get } = { ...host.saying(undefined), method: 'GET' };
  const deaf = await open(port, get);
  deaf.pause();
  const data = 'x'.repeat(64 * 1024);
  for (let at = 0; at < 400; at += 1) {
    gateway.links[0]?.notify('notifications/message', { data, at });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const listening = await open(port, get);
  gateway.links[0]?.notify('notifications/tools/list_changed', {});
  expect((await nextMessage(listening))['method']).toBe('notifications/tools/list_changed');
  deaf.drop();
});
