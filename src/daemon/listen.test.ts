import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knock } from '../../test/contracts/knock.ts';
import { temporaryPaths } from '../../test/contracts/running-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { listen, type Listener, type ListenOptions } from './listen.ts';

async function listening(options: Partial<ListenOptions> = {}): Promise<Listener & { port: number }> {
  const listener = await listen({
    fetch: () => Promise.resolve(new Response('ok')),
    socket: join(temporaryPaths().state, 'hub.sock'),
    port: 0,
    clock: systemClock,
    ...options,
  });
  onTestFinished(() => listener.close());
  return { ...listener, port: Number(new URL(listener.url).port) };
}

function opened(port: number, host = '127.0.0.1'): Socket {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  return socket;
}

verifies(['H1', 'attack:A5'], 'the hub listens on 127.0.0.1 alone', async () => {
  const { port, url } = await listening();
  expect(url).toBe(`http://127.0.0.1:${port}`);
  // Every 127.x address reaches a listener of “all interfaces”, and none of them ours.
  for (const host of ['127.0.0.2', '::1']) {
    await expect(once(opened(port, host), 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  expect((await knock({ url }, { path: '/' })).text).toBe('ok');
});

verifies(
  ['H1', 'attack:A12'],
  'hundreds of connections that never finish their request are closed, and others are served',
  async () => {
    const timeouts = { headersMs: 300, requestMs: 600, checkMs: 100 };
    const { port, url } = await listening({ timeouts });
    const half = [
      'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{',
      '',
    ];
    const slow = await Promise.all(
      Array.from({ length: 300 }, async (_, at) => {
        const socket = opened(port);
        await once(socket, 'connect');
        socket.write(half[at % half.length] ?? '');
        return socket.on('error', () => undefined).resume();
      }),
    );
    const closed = Promise.all(slow.map((socket) => once(socket, 'close')));
    for (let at = 0; at < 20; at += 1) expect((await knock({ url }, { path: '/' })).status).toBe(200);
    await closed;
    expect(slow.every((socket) => socket.destroyed)).toBe(true);
  },
  20_000,
);

test('an answer may take longer than a request may', async () => {
  const timeouts = { headersMs: 50, requestMs: 100, checkMs: 20 };
  const late = async (): Promise<Response> => {
    await systemClock.sleep(400);
    return new Response('late');
  };
  const { url } = await listening({ timeouts, fetch: late });
  expect((await knock({ url }, { path: '/' })).text).toBe('late');
});

test('headers beyond the limit are refused', async () => {
  const { url } = await listening();
  const headers = { 'x-long': 'x'.repeat(17 * 1024) };
  expect((await knock({ url }, { path: '/', headers })).status).toBe(431);
});

test('closing waits for the request that is being answered and takes no other', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const listener = await listening({ fetch: () => promise });
  const answer = knock(listener, { path: '/' });
  while (listener.open() === 0) await systemClock.sleep(5);
  const closing = listener.close();
  await expect(knock(listener, { path: '/' })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  resolve(new Response('still'));
  expect((await answer).text).toBe('still');
  await closing;
  expect(listener.open()).toBe(0);
});

test('a port that is taken is said so, with what to do, and nothing keeps listening', async () => {
  const { port } = await listening();
  const socket = join(temporaryPaths().state, 'hub.sock');
  await expect(listening({ port, socket })).rejects.toMatchObject({
    code: 'unavailable',
    owner: 'you',
    next: expect.stringContaining('PLUG_PORT'),
  });
  await expect(knock({ socketPath: socket }, { path: '/' })).rejects.toThrow();
});
