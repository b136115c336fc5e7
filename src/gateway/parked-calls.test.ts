import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { systemIds } from '../base/ids.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Exchange } from './gateway.ts';
import { gatewayLimits } from './limits.ts';
import { ParkedCalls } from './parked-calls.ts';
import { Rounds, type HostWay } from './rounds.ts';
import type { Answer } from './rpc.ts';

const of = {
  principal: 'ann',
  host: 'a link',
  named: 'a host',
  method: 'tools/call',
  params: { name: 'deploy', arguments: { to: 'test', tag: 1 } },
};

interface TestWay extends HostWay {
  readonly leave: () => void;
}

/** A request of the host, with its own progress token. */
function way(heard?: (method: string, params: JsonObject) => void, progressToken?: string): TestWay {
  const gone = new AbortController();
  const exchange: Exchange = {
    signal: gone.signal,
    notify: (method, params) => heard?.(method, params),
    abort: (reason) => gone.abort(reason),
  };
  return { exchange, progressToken, logLevel: undefined, leave: () => gone.abort() };
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
  const rounds = new Rounds(way(), async (all) => {
    const first = await asks(all, 'name?', 'user');
    const second = await asks(all, 'sure?');
    return { content: [first, second] };
  });
  const one = await parked.next(rounds, of, way());
  expect(one).toMatchObject({
    resultType: 'input_required',
    inputRequests: { user: { method: 'elicitation/create', params: { message: 'name?' } } },
  });
  const two = await parked.resume(stateOf(one), { user: { action: 'accept' } }, of, way());
  const [key] = Object.keys(requestsIn(two));
  const done = await parked.resume(stateOf(two), { [String(key)]: { action: 'decline' } }, of, way());
  expect(done).toEqual({ content: [{ action: 'accept' }, { action: 'decline' }] });
});

test('questions of one moment are asked together, and one that is left open is asked again', async () => {
  const parked = parkedCalls();
  const rounds = new Rounds(way(), async (all) => ({
    content: await Promise.all([asks(all, 'a', 'a'), asks(all, 'b', 'b')]),
  }));
  const one = await parked.next(rounds, of, way());
  expect(Object.keys(requestsIn(one))).toEqual(['a', 'b']);
  const two = await parked.resume(stateOf(one), { a: { n: 1 } }, of, way());
  expect(Object.keys(requestsIn(two))).toEqual(['b']);
  const done = await parked.resume(stateOf(two), { b: { n: 2 } }, of, way());
  expect(done).toEqual({ content: [{ n: 1 }, { n: 2 }] });
});

test('a host that has gone for good leaves no call waiting', async () => {
  const parked = parkedCalls();
  const gone = new AbortController();
  const rounds = new Rounds(way(), async (all) => ({ content: [await asks(all, '?', 'q')] }));
  const mine = { ...of, gone: gone.signal };
  const one = await parked.next(rounds, mine, way());
  gone.abort();
  expect(rounds.signal.aborted).toBe(true);
  expect(() => parked.resume(stateOf(one), { q: {} }, mine, way())).toThrow(/requestState/);
});

verifies(
  ['G2', 'attack:G2'],
  'a state that was changed, used before, or is another’s opens nothing',
  async () => {
    const parked = parkedCalls();
    const begin = async (): Promise<string> => {
      const rounds = new Rounds(way(), async (all) => ({ content: [await asks(all, '?', 'q')] }));
      return String(stateOf(await parked.next(rounds, of, way())));
    };
    const answer = { q: { action: 'accept' } };
    const state = await begin();
    const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const wrong of [changed, '', 'x', undefined, 7, `${state}=`, state.slice(4)]) {
      expect(() => parked.resume(wrong, answer, of, way())).toThrow(/requestState/);
    }
    const others = [
      { ...of, host: 'another link' },
      { ...of, method: 'prompts/get' },
      { ...of, params: { ...of.params, name: 'destroy' } },
      { ...of, params: { ...of.params, arguments: { to: 'production', tag: 1 } } },
      { ...of, params: { name: 'deploy' } },
    ];
    for (const other of others) {
      expect(() => parked.resume(state, answer, other, way()), JSON.stringify(other)).toThrow(/requestState/);
    }
    expect(() => parkedCalls().resume(state, answer, of, way())).toThrow(/requestState/);
    // None of these has used it up.
    const reordered = { ...of, params: { arguments: { tag: 1, to: 'test' }, name: 'deploy' } };
    expect(await parked.resume(state, answer, reordered, way())).toEqual({
      content: [{ action: 'accept' }],
    });
    expect(() => parked.resume(state, answer, of, way())).toThrow(/requestState/);
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
  const rounds = new Rounds(way(), async (all) => ({ content: [await asks(all, '?')] }));
  const parked = parkedCalls(clock);
  const state = stateOf(await parked.next(rounds, of, way()));
  expect(rounds.signal.aborted).toBe(false);
  expire();
  expect(rounds.signal.aborted).toBe(true);
  expect(() => parked.resume(state, {}, of, way())).toThrow(/requestState/);
});

test('a host that leaves in the middle of a round ends the work; after the answer it does not', async () => {
  const parked = parkedCalls();
  const first = way();
  const rounds = new Rounds(first, async (all) => {
    await asks(all, '?', 'q');
    return new Promise(() => undefined);
  });
  const state = stateOf(await parked.next(rounds, of, first));
  first.leave();
  expect(rounds.signal.aborted).toBe(false);
  const second = way();
  void parked.resume(state, { q: {} }, of, second);
  second.leave();
  expect(rounds.signal.aborted).toBe(true);
});

verifies(
  ['G2'],
  'progress goes to the retry, under its token: also what came while the host made up its answers',
  async () => {
    const parked = parkedCalls();
    const heard: string[] = [];
    const round = (name: string, token?: string): TestWay =>
      way((method, { progress, progressToken }) => {
        heard.push(JSON.stringify([name, method, progress, progressToken]));
      }, token);
    const meanwhile = Promise.withResolvers<void>();
    const later = Promise.withResolvers<void>();
    const rounds = new Rounds(round('first', 'a'), async (all) => {
      const note = (progress: number): void =>
        all.notify('notifications/progress', { progress, progressToken: 'a' });
      note(1);
      const asked = asks(all, '?', 'q');
      await meanwhile.promise;
      note(2);
      later.resolve();
      await asked;
      note(3);
      return {};
    });
    const state = stateOf(await parked.next(rounds, of, round('first', 'a')));
    meanwhile.resolve();
    await later.promise;
    await parked.resume(state, { q: {} }, of, round('second', 'b'));
    const progress = 'notifications/progress';
    expect(heard.map((each) => JSON.parse(each) as unknown)).toEqual([
      ['first', progress, 1, 'a'],
      ['second', progress, 2, 'b'],
      ['second', progress, 3, 'b'],
    ]);
  },
);

test('of too many calls that wait, a host loses its own oldest, and no other host any', async () => {
  const parked = parkedCalls(systemClock, { parkedCallsMax: 2 });
  const make = (): Rounds => new Rounds(way(), async (all) => ({ content: [await asks(all, '?')] }));
  const [others, ...own] = [make(), make(), make(), make()];
  await parked.next(others, { ...of, principal: 'bob' }, way());
  for (const each of own) await parked.next(each, of, way());
  expect([others, ...own].map(({ signal }) => signal.aborted)).toEqual([false, true, false, false]);
  parked.end();
});
