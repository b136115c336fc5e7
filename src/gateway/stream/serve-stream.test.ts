import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { verifies } from '../../../test/requirements.ts';
import type { Exchange, Gateway, HostLink, ModernRequest } from '../gateway.ts';
import { RpcError, rpcCodes, Written, type Answer } from '../rpc.ts';
import { serveStream, type ServedStream, type ServeStreamOptions } from './serve-stream.ts';

verifies(['G1'], 'a legacy host opens a session with initialize, lists and calls on one stream', async () => {
  const { host, world } = await served();
  host.send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
  expect(await host.next()).toEqual({
    jsonrpc: '2.0',
    id: 0,
    result: { protocolVersion: '2025-11-25', capabilities: {} },
  });
  host.send({ method: 'notifications/initialized' });
  host.send({ id: 'a', method: 'tools/list' });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: { tools: [] } });
  host.send({ id: 1, method: 'ping' });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect(world.heard).toEqual([['notifications/initialized', {}]]);
  expect(world.link?.cwd).toBe('/somewhere');
});

verifies(['G1'], 'a modern host needs no initialize: each request says its version', async () => {
  const { host, world } = await served();
  host.send({ id: 1, method: 'server/discover', params: MODERN });
  expect(await host.next()).toMatchObject({ id: 1, result: { modern: 'server/discover' } });
  host.send({ id: 2, method: 'tools/list', params: MODERN });
  expect(await host.next()).toMatchObject({ id: 2, result: { modern: 'tools/list' } });
  expect(world.modern[1]).toMatchObject({
    id: 2,
    method: 'tools/list',
    principal: 'somebody',
    cwd: '/somewhere',
  });
  expect(world.modern[0]?.link).toBe(world.modern[1]?.link);
});

verifies(['G1', 'C2'], 'a host of a version to come learns which versions are spoken', async () => {
  const { host, world } = await served();
  for (const [id, requested] of ['2031-01-01', '2025-11-25', ''].entries()) {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': requested };
    host.send({ id, method: id === 0 ? 'server/discover' : 'tools/list', params: { _meta } });
    const data = { supported: ['2026-07-28'], requested };
    expect(await host.next()).toMatchObject({ id, error: { code: -32022, data } });
  }
  expect(world.modern).toEqual([]);
});

test('a host that probes with server/discover may still choose initialize', async () => {
  const { host } = await served();
  host.send({ id: 1, method: 'server/discover', params: MODERN });
  host.send({ id: 2, method: 'initialize', params: { protocolVersion: '2025-06-18' } });
  host.send({ id: 3, method: 'tools/list' });
  const answers = [await host.next(), await host.next(), await host.next()];
  expect(new Set(answers.map((answer) => answer['id']))).toEqual(new Set([1, 2, 3]));
  expect(answers.find((answer) => answer['id'] === 3)).toMatchObject({ result: { tools: [] } });
});

test('requests that come before a session are refused with what to do', async () => {
  const { host } = await served();
  host.send({ id: 1, method: 'tools/list' });
  expect(await host.next()).toMatchObject({
    id: 1,
    error: { code: -32600, message: expect.stringContaining('initialize first') },
  });
});

test('calls with the same id in flight are answered each by itself', async () => {
  const { host } = await opened();
  for (const echo of ['one', 'two', 'three']) {
    host.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { echo, ms: 5 } } });
  }
  const answers = [await host.next(), await host.next(), await host.next()];
  expect(answers.every((answer) => answer['id'] === 1)).toBe(true);
  expect(new Set(answers.map((answer) => resultOf(answer)['echo']))).toEqual(
    new Set(['one', 'two', 'three']),
  );
});

test('a cancelled call is aborted and not answered, and of two with one id the older', async () => {
  const { host, world } = await opened();
  host.send({ id: 7, method: 'tools/call', params: { name: 'hang', arguments: { mark: 'older' } } });
  host.send({ id: 7, method: 'tools/call', params: { name: 'hang', arguments: { mark: 'younger' } } });
  await until(() => world.exchanges.length === 2);
  host.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
  await until(() => world.aborted.length === 1);
  expect(world.aborted).toEqual(['older']);
  host.send({ id: 8, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 8 });
});

test('progress of a call reaches the host before its answer', async () => {
  const { host } = await opened();
  host.send({ id: 1, method: 'tools/call', params: { name: 'note' } });
  expect(await host.next()).toMatchObject({ method: 'notifications/progress', params: { progress: 1 } });
  expect(await host.next()).toMatchObject({ id: 1, result: {} });
});

test('a question to the host has an id of ours, and its answer ends it', async () => {
  const { host } = await opened();
  host.send({ id: 1, method: 'tools/call', params: { name: 'ask' } });
  const question = await host.next();
  expect(question).toMatchObject({
    id: expect.stringMatching(/^plug:stream_\w+:1$/),
    method: 'elicitation/create',
  });
  host.send({ id: 'plug:other:1', result: { action: 'decline' } });
  host.send({ id: question['id'], result: { action: 'accept' } });
  expect(await host.next()).toMatchObject({ id: 1, result: { said: { action: 'accept' } } });
  host.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
  const second = await host.next();
  host.send({ id: second['id'], error: { code: -1, message: 'no' } });
  expect(await host.next()).toMatchObject({ id: 2, error: { code: -1, message: 'no' } });
  // Also one that is none: whoever asked must not wait for another.
  host.send({ id: 3, method: 'tools/call', params: { name: 'ask' } });
  const third = await host.next();
  host.send({ id: third['id'], result: 'yes' });
  expect(await host.next()).toMatchObject({ id: 3, error: { code: -32603 } });
});

test('what is no message is answered with an error and breaks nothing', async () => {
  const { host } = await opened();
  host.write('{"jsonrpc":\n');
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32700 } });
  host.write('7\n{"jsonrpc":"2.0","id":null,"method":"x"}\n');
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32600 } });
  host.write('[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n');
  expect(await host.next()).toMatchObject({
    id: null,
    error: { code: -32600, message: expect.stringContaining('2025-03-26') },
  });
  host.send({ id: 5, method: 'tools/call', params: { name: 'fail' } });
  expect(await host.next()).toMatchObject({ id: 5, error: { code: -32602, message: 'bad' } });
  host.send({ id: 6, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 6, result: {} });
});

test('a host of 2025-03-26 may send batches and gets its answers as one', async () => {
  const { host, world } = await opened({}, '2025-03-26');
  host.write(
    `${JSON.stringify([
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'echo', arguments: { echo: 'x', ms: 5 } },
      },
      'nonsense',
    ])}\n`,
  );
  const answers = (await host.next()) as unknown as JsonObject[];
  expect(answers).toHaveLength(3);
  expect(answers).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 1 }),
      expect.objectContaining({ id: 2 }),
      expect.objectContaining({ id: null }),
    ]),
  );
  expect(world.heard).toContainEqual(['notifications/initialized', {}]);
  host.write('[]\n');
  expect(await host.next()).toMatchObject({ id: null, error: { code: -32600 } });
});

test('a line that is too long is answered with an error under its id, and the next one is read', async () => {
  const { host } = await opened({ bodyBytesMax: 10_000 });
  const params = { name: 'echo', arguments: { echo: 'x'.repeat(50_000) } };
  host.write(`${JSON.stringify({ jsonrpc: '2.0', id: 41, method: 'tools/call', params })}\n`);
  expect(await host.next()).toMatchObject({
    id: 41,
    error: { code: -32600, message: expect.stringContaining('10000 are the most') },
  });
  host.write(`${JSON.stringify({ method: 'tools/call', params, jsonrpc: '2.0', id: 'last' })}\n`);
  expect(await host.next()).toMatchObject({ id: 'last', error: { code: -32600 } });
  host.send({ id: 42, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 42, result: {} });
});

test('ten thousand requests at once are all answered, though few run at once', async () => {
  const { host, world } = await opened({ hostCallsAtOnceMax: 50 });
  const lines: string[] = [];
  for (let id = 1; id <= 10_000; id += 1) {
    const params = { name: 'echo', arguments: { echo: `e${id}` } };
    lines.push(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  }
  host.write(`${lines.join('\n')}\n`);
  const seen = new Map<unknown, unknown>();
  while (seen.size < 10_000) {
    const answer = await host.next();
    seen.set(answer['id'], resultOf(answer)['echo']);
  }
  expect([...seen].every(([id, echo]) => echo === `e${String(id)}`)).toBe(true);
  expect(world.atOnceMost).toBeLessThanOrEqual(50);
});

test('a host that writes and never reads is slowed down, and holds no more than its bound', async () => {
  const { host, world } = await opened({ unreadBeforeWaitBytes: 100_000, waitingCharsMax: 100_000 });
  host.socket.pause();
  const params = { name: 'echo', arguments: { echo: 'x'.repeat(1_000) } };
  const line = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`;
  for (let sent = 0; sent < 5_000; sent += 1) host.socket.write(line);
  await settled(() => world.exchanges.length);
  const begun = world.exchanges.length;
  expect(begun).toBeLessThan(3_000);
  host.socket.resume();
  for (let got = 0; got < 5_000; got += 1) expect(await host.next()).toMatchObject({ id: 1 });
});

test('a host that does not read what it asked for loses its stream', async () => {
  const { host, world, stream } = await opened({ unreadBytesMax: 100_000, unreadStalledMs: 50 });
  host.socket.pause();
  for (let id = 1; id <= 20; id += 1) {
    host.send({ id, method: 'tools/call', params: { name: 'large', arguments: { ms: id * 20 } } });
  }
  await stream.ended;
  expect(world.closed).toBe(1);
});

test('a large answer to a host that reads goes through whole', async () => {
  const { host } = await opened({ unreadBytesMax: 1_000, unreadStalledMs: 10_000 });
  host.send({ id: 1, method: 'tools/call', params: { name: 'large', arguments: { ms: 0 } } });
  host.send({ id: 2, method: 'tools/call', params: { name: 'large', arguments: { ms: 0 } } });
  expect(JSON.stringify(resultOf(await host.next())).length).toBeGreaterThan(1_000_000);
  expect(JSON.stringify(resultOf(await host.next())).length).toBeGreaterThan(1_000_000);
});

test('a host that closes its end still gets the answers under way, then the stream ends', async () => {
  const { host, world, stream } = await opened();
  host.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { echo: 'late', ms: 60 } } });
  host.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
  expect(await host.next()).toMatchObject({ method: 'elicitation/create' });
  host.socket.end();
  const answers = [await host.next(), await host.next()];
  expect(answers).toContainEqual(expect.objectContaining({ id: 1, result: { echo: 'late' } }));
  expect(answers.find((answer) => answer['id'] === 2)).toHaveProperty('error');
  await stream.ended;
  expect(world.closed).toBe(1);
});

test('when the host goes away, what it asked is aborted and its session closed', async () => {
  const { host, world, stream } = await opened();
  host.send({ id: 1, method: 'tools/call', params: { name: 'hang', arguments: { mark: 'alone' } } });
  await until(() => world.exchanges.length === 1);
  host.socket.destroy();
  await stream.ended;
  expect(world.aborted).toEqual(['alone']);
  expect(world.closed).toBe(1);
});

test('an open subscription takes nobody’s place, and ends with the host’s input', async () => {
  const { host, world, stream } = await served({ hostCallsAtOnceMax: 1 });
  host.send({ id: 'sub', method: 'subscriptions/listen', params: MODERN });
  await until(() => world.exchanges.length === 1);
  host.send({ id: 2, method: 'tools/list', params: MODERN });
  expect(await host.next()).toMatchObject({ id: 2 });
  world.exchanges[0]?.notify('notifications/tools/list_changed', { tagged: true });
  expect(await host.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  host.socket.end();
  expect(await host.next()).toMatchObject({ id: 'sub' });
  await stream.ended;
});

const MODERN = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

interface World {
  readonly heard: [string, JsonObject][];
  readonly modern: ModernRequest[];
  readonly exchanges: Exchange[];
  readonly aborted: unknown[];
  link: HostLink | undefined;
  closed: number;
  atOnce: number;
  atOnceMost: number;
}

/** Answers each method in the plainest way, and remembers what it saw. */
function fakeGateway(world: World): Gateway {
  const call = async ({ name, arguments: args }: JsonObject, exchange: Exchange): Promise<Answer> => {
    const given = (args ?? {}) as { ms?: number; echo?: string; mark?: string };
    world.exchanges.push(exchange);
    if (given.ms) await systemClock.sleep(given.ms);
    switch (name as string) {
      case 'hang':
        return new Promise((_resolve, reject) => {
          exchange.signal.addEventListener('abort', () => {
            world.aborted.push(given.mark);
            reject(exchange.signal.reason as Error);
          });
        });
      case 'note':
        exchange.notify('notifications/progress', { progress: 1 });
        return {};
      case 'ask': {
        const link = world.link as HostLink;
        return {
          said: await link.ask('elicitation/create', {}, { signal: exchange.signal, during: exchange }),
        };
      }
      case 'large':
        return new Written(JSON.stringify({ text: 'ü'.repeat(1_000_000) }));
      case 'fail':
        throw new RpcError(rpcCodes.invalidParams, 'bad');
      default:
        return { echo: given.echo ?? null };
    }
  };
  const counted: typeof call = async (params, exchange) => {
    world.atOnce += 1;
    world.atOnceMost = Math.max(world.atOnceMost, world.atOnce);
    return await call(params, exchange).finally(() => (world.atOnce -= 1));
  };
  const close = (): Promise<void> => Promise.resolve();
  return {
    initialize: (params, link) => {
      world.link = link;
      return Promise.resolve({
        result: { protocolVersion: params['protocolVersion'] ?? '', capabilities: {} },
        session: {
          request: async (method, given, exchange) =>
            method === 'tools/list' ? { tools: [] } : await counted(given, exchange),
          notification: (method, given) => void world.heard.push([method, given]),
          close: () => {
            world.closed += 1;
            return Promise.resolve();
          },
        },
      });
    },
    request: async (request, exchange) => {
      world.modern.push(request);
      if (request.method !== 'subscriptions/listen') return { modern: request.method };
      world.exchanges.push(exchange);
      await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
      return {};
    },
    knows: () => true,
    isAtRest: () => true,
    endHost: () => undefined,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Host {
  readonly socket: Socket;
  write(text: string): void;
  send(message: object): void;
  next(): Promise<JsonObject>;
}

type Limits = NonNullable<ServeStreamOptions['limits']>;

/** A host and the front at the two ends of a real socket. */
async function served(limits: Limits = {}): Promise<{ host: Host; world: World; stream: ServedStream }> {
  const folder = mkdtempSync(join(tmpdir(), 'plug-stream-'));
  const server = createServer({ allowHalfOpen: true });
  server.listen(join(folder, 's'));
  await once(server, 'listening');
  const socket = connect(join(folder, 's'));
  const [[incoming]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    unknown,
  ];
  const world: World = {
    heard: [],
    modern: [],
    exchanges: [],
    aborted: [],
    link: undefined,
    closed: 0,
    atOnce: 0,
    atOnceMost: 0,
  };
  const stream = serveStream(fakeGateway(world), incoming, {
    scope: {},
    principal: 'somebody',
    cwd: '/somewhere',
    clock: systemClock,
    ids: systemIds,
    limits,
  });
  onTestFinished(async () => {
    socket.destroy();
    await stream.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
  return { host: hostOn(socket), world, stream };
}

async function opened(limits: Limits = {}, protocolVersion = '2025-11-25'): ReturnType<typeof served> {
  const all = await served(limits);
  all.host.send({ id: 'init', method: 'initialize', params: { protocolVersion } });
  await all.host.next();
  return all;
}

function hostOn(socket: Socket): Host {
  const lines: string[] = [];
  let rest = '';
  let wake: (() => void) | undefined;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts.filter((line) => line !== ''));
    wake?.();
  });
  socket.on('error', () => undefined); // a test may break it
  const write = (text: string): void => void socket.write(text);
  return {
    socket,
    write,
    send: (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    next: async () => {
      while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return JSON.parse(lines.shift() as string) as JsonObject;
    },
  };
}

function resultOf(answer: JsonObject): JsonObject {
  return answer['result'] as JsonObject;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(5);
}

/** Waits until a number does not grow any more. */
async function settled(count: () => number): Promise<void> {
  for (let before = -1; before !== count();) {
    before = count();
    await systemClock.sleep(150);
  }
}
