import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { standingClock } from '../../test/scenarios/lifecycle-clock.ts';
import { Link } from '../../test/scenarios/lifecycle-link.ts';
import { verifies } from '../../test/requirements.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { Peer, type PeerOptions } from './peer.ts';

const crash = new PlugError('crashed', 'It crashed.', { owner: 'server' });

function peerOn(transport: Link, clock: Clock, more: Partial<PeerOptions> = {}): Peer {
  return new Peer({
    transport,
    clock,
    server: 'one',
    endError: () => crash,
    onRequest: () => Promise.resolve({}),
    onNotification: () => undefined,
    onEnd: () => undefined,
    ...more,
  });
}

verifies(
  ['C6'],
  'however answers, limits, cancels and the end race, each request ends once and leaves nothing',
  async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const clock = standingClock();
      let state = seed;
      const roll = (below: number): number => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return Math.floor((state / 2_147_483_648) * below);
      };
      const link = new Link((frame, self) => {
        if (frame.method !== 'work') return;
        // Zero, one or two answers, at any time: in time, at the limit, or too late.
        for (let answers = roll(3); answers > 0; answers -= 1) {
          clock.after(roll(40), () => self.say({ id: frame.id ?? 0, result: { of: frame.params?.['n'] } }));
        }
      });
      const peer = peerOn(link, clock);
      const signals: AbortSignal[] = [];
      let ends = 0;
      const requests = Array.from({ length: 20 }, (_, n) => {
        const abort = new AbortController();
        signals.push(abort.signal);
        if (roll(3) === 0) clock.after(roll(40), () => abort.abort());
        return peer.request('work', { n }, { timeoutMs: 20, signal: abort.signal }).then(
          (result) => {
            ends += 1;
            return expect(result).toEqual({ of: n });
          },
          (error: unknown) => {
            ends += 1;
            expect(['call_timeout', 'cancelled', 'crashed']).toContain((error as PlugError).code); // ours
          },
        );
      });
      if (seed % 3 === 0) clock.after(roll(40), () => link.drop());
      await clock.advance(100);
      await Promise.all(requests);
      expect([ends, peer.pending]).toEqual([20, 0]);
      expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
    }
  },
);

verifies(
  ['C6', 'attack:D6'],
  'a request that is given up is cancelled on the other side, and its late answer is dropped',
  async () => {
    const clock = standingClock();
    const link = new Link(() => undefined);
    const peer = peerOn(link, clock);
    const request = peer.request('work', {}, { timeoutMs: 50 });
    const ended = expect(request).rejects.toMatchObject({ code: 'call_timeout' });
    await clock.advance(60);
    await ended;
    expect(link.sent.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 1 } });
    link.say({ id: 1, result: {} });
    link.say({ id: 'nobody', result: {} });
    expect(peer.dropped).toBe(2);
  },
);

test('initialize is never cancelled', async () => {
  const clock = standingClock();
  const link = new Link(() => undefined);
  const request = peerOn(link, clock).request('initialize', {}, { timeoutMs: 50 });
  const ended = expect(request).rejects.toMatchObject({ code: 'call_timeout' });
  await clock.advance(60);
  await ended;
  expect(link.sent).toHaveLength(1);
});

/** The token that the first request asked for progress with. */
function tokenOf({ sent }: Link): unknown {
  const meta = sent[0]?.params?.['_meta'] as { readonly progressToken?: unknown } | undefined; // ours
  return meta?.progressToken;
}

verifies(['C6', 'C15'], 'progress extends the limit up to the last moment', async () => {
  const clock = standingClock();
  const link = new Link(() => undefined);
  const peer = peerOn(link, clock);
  const notes: number[] = [];
  const onProgress = ({ progress }: { progress: number }): unknown => notes.push(progress);
  const request = peer.request('work', {}, { timeoutMs: 100, totalTimeoutMs: 450, onProgress });
  const ended = expect(request).rejects.toMatchObject({ code: 'call_timeout' });
  const progressToken = tokenOf(link);
  for (let step = 1; step <= 6; step += 1) {
    await clock.advance(80);
    link.say({ method: 'notifications/progress', params: { progressToken, progress: step } });
  }
  await ended;
  expect(notes).toEqual([1, 2, 3, 4, 5]);
});

test('closing tells whoever waits at once, says farewell once, and asks the host nothing more', async () => {
  const link = new Link(() => undefined);
  let asked = 0;
  const said: string[] = [];
  const peer = peerOn(link, standingClock(), {
    onRequest: () => {
      asked += 1;
      return Promise.resolve({});
    },
    farewell: async () => {
      said.push(`farewell after ${link.closed} closes`);
    },
  });
  const request = peer.request('work', {}, { timeoutMs: 1_000 });
  const closing = Promise.all([peer.close(), peer.close()]);
  await expect(request).rejects.toMatchObject({ code: 'unavailable' });
  await closing;
  link.say({ id: 7, method: 'elicitation/create' });
  expect([asked, said]).toEqual([0, ['farewell after 0 closes']]);
  await expect(peer.request('work', {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: 'unavailable' });
});

verifies(
  ['C6', 'C15'],
  'while a question of the server is open its time stands still, then goes on; the total limit stays',
  async () => {
    const clock = standingClock();
    const link = new Link(() => undefined);
    const answers: (() => void)[] = [];
    const peer = peerOn(link, clock, {
      isQuestion: (method) => method === 'ask',
      onRequest: () => new Promise((resolve) => answers.push(() => resolve({}))),
    });
    const ended: string[] = [];
    const request = (name: string, totalTimeoutMs = 100_000): void => {
      const limits = { timeoutMs: 1_000, totalTimeoutMs };
      void peer.request(name, {}, limits).catch((error: PlugError) => ended.push(`${name} ${error.code}`));
    };
    request('first');
    await clock.advance(400);
    link.say({ id: 'q1', method: 'ask' });
    await clock.advance(300_000 - 400 - 200_100);
    request('during', 4_000);
    link.say({ id: 'q2', method: 'ask' });
    answers[0]?.();
    await clock.advance(3_999);
    expect(ended).toEqual(['first call_timeout']);
    await clock.advance(1);
    expect(ended).toEqual(['first call_timeout', 'during call_timeout']);

    request('second');
    await clock.advance(400);
    link.say({ method: 'notifications/cancelled', params: { requestId: 'q2' } });
    // It has been silent for a second of its own now, not counting what it waited.
    await clock.advance(999);
    expect(ended).toHaveLength(2);
    await clock.advance(1);
    expect(ended.at(-1)).toBe('second call_timeout');

    // Whoever asks again and again gains no time by it.
    request('third');
    for (let round = 0; round < 20; round += 1) {
      await clock.advance(100);
      link.say({ id: `r${round}`, method: 'ask' });
      await clock.advance(0);
      answers.at(-1)?.();
      await clock.advance(0);
    }
    expect(ended.at(-1)).toBe('third call_timeout');
    link.say({ id: 'ping', method: 'ping' });
    request('last');
    await clock.advance(1_000);
    expect(ended.at(-1)).toBe('last call_timeout');
  },
);

verifies(
  ['C6'],
  'an answer that is wrong in itself fails its request at once, and a null is no part of one',
  async () => {
    const answers: readonly [object, RegExp | undefined][] = [
      [{ result: {}, error: { code: 1, message: 'no' } }, /both a result and an error/],
      [{ result: 'text', error: 'text' }, /both a result and an error/],
      [{}, /neither a result object nor an error/],
      [{ result: 7 }, /neither a result object nor an error/],
      [{ jsonrpc: '1.0', result: {} }, /not JSON-RPC 2.0/],
      [{ result: { fine: true }, error: null }, undefined],
      [{ result: null, error: { code: 1, message: 'no' } }, /answered: no/],
    ];
    for (const [answer, why] of answers) {
      const clock = standingClock();
      const link = new Link((frame, self) => self.say({ id: frame.id ?? 0, ...answer }));
      const asked = peerOn(link, clock).request('work', {}, { timeoutMs: 50 });
      if (why === undefined) expect(await asked).toEqual({ fine: true });
      else await expect(asked).rejects.toThrow(why);
    }
  },
);
