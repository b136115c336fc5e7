import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import type { Approval, Hub } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { signIn } from '../sign-in/signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { shared } from '../suite/run-resources.ts';
import { startCountingServer, type CountingServer } from './counting-server.ts';
import { openReplicas, type Replicas } from './replicas-world.ts';
import { directoryOf } from './scim-client.ts';
import type { Member } from './team-world.ts';

let world: Replicas;
let member: Member;
let counting: CountingServer;
let delayMs = 0;
let ports: readonly [number, number];
let hubs: readonly [Hub, Hub];
beforeAll(async () => {
  counting = await startCountingServer(() => delayMs);
  world = await openReplicas(await shared('database'), 2);
  member = await world.invited('mira');
  ports = world.balancer.targets.slice(0, 2) as [number, number]; // it has two
  hubs = [world.hubAt(ports[0], member), world.hubAt(ports[1], member)];
  await hubs[0].servers.add({ definition: remote('count', counting.url), test: false });
}, 200_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await counting[Symbol.asyncDispose]();
});

const remote = (id: string, url: string) =>
  defineServer({ id, endpoint: { kind: 'http', url, headers: {} } });
const ASKING = { requester: 'person', approval: 'wait' } as const;

verifies(
  ['M3'],
  'what is asked on one replica is heard, listed and answered on the other; the first answer wins',
  async () => {
    const [here, there] = hubs;
    const heard: string[] = [];
    const watching = new AbortController();
    const watched = (async () => {
      for await (const { kind } of there.watch({ signal: watching.signal })) heard.push(kind);
    })();
    // A stream is not told of what was before it.
    await waitFor(async () => {
      await here.servers.restart({ id: 'count' });
      return heard.length > 0;
    });
    const called = here.tools.call({ tool: 'count/add_number', args: { n: 1 }, ...ASKING });
    await waitFor(async () => (await there.approvals.list()).length > 0);
    const [{ id, argsHash } = { id: '', argsHash: '' }] = await there.approvals.list();
    await waitFor(() => heard.includes('approval-request'));
    const answers = await Promise.allSettled(
      [there, here].map((hub) => hub.approvals.answer({ id, effect: 'allow', argsHash })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await called).result).toMatchObject({ content: [{ text: '1' }] });
    expect(counting.counts.get(1)).toBe(1);
    await waitFor(() => heard.includes('approval-answer'));
    watching.abort();
    await watched;
  },
);

verifies(
  ['M3', 'M6'],
  'a call that an admin has to approve is listed and answered on every replica',
  async () => {
    const rule = '{ "name": "two", "when": { "tool": "count/*" }, "then": "ask", "approvers": "admins" }';
    const set = (rules: object) => world.owner.ask('PUT', '/v1/team/rules', { rules });
    expect((await set({ '': `{ "rules": [${rule}] }` })).status).toBe(200);
    for (const [index, port] of ports.entries()) {
      const n = 50 + index; // below those of the test that counts up
      const called = hubs[0].tools.call({ tool: 'count/add_number', args: { n }, ...ASKING });
      const waiting = async (at: number): Promise<readonly { readonly approval: Approval }[]> =>
        (await world.seenAt(at, world.owner, '/v1/team/approvals')) as []; // as the team answers
      await waitFor(async () => (await waiting(port)).length === 1);
      const [{ approval: { id, argsHash } } = NONE] = await waiting(port);
      const path = `/v1/team/approvals/${id}`;
      const said = await world.seenAt(port, world.owner, path, { effect: 'allow', argsHash });
      expect(said).toEqual({ outcome: 'allowed' });
      expect((await called).result).toMatchObject({ content: [{ text: String(n) }] });
      await waitFor(async () => (await waiting(port)).length === 0);
    }
    expect((await set({})).status).toBe(200);
  },
);

const NONE = { approval: { id: '', argsHash: '' } };

verifies(
  ['M3', 'O3'],
  'a token that expires under load is refreshed once, whichever replicas the calls came to',
  async () => {
    await using as = await startAuthorizationServer({ ttl: 1, refreshedTtl: 3_600 });
    await using server = await startProtectedServer({ issuer: as.url });
    const definition = remote('site', server.url);
    await hubs[0].servers.add({ definition, test: false });
    // Written by one replica, in force on the other.
    await hubs[0].policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
    // The browser comes back to the team's address, whichever replica answers there.
    const session = { at: world.url, cookie: member.cookie };
    await signIn(hubs[0], { server: 'site' }, { session });
    const calls = Array.from({ length: 40 }, (_, index) => hubs[index % 2] ?? hubs[0]);
    await systemClock.sleep(1_100); // the token's own time
    await Promise.all(calls.map((hub) => hub.tools.call({ tool: 'site/echo', args: { message: 'in' } })));
    expect(await as.grants('refresh_token')).toEqual({ good: 1, bad: 0 });
  },
);

verifies(['M3', 'M1'], 'what a team shares and who is in it holds on every replica at once', async () => {
  const leaver = await world.invited('lea');
  const other = world.hubAt(ports[1], leaver);
  await other.servers.list();
  const TEAM = { 'plug-space': 'team' };
  const definition = remote('wiki', counting.url);
  expect((await world.owner.ask('POST', '/v1/servers', { definition, test: false }, TEAM)).status).toBe(200);
  await waitFor(async () => (await other.servers.list()).servers.some(({ id }) => id === 'wiki'));
  const streams = new AbortController();
  const ended = (async () => {
    for await (const event of other.watch({ signal: streams.signal })) void event;
  })().catch(() => 'refused');
  expect((await world.owner.ask('DELETE', `/v1/team/people/${leaver.id}`)).status).toBe(204);
  for (const port of ports) {
    await waitFor(() =>
      world
        .hubAt(port, leaver)
        .servers.list()
        .then(
          () => false,
          () => true,
        ),
    );
  }
  streams.abort();
  await ended;
});

verifies(
  ['M5', 'M3'],
  'a directory that deactivates somebody ends their running calls, whichever replicas are involved',
  async () => {
    const directory = await directoryOf(world.owner, world.url);
    const leaver = await world.invited('lars');
    const [here, there] = ports.map((port) => world.hubAt(port, leaver)) as [Hub, Hub]; // there are two
    await here.servers.add({ definition: remote('own', counting.url), test: false });
    await here.policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
    await here.tools.call({ tool: 'own/get_number', args: { n: 100 } });
    // Longer than the test may take: only the end of the person ends it.
    delayMs = 600_000;
    const running = [here, there].map((hub, index) =>
      hub.tools.call({ tool: 'own/get_number', args: { n: 101 + index } }).catch((error: unknown) => error),
    );
    await waitFor(() => counting.counts.has(101) && counting.counts.has(102));
    delayMs = 0;
    // Through the balancer: it may be the one that serves them, or the other.
    const off = { op: 'Replace', path: 'active', value: 'False' };
    expect((await directory.patch(`/Users/${leaver.id}`, off)).status).toBe(200);
    for (const ended of await Promise.all(running)) expect(ended).toBeInstanceOf(Error);
    for (const hub of [here, there]) await expect(hub.servers.list()).rejects.toThrow();
    expect((await directory.patch(`/Users/${leaver.id}`, { ...off, value: true })).status).toBe(200);
    for (const hub of [here, there]) await expect(hub.servers.list()).rejects.toThrow();
  },
);

verifies(['M3'], 'a replica that stops hands over what it held, and no call is lost', async () => {
  const extra = await world.start();
  const mover = await world.invited('mo');
  // Whoever is asked first holds the rows.
  const there = world.hubAt(ports[0], mover);
  const through = world.hubAt(extra.port, mover);
  await through.servers.add({ definition: remote('count', counting.url), test: false });
  await through.policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
  const stopped = new AbortController();
  const stopping = extra.team.close().finally(() => stopped.abort());
  let n = 1_000; // another test of this file counts from 100
  for (; !stopped.signal.aborted; n += 1) await there.tools.call({ tool: 'count/get_number', args: { n } });
  await stopping;
  await there.tools.call({ tool: 'count/get_number', args: { n } });
  const numbers = Array.from({ length: n - 999 }, (_, index) => counting.counts.get(index + 1_000));
  expect(numbers.every((count) => count === 1)).toBe(true);
  expect(world.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

verifies(['M6'], 'quotas and rules of the team hold for everybody at once, on every replica', async () => {
  const [here, there] = hubs;
  const call = (hub: Hub, tool = 'get_number') => hub.tools.call({ tool: `count/${tool}`, args: { n: -1 } });
  const put = async (what: 'quotas' | 'rules', value: unknown, who = world.owner) =>
    (await who.ask('PUT', `/v1/team/${what}`, { [what]: value })).status;
  expect(await put('quotas', [{ calls: 3, per: 'day' }], member)).toBe(403);
  expect(await put('quotas', [{ calls: 'many', per: 'day' }])).toBe(400);
  expect(await put('rules', { '': '{ "rules": [{ }] }' })).toBe(400);
  await call(here);
  expect(
    await put('quotas', [
      { calls: 3, per: 'day', server: 'count' },
      { calls: 4, per: 'day', of: 'all' },
    ]),
  ).toBe(200);
  // Told to the other replica a moment later.
  const known = async (port: number): Promise<number> =>
    ((await world.seenAt(port, world.owner, '/v1/team/quotas')) as readonly unknown[]).length;
  for (const port of ports) await waitFor(async () => (await known(port)) === 2);
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => call(n % 2 ? here : there)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(call(there)).rejects.toMatchObject({ code: 'rate_limited' });
  // What all have together counts for the next person, too.
  const other = await world.invited('otto');
  const others = world.hubAt(ports[1], other);
  await others.servers.add({ definition: remote('count', counting.url), test: false });
  await others.policy.setDefaults({ call: { read: 'allow', write: 'allow', unknown: 'allow' } });
  await call(others);
  await expect(call(others)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await put('quotas', [])).toBe(200);
  await waitFor(() =>
    call(others).then(
      () => true,
      () => false,
    ),
  );

  const group = { name: 'readers', members: [member.id] };
  expect((await world.owner.ask('POST', '/v1/team/groups', group)).status).toBe(200);
  const deny = '{ "rules": [{ "name": "no adding", "when": { "tool": "*/add_number" }, "then": "deny" }] }';
  expect(await put('rules', { readers: deny })).toBe(200);
  await waitFor(() =>
    call(there, 'add_number').then(
      () => false,
      ({ code }) => code === 'denied',
    ),
  );
  await call(there);
  await call(others, 'add_number');
  expect(
    await put('rules', { '': JSON.stringify({ defaults: { call: { write: 'ask', unknown: 'ask' } } }) }),
  ).toBe(200);
  // One's own defaults may be stricter, not laxer.
  await waitFor(() =>
    call(there, 'add_number').then(
      () => false,
      ({ code }) => code === 'approval_required',
    ),
  );
  expect(await put('rules', {})).toBe(200);
  await waitFor(() =>
    call(there, 'add_number').then(
      () => true,
      () => false,
    ),
  );
});
