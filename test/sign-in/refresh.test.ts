import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { killRefreshes } from './refresh-kills.ts';
import { refreshStorm } from './refresh-storm.ts';
import { scratchFolder } from './scratch-folder.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';
import { startTwin } from './twin.ts';

verifies(
  ['O3', 'attack:F11'],
  '10 calls of each of 5 processes on one expired token: one refresh, no browser, 50 answers',
  async () => {
    for (let run = 0; run < 3; run += 1) {
      expect(await refreshStorm({ processes: 5, calls: 10 })).toEqual({
        refreshes: { good: 1, bad: 0 },
        browsers: 0,
        calls: { ok: 50 },
      });
    }
  },
  180_000,
);

verifies(
  ['O3', 'attack:F12'],
  'a process killed in the middle of a refresh leaves a token that works or one clear “sign in again”',
  async () => {
    const { worked, signInAgain, wrong } = await killRefreshes(5);
    expect(wrong).toEqual([]);
    expect(worked + signInAgain).toBe(5);
  },
  120_000,
);

verifies(
  ['O3'],
  'a hub that is stopped in the middle of a refresh keeps the new token, and nobody has to sign in again',
  async () => {
    using folder = scratchFolder();
    await using as = await startAuthorizationServer({ slow: 100 });
    await using server = await startProtectedServer({ issuer: as.url });
    let ahead = 0;
    const options = { folder: folder.path, clock: clockAhead(() => ahead) };
    {
      await using hub = await openTestHub(options);
      await hub.servers.add({ definition: remoteServer(server.url), test: false });
      await signIn(hub);
    }
    for (let round = 1; round <= 10; round += 1) {
      ahead += 7_200_000;
      const hub = await openTestHub(options);
      const asked = as.post('/_token');
      const called = Promise.allSettled([callTool(hub, 'site/echo', { message: 'cut off' })]);
      // At another moment each time: while the request is judged, answered, or its answer is saved.
      await asked;
      await sleep(round * 20);
      await hub.close();
      await called;
      await using next = await openTestHub(options);
      expect(await callTool(next, 'site/echo', { message: 'on' })).toBe('on');
      expect(await as.grants('refresh_token')).toEqual({ good: round, bad: 0 });
    }
  },
  60_000,
);

verifies(
  ['O3', 'attack:F13'],
  'a process that slept through a refresh goes on with the new token, and harms nobody',
  async () => {
    using folder = scratchFolder();
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    let ahead = 0;
    const options = { folder: folder.path, clock: clockAhead(() => ahead) };
    await using first = await openTestHub(options);
    await first.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(first);
    await using second = await openTestHub(options);
    const both = [first, second];
    for (const hub of both) expect(await callTool(hub, 'site/echo', { message: 'a' })).toBe('a');
    for (let round = 1; round <= 3; round += 1) {
      ahead += 7_200_000;
      for (const hub of both) expect(await callTool(hub, 'site/echo', { message: 'b' })).toBe('b');
      expect(await as.grants('refresh_token')).toEqual({ good: round, bad: 0 });
    }
  },
  60_000,
);

verifies(
  ['O3'],
  'when the tokens of many servers expire in one moment, each is renewed once',
  async () => {
    const SERVERS = 20;
    const CALLS = 10;
    let ahead = 0;
    await using twins = new AsyncDisposableStack();
    await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
    const own = await Promise.all(Array.from({ length: SERVERS }, async () => twins.use(await startTwin())));
    for (const [index, twin] of own.entries()) {
      await hub.servers.add({ definition: remoteServer(twin.url, { id: `s${index}` }), test: false });
      await signIn(hub, { server: `s${index}` });
    }
    ahead = 4_000_000;
    const calls = own.flatMap((_, index) =>
      Array.from({ length: CALLS }, () => callTool(hub, `s${index}/echo`, { message: 'x' })),
    );
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['x']));
    const refreshes = own.map((twin) =>
      twin.to('/token').filter(({ form }) => form.get('grant_type') === 'refresh_token'),
    );
    expect(refreshes.map((each) => each.length)).toEqual(Array(SERVERS).fill(1));
    expect(own.map((twin) => twin.to('/authorize').length)).toEqual(Array(SERVERS).fill(1));
  },
  60_000,
);
