import { expect, test, vi } from 'vitest';
import {
  legacyHost,
  open,
  send,
  startFront,
  type Coming,
  type Sent,
} from '../../../test/contracts/http-host.ts';
import { toyGateway, type ToyGateway } from '../../../test/contracts/toy-gateway.ts';
import { verifies } from '../../../test/requirements.ts';
import type { Answer } from '../rpc.ts';

/** A gateway whose call reports a step for each `step()`, and ends with `finish()`. */
function steppingGateway(): { gateway: ToyGateway; step: (at: number) => void; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const gateway = toyGateway({
    steps: ({ exchange }) => {
      exchange.notify('notifications/progress', { at: 0 });
      exchange.signal.addEventListener('abort', () => resolve({ aborted: true }));
      return promise;
    },
  });
  return {
    gateway,
    step: (at) => gateway.reached[0]?.exchange.notify('notifications/progress', { at }),
    finish: () => resolve({ done: true }),
  };
}

/** What the events say, until the stream ends. */
async function rest(coming: Coming): Promise<unknown[]> {
  const said: unknown[] = [];
  for (let event = await coming.next(); event; event = await coming.next()) said.push(meaning(event.data));
  return said;
}

function meaning(data: string): unknown {
  const { params, result } = JSON.parse(data) as { params?: { at: number }; result?: unknown };
  return params?.at ?? result;
}

const comingBack = (sent: Sent, id: string): Sent => {
  const { body: _none, ...get } = { ...sent, method: 'GET' };
  return { ...get, headers: { ...get.headers, 'last-event-id': id } };
};

verifies(
  ['G2', 'C15'],
  'a host whose connection broke in the middle of a call comes back for the rest of its answer',
  async () => {
    const { gateway, step, finish } = steppingGateway();
    const { port } = await startFront(gateway);
    const host = await legacyHost(port);
    const call = await open(port, host.asking('steps'));
    const first = await call.next();
    expect(call.primings).toEqual([expect.stringMatching(/^id: \S+\nretry: \d+\ndata: $/)]);
    step(1);
    expect(meaning((await call.next())?.data ?? '')).toBe(1);
    call.drop();
    await call.ended;
    step(2);
    const back = await open(port, comingBack(host.asking('steps'), first?.id ?? ''));
    step(3);
    finish();
    expect(await rest(back)).toEqual([1, 2, 3, { done: true }]);
    expect(gateway.aborted).toEqual([]);
    // The answer was lost with the connection: it is still there.
    const priming = /^id: (.*)$/m.exec(call.primings[0] ?? '')?.[1] ?? '';
    const again = await open(port, comingBack(host.asking('steps'), priming));
    expect(await rest(again)).toEqual([0, 1, 2, 3, { done: true }]);
  },
);

verifies(['G2', 'attack:G2'], 'a stream is continued in its own session alone', async () => {
  const { gateway, finish } = steppingGateway();
  const { port } = await startFront(gateway);
  const [mine, theirs] = [await legacyHost(port), await legacyHost(port)];
  const call = await open(port, mine.asking('steps'));
  const { id = '' } = (await call.next()) ?? {};
  expect((await open(port, comingBack(theirs.asking('steps'), id))).status).toBe(405);
  finish();
  expect(await rest(call)).toEqual([{ done: true }]);
});

test('a stream that was read to its end, or was cancelled, is not opened again', async () => {
  const { gateway, finish } = steppingGateway();
  const { port } = await startFront(gateway);
  const host = await legacyHost(port);
  const call = await open(port, host.asking('steps', {}, 'a'));
  const first = await call.next();
  const cancelled = await open(port, host.asking('steps', {}, 'b'));
  const progress = await cancelled.next();
  const params = { requestId: 'b' };
  await send(port, host.saying({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
  await cancelled.ended;
  finish();
  const last = await call.next();
  expect(first?.id).not.toBe(last?.id);
  for (const seen of [last, progress]) {
    expect((await open(port, comingBack(host.asking('steps'), seen?.id ?? ''))).status).toBe(405);
  }
});

test('hosts of older revisions get no event without data', async () => {
  const { gateway, finish } = steppingGateway();
  const { port } = await startFront(gateway);
  const host = await legacyHost(port, { version: '2025-06-18' });
  const call = await open(port, host.asking('steps'));
  finish();
  expect(await rest(call)).toEqual([0, { done: true }]);
  expect(call.primings).toEqual([]);
});

test('what a stream keeps is bounded: beyond that, a broken connection ends the call', async () => {
  const { gateway, step } = steppingGateway();
  const { port } = await startFront(gateway, { bounds: { resumableBytesMax: 100 } });
  const host = await legacyHost(port);
  const call = await open(port, host.asking('steps'));
  await call.next();
  for (const at of [1, 2, 3]) step(at);
  expect(meaning((await call.next())?.data ?? '')).toBe(1);
  call.drop();
  await vi.waitFor(() => expect(gateway.aborted).toEqual([expect.stringMatching(/gone/)]));
  expect((await send(port, host.asking('echo'))).status).toBe(200);
});
