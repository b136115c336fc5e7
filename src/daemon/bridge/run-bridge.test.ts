import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { systemIds } from '../../base/ids.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Exchange, Gateway, HostLink } from '../../gateway/gateway.ts';
import { openStreamFront } from '../../gateway/stream/upgrade.ts';
import { verifies } from '../../../test/requirements.ts';
import { bridgeLimits } from './limits.ts';
import { openStream } from './open-stream.ts';
import { runBridge } from './run-bridge.ts';

verifies(['G1'], 'a host on stdio is carried to the hub, and its end ends the bridge', async () => {
  const { host, hub, ended } = bridged();
  await host.open();
  host.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { echo: 'ü' } } });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { echo: 'ü', hub: 1 } });
  expect(hub.said).toContain('notifications/initialized');
  expect(hub.scopes).toEqual([{ folder: '/a folder/ü' }]);
  host.input.end();
  await ended;
  expect(host.rest()).toBe('');
});

test('answers under way when the host closes its input still arrive', async () => {
  const { host, ended } = bridged();
  await host.open();
  host.send({ id: 1, method: 'tools/call', params: { name: 'slow' } });
  host.input.end();
  expect(await host.next()).toMatchObject({ id: 1, result: { slow: true } });
  await ended;
});

test('a hub that dies in the middle of a call is replaced: the call fails, the next one works', async () => {
  const { host, hub, spoken } = bridged();
  await host.open();
  host.send({ id: 5, method: 'tools/call', params: { name: 'hang' } });
  await until(() => hub.hanging === 1);
  hub.kill();
  expect(await host.next()).toEqual({
    jsonrpc: '2.0',
    id: 5,
    error: { code: -32603, message: 'The hub restarted while this ran; call again.' },
  });
  host.send({ id: 6, method: 'tools/call', params: { name: 'echo', arguments: { echo: 'again' } } });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 6, result: { echo: 'again', hub: 2 } });
  // The new hub heard the host's own words, and the host heard nothing of it.
  expect(hub.initialized).toEqual([
    { protocolVersion: '2025-11-25', who: 'me' },
    { protocolVersion: '2025-11-25', who: 'me' },
  ]);
  expect(hub.said.filter((method) => method === 'notifications/initialized')).toHaveLength(2);
  expect(hub.starts).toBe(2);
  expect(spoken).toHaveLength(1);
});

test('what a dead hub leaves is answered under the ids as they were written', async () => {
  const { host, hub } = bridged();
  await host.open();
  const ids = ['9007199254740992', '9007199254740993', '1e400', String.raw`"\ud800"`];
  const call = '"method":"tools/call","params":{"name":"hang"}';
  for (const id of [...ids, '-0']) host.input.write(`{"jsonrpc":"2.0","id":${id},${call}}\n`);
  await until(() => hub.hanging === 5);
  // The same id in another spelling.
  host.send({ method: 'notifications/cancelled', params: { requestId: 0 } });
  await until(() => hub.hanging === 4);
  hub.kill();
  const answered: string[] = [];
  for (const _ of ids) answered.push(/"id":([^,]+),"error"/.exec(await host.line())?.[1] ?? '');
  expect(answered).toEqual(ids);
  host.send({ id: 6, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 6, result: {} });
});

test('a hub that was stopped stays so until the host wants something', async () => {
  const { host, hub } = bridged();
  await host.open();
  hub.kill();
  await systemClock.sleep(500);
  expect(hub.starts).toBe(1);
  host.send({ id: 1, method: 'tools/list' });
  expect(await host.next()).toMatchObject({ id: 1 });
  expect(hub.starts).toBe(2);
});

test('a hub that is restarted by somebody else is found again, and its news reach the host', async () => {
  const { host, hub } = bridged();
  await host.open();
  hub.kill();
  await hub.start();
  await until(() => hub.initialized.length === 2);
  await until(() => hub.link !== undefined);
  hub.link?.notify('notifications/tools/list_changed', {});
  expect(await host.next()).toEqual({
    jsonrpc: '2.0',
    method: 'notifications/tools/list_changed',
    params: {},
  });
});

test('a question that dies with its hub is taken back, and its late answer harms nobody', async () => {
  const { host, hub } = bridged();
  await host.open();
  host.send({ id: 1, method: 'tools/call', params: { name: 'ask' } });
  const question = await host.next();
  expect(question).toMatchObject({ method: 'elicitation/create' });
  hub.kill();
  expect(await host.next()).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: question['id'] },
  });
  expect(await host.next()).toMatchObject({ id: 1, error: { code: -32603 } });
  host.send({ id: 2, method: 'tools/call', params: { name: 'ask' } });
  const second = await host.next();
  host.send({ id: question['id'], result: { action: 'decline' } });
  host.send({ id: second['id'], result: { action: 'accept' } });
  expect(await host.next()).toMatchObject({ id: 2, result: { said: { action: 'accept' } } });
});

test('a subscription of a modern host lives on with the next hub', async () => {
  const { host, hub } = bridged();
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  host.send({ id: 'sub', method: 'subscriptions/listen', params: { _meta } });
  expect(await host.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  hub.kill();
  await hub.start();
  expect(await host.next()).toMatchObject({ method: 'notifications/subscriptions/acknowledged' });
  expect(hub.initialized).toEqual([]);
});

test('a cancelled call is not answered when the hub dies later', async () => {
  const { host, hub, spoken } = bridged();
  await host.open();
  host.send({ id: 5, method: 'tools/call', params: { name: 'hang' } });
  await until(() => hub.hanging === 1);
  host.send({ method: 'notifications/cancelled', params: { requestId: 5 } });
  host.send({ id: 6, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 6 });
  hub.kill();
  await until(() => spoken.length === 1);
  host.send({ id: 7, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 7, result: {} });
});

test('ten thousand requests at once come back complete, each under its id', async () => {
  const { host } = bridged();
  await host.open();
  for (let id = 1; id <= 10_000; id += 1) {
    host.send({ id, method: 'tools/call', params: { name: 'echo', arguments: { echo: `e${id}` } } });
  }
  const seen = new Map<unknown, unknown>();
  while (seen.size < 10_000) {
    const { id, result } = await host.next();
    seen.set(id, (result as JsonObject)['echo']);
  }
  expect([...seen].every(([id, echo]) => echo === `e${String(id)}`)).toBe(true);
});

test('lines larger than what is held pass whole in both directions', async () => {
  const { host } = bridged({ heldLineBytesMax: 1_000 });
  await host.open();
  const echo = 'é'.repeat(500_000);
  host.send({ id: 1, method: 'tools/call', params: { name: 'echo', arguments: { echo } } });
  expect(await host.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { echo, hub: 1 } });
});

test('a line whose beginning a dead hub took is answered with an error, and the next one works', async () => {
  const { host, hub } = bridged({ heldLineBytesMax: 1_000 });
  await host.open();
  const line = JSON.stringify({
    method: 'tools/call',
    params: { name: 'echo', arguments: { echo: 'x'.repeat(50_000) } },
    jsonrpc: '2.0',
    id: 'cut',
  });
  host.input.write(line.slice(0, 30_000));
  await systemClock.sleep(50);
  hub.kill();
  await hub.start();
  await until(() => hub.initialized.length === 2);
  host.input.write(`${line.slice(30_000)}\n`);
  expect(await host.next()).toMatchObject({ id: 'cut', error: { code: -32603 } });
  host.send({ id: 2, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 2, result: {} });
});

test('when no hub can be started again, what the host asks is answered with the reason', async () => {
  const { host, hub, spoken } = bridged({ startsMax: 2, retryBaseMs: 10 });
  await host.open();
  hub.broken = true;
  hub.kill();
  await until(() => spoken.length === 1);
  host.send({ id: 9, method: 'tools/list' });
  expect(await host.next()).toMatchObject({
    id: 9,
    error: { code: -32603, message: expect.stringContaining('The disk is full.') as string },
  });
  hub.broken = false;
  host.send({ id: 10, method: 'ping' });
  expect(await host.next()).toMatchObject({ id: 10, result: {} });
});

test('a wrong scope is refused at once with the hub’s own sentence', async () => {
  const { ended } = bridged({}, { mode: 'everything' });
  await expect(ended).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('There is no mode') as string,
  });
});

test('a host that goes away aborts its call in the hub', async () => {
  const { host, hub, stop, ended } = bridged();
  await host.open();
  host.send({ id: 5, method: 'tools/call', params: { name: 'hang' } });
  await until(() => hub.hanging === 1);
  stop();
  await ended;
  await until(() => hub.hanging === 0);
  expect(hub.hanging).toBe(0);
});

interface ToyHub {
  kill(): void;
  start(): Promise<void>;
  broken: boolean;
  starts: number;
  hanging: number;
  link: HostLink | undefined;
  readonly said: string[];
  readonly scopes: unknown[];
  readonly initialized: JsonObject[];
}

interface ToyHost {
  readonly input: PassThrough;
  open(): Promise<void>;
  send(message: object): void;
  next(): Promise<JsonObject>;
  line(): Promise<string>;
  rest(): string;
}

/** A bridge with a host made of two streams, and a hub that listens on a real socket. */
function bridged(
  limits: Partial<typeof bridgeLimits> | Record<string, number> = {},
  scope: { readonly mode?: string } = {},
): { host: ToyHost; hub: ToyHub; ended: Promise<void>; spoken: string[]; stop: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'plug-bridge-'));
  const socketPath = join(folder, 's');
  const hub = toyHub(socketPath);
  const input = new PassThrough();
  const output = new PassThrough();
  const stopped = new AbortController();
  const spoken: string[] = [];
  const stop = (): void => stopped.abort();
  const ended = runBridge({
    input,
    output,
    open: (signal) =>
      openStream({
        ...scope,
        socketPath,
        folder: '/a folder/ü',
        clock: systemClock,
        limits: bridgeLimits,
        signal,
      }),
    start: () => hub.start(),
    say: (sentence) => void spoken.push(sentence),
    clock: systemClock,
    ids: systemIds,
    signal: stopped.signal,
    limits,
  });
  ended.catch(() => undefined); // the test that expects it looks itself
  onTestFinished(async () => {
    stop();
    await ended.catch(() => undefined);
    hub.kill();
    rmSync(folder, { recursive: true });
  });
  return { host: toyHost(input, output), hub, ended, spoken, stop };
}

function toyHost(input: PassThrough, output: PassThrough): ToyHost {
  const lines: string[] = [];
  let rest = '';
  let wake: (() => void) | undefined;
  output.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    wake?.();
  });
  const send = (message: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const line = async (): Promise<string> => {
    while (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    return lines.shift() ?? '';
  };
  const next = async (): Promise<JsonObject> => JSON.parse(await line()) as JsonObject; // as specified
  return {
    input,
    send,
    next,
    line,
    rest: () => lines.join('') + rest,
    open: async () => {
      send({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', who: 'me' } });
      expect(await next()).toMatchObject({ id: 0, result: {} });
      send({ method: 'notifications/initialized' });
    },
  };
}

function toyHub(socketPath: string): ToyHub {
  let server: Server | undefined;
  const toy: ToyHub = {
    broken: false,
    starts: 0,
    hanging: 0,
    link: undefined,
    said: [],
    scopes: [],
    initialized: [],
    start: async () => {
      if (toy.broken) throw new PlugError('hub_unavailable', 'The disk is full.', { owner: 'you' });
      if (server) return;
      toy.starts += 1;
      server = createServer();
      const front = openStreamFront({
        gateway: toyGateway(toy, toy.starts),
        admit: ({ header }) => ({ principal: 'me', folder: decodeURIComponent(header('plug-folder') ?? '') }),
        clock: systemClock,
        ids: systemIds,
      });
      server.on('upgrade', (request, socket, head) => {
        killers.push(() => socket.destroy());
        front.upgrade(request, socket, head, 'socket');
      });
      server.listen(socketPath);
      await once(server, 'listening');
    },
    kill: () => {
      server?.close();
      server = undefined;
      toy.link = undefined;
      for (const kill of killers.splice(0)) kill();
    },
  };
  const killers: (() => void)[] = [];
  return toy;
}

function toyGateway(toy: ToyHub, number: number): Gateway {
  const call = async ({ name, arguments: args }: JsonObject, exchange: Exchange): Promise<JsonObject> => {
    if (name === 'slow') {
      await systemClock.sleep(100);
      return { slow: true };
    }
    if (name === 'ask') {
      return { said: (await toy.link?.ask('elicitation/create', {}, { signal: exchange.signal })) ?? null };
    }
    if (name === 'hang') {
      toy.hanging += 1;
      await new Promise((resolve) => exchange.signal.addEventListener('abort', resolve));
      toy.hanging -= 1;
    }
    return { ...(args as JsonObject), hub: number };
  };
  const close = (): Promise<void> => Promise.resolve();
  return {
    initialize: (params, link) => {
      toy.link = link;
      toy.initialized.push(params);
      toy.scopes.push(link.scope);
      return Promise.resolve({
        result: { protocolVersion: '2025-11-25' },
        session: {
          request: async (method, given, exchange) =>
            method === 'tools/call' ? await call(given, exchange) : { tools: [] },
          notification: (method) => void toy.said.push(method),
          close,
        },
      });
    },
    request: async (_request, exchange) => {
      exchange.notify('notifications/subscriptions/acknowledged', {});
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

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(5);
}
