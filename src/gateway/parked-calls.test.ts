import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Exchange } from './gateway.ts';
import { gatewayLimits } from './limits.ts';
import { ParkedCalls } from './parked-calls.ts';
import { Rounds } from './rounds.ts';
import type { Answer } from './rpc.ts';

const of = { principal: 'ann', subject: 'tools/call "deploy"' };

function exchange(): Exchange & { readonly leave: () => void } {
  const gone = new AbortController();
  return {
    signal: gone.signal,
    notify: () => undefined,
    abort: (reason) => gone.abort(reason),
    leave: () => gone.abort(),
  };
}

function parkedCalls(clock: Clock = systemClock, limits = {}): ParkedCalls {
  return new ParkedCalls({ clock, ids: systemIds, limits: { ...gatewayLimits, ...limits } });
}

const asks = (rounds: Rounds, message: string, key?: string): Promise<JsonObject> =>
  rounds.ask(
    { server: 's', kind: 'elicitation', params: { message }, ...(key === undefined ? {} : { key }) },
    rounds.signal,
  );

function requestsIn(answer: Answer): Record<string, unknown> {
  const requests = (answer as JsonObject)['inputRequests'];
  return isObject(requests) ? requests : {};
}

const stateOf = (answer: Answer): unknown => (answer as JsonObject)['requestState'];

verifies(['G2'], 'a call that asks its host twice goes on where it waited, round by round', async () => {
  const parked = parkedCalls();
  const rounds = new Rounds(exchange(), async (all) => {
    const first = await asks(all, 'name?', 'user');
    const second = await asks(all, 'sure?');
    return { content: [first, second] };
  });
  const one = await parked.next(rounds, of, exchange());
  expect(one).toMatchObject({
    resultType: 'input_required',
    inputRequests: { user: { method: 'elicitation/create', params: { message: 'name?' } } },
  });
  const two = await parked.resume(stateOf(one), { user: { action: 'accept' } }, of, exchange());
  const [key] = Object.keys(requestsIn(two));
  const done = await parked.resume(stateOf(two), { [String(key)]: { action: 'decline' } }, of, exchange());
  expect(done).toEqual({ content: [{ action: 'accept' }, { action: 'decline' }] });
});

test('questions of one moment are asked together, and one that is left open is asked again', async () => {
  const parked = parkedCalls();
  const rounds = new Rounds(exchange(), async (all) => ({
    content: await Promise.all([asks(all, 'a', 'a'), asks(all, 'b', 'b')]),
  }));
  const one = await parked.next(rounds, of, exchange());
  expect(Object.keys(requestsIn(one))).toEqual(['a', 'b']);
  const two = await parked.resume(stateOf(one), { a: { n: 1 } }, of, exchange());
  expect(Object.keys(requestsIn(two))).toEqual(['b']);
  const done = await parked.resume(stateOf(two), { b: { n: 2 } }, of, exchange());
  expect(done).toEqual({ content: [{ n: 1 }, { n: 2 }] });
});

test('a host that has gone for good leaves no call waiting', async () => {
  const parked = parkedCalls();
  const gone = new AbortController();
  const rounds = new Rounds(exchange(), async (all) => ({ content: [await asks(all, '?', 'q')] }));
  const mine = { ...of, gone: gone.signal };
  const one = await parked.next(rounds, mine, exchange());
  gone.abort();
  expect(rounds.signal.aborted).toBe(true);
  expect(() => parked.resume(stateOf(one), { q: {} }, mine, exchange())).toThrow(/not one that waits/);
});

verifies(
  ['G2', 'attack:G2'],
  'a state that was changed, used before, or is another’s opens nothing',
  async () => {
    const parked = parkedCalls();
    const begin = async (): Promise<string> => {
      const rounds = new Rounds(exchange(), async (all) => ({ content: [await asks(all, '?', 'q')] }));
      return String(stateOf(await parked.next(rounds, of, exchange())));
    };
    const answer = { q: { action: 'accept' } };
    const state = await begin();
    const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const wrong of [changed, '', 'x', undefined, 7, `${state}=`, state.slice(4)]) {
      expect(() => parked.resume(wrong, answer, of, exchange())).toThrow(/requestState/);
    }
    expect(() => parked.resume(state, answer, { ...of, principal: 'eve' }, exchange())).toThrow(
      /requestState/,
    );
    expect(() => parked.resume(state, answer, { ...of, subject: 'tools/call "x"' }, exchange())).toThrow();
    expect(() => parkedCalls().resume(state, answer, of, exchange())).toThrow(/requestState/);
    // None of these has used it up.
    expect(await parked.resume(state, answer, of, exchange())).toEqual({ content: [{ action: 'accept' }] });
    expect(() => parked.resume(state, answer, of, exchange())).toThrow(/requestState/);
  },
);

test('a host that never comes back ends the work', async () => {
  let expire: () => void = () => undefined;
  const clock: Clock = {
    ...systemClock,
    after: (_ms, run) => {
      expire = run;
      return () => undefined;
    },
  };
  const rounds = new Rounds(exchange(), async (all) => ({ content: [await asks(all, '?')] }));
  const parked = parkedCalls(clock);
  const state = stateOf(await parked.next(rounds, of, exchange()));
  expect(rounds.signal.aborted).toBe(false);
  expire();
  expect(rounds.signal.aborted).toBe(true);
  expect(() => parked.resume(state, {}, of, exchange())).toThrow(/requestState/);
});

test('a host that leaves in the middle of a round ends the work; after the answer it does not', async () => {
  const parked = parkedCalls();
  const first = exchange();
  const rounds = new Rounds(first, async (all) => {
    await asks(all, '?', 'q');
    return new Promise(() => undefined);
  });
  const state = stateOf(await parked.next(rounds, of, first));
  first.leave();
  expect(rounds.signal.aborted).toBe(false);
  const second = exchange();
  void parked.resume(state, { q: {} }, of, second);
  second.leave();
  expect(rounds.signal.aborted).toBe(true);
});

test('notes go to the round that runs now', async () => {
  const parked = parkedCalls();
  const heard: string[] = [];
  const hearing = (name: string): Exchange => ({
    ...exchange(),
    notify: (method) => heard.push(`${name} ${method}`),
  });
  const rounds = new Rounds(hearing('first'), async (all) => {
    all.notify('one', {});
    await asks(all, '?', 'q');
    all.notify('two', {});
    return {};
  });
  const state = stateOf(await parked.next(rounds, of, hearing('first')));
  await parked.resume(state, { q: {} }, of, hearing('second'));
  expect(heard).toEqual(['first one', 'second two']);
});

test('too many waiting calls are refused, and the refused one ends', async () => {
  const parked = parkedCalls(systemClock, { parkedCallsMax: 1 });
  const make = (): Rounds => new Rounds(exchange(), async (all) => ({ content: [await asks(all, '?')] }));
  await parked.next(make(), of, exchange());
  const second = make();
  await expect(parked.next(second, of, exchange())).rejects.toThrow(/Too many/);
  expect(second.signal.aborted).toBe(true);
  parked.end();
});
