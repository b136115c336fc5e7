import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { createHttpClient, type HttpClient, type RateLimited, retryAfterMs } from './http-client.ts';

interface Busy extends AsyncDisposable {
  readonly url: string;
  readonly http: HttpClient;
  readonly bodies: string[];
  readonly slept: number[];
  readonly told: RateLimited[];
}

/** A real listener that refuses with these answers in turn, and a clock whose waits pass at once. */
async function busyServer(
  refusals: readonly (readonly [status: number, retryAfter?: string])[],
): Promise<Busy> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      const refusal = refusals[bodies.length - 1];
      if (refusal === undefined) return response.end('done');
      const [status, retryAfter] = refusal;
      return response
        .writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter })
        .end('busy');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const slept: number[] = [];
  const told: RateLimited[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      slept.push(ms);
    },
  };
  const http = createHttpClient({ clock, ids: systemIds, onRateLimited: (event) => told.push(event) });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP listener has such an address
    http,
    bodies,
    slept,
    told,
    [Symbol.asyncDispose]: async () => {
      await http.close();
      server.close();
    },
  };
}

verifies(['C14'], 'a busy server is asked again after the time it names, and the call succeeds', async () => {
  await using busy = await busyServer([
    [429, '7'],
    [503, '3'],
  ]);
  const response = await busy.http.fetch(busy.url, { method: 'POST', body: 'call' });
  expect(await response.text()).toBe('done');
  expect(busy.bodies).toEqual(['call', 'call', 'call']);
  expect(busy.slept).toEqual([7_000, 3_000]);
  expect(busy.told).toEqual([
    { waitMs: 7_000, attempt: 1 },
    { waitMs: 3_000, attempt: 2 },
  ]);
});

verifies(
  ['C14'],
  'without a named time the waits grow from 1 s, with jitter, and stay within 60 s',
  async () => {
    await using busy = await busyServer([[429], [429], [429], [429], [429]]);
    expect((await busy.http.fetch(busy.url)).status).toBe(200);
    expect(busy.slept).toHaveLength(5);
    for (const [index, ms] of busy.slept.entries()) {
      expect(ms).toBeGreaterThanOrEqual(Math.min(30_000, 1_000 * 2 ** index));
      expect(ms).toBeLessThanOrEqual(Math.min(60_000, 2_000 * 2 ** index));
    }
  },
);

verifies(['C14'], 'a named time is held within 1 s and 60 s', async () => {
  await using busy = await busyServer([
    [429, '0'],
    [429, '86400'],
    [429, new Date(Date.now() - 60_000).toUTCString()],
    [429, new Date(Date.now() + 3_600_000).toUTCString()],
  ]);
  await busy.http.fetch(busy.url);
  expect(busy.slept).toEqual([1_000, 60_000, 1_000, 60_000]);
});

verifies(['C14'], 'a server that stays busy is given up, with the time to wait', async () => {
  await using busy = await busyServer(Array.from({ length: 20 }, () => [429, '9'] as const));
  await expect(busy.http.fetch(busy.url)).rejects.toMatchObject({
    code: 'rate_limited',
    owner: 'server',
    next: 'Wait 9 s, then try again.',
    details: { retryAfterMs: 9_000, attempts: 6 },
  });
  expect(busy.bodies).toHaveLength(6);
});

test('a 503 without a time is handed over as it is', async () => {
  await using busy = await busyServer([[503]]);
  expect((await busy.http.fetch(busy.url)).status).toBe(503);
  expect(busy.slept).toEqual([]);
});

test('a wait ends when its call is cancelled, and nothing more is sent', async () => {
  await using busy = await busyServer([[429, '30']]);
  const patient = createHttpClient({ clock: systemClock, ids: systemIds });
  const abort = new AbortController();
  const call = patient.fetch(busy.url, { signal: abort.signal });
  await expect.poll(() => busy.bodies.length).toBe(1);
  abort.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  expect(busy.bodies).toHaveLength(1);
  await patient.close();
});

test('Retry-After is read as seconds or as a date, and otherwise ignored', () => {
  const clock: Clock = { ...systemClock, now: () => Date.parse('2026-01-01T00:00:00Z') };
  expect(retryAfterMs('5', clock)).toBe(5_000);
  expect(retryAfterMs('Thu, 01 Jan 2026 00:00:20 GMT', clock)).toBe(20_000);
  for (const value of [null, '', '-3', '1.5', 'soon', 'Thu, nonsense', '2026-01-01']) {
    expect(retryAfterMs(value, clock)).toBeUndefined();
  }
});
