import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { isAlive, startHttpFixture, waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { historyOf, local, remote, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C7'],
  'local and remote servers stop when idle and wake on the next call; keep-alive and own limits count',
  async () => {
    await using server = await startHttpFixture('legacy-stateful-sse');
    const limits = { localIdleMs: 300, remoteIdleMs: 600, sweepMs: 50 };
    await withHub({ limits }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [
          local('idle', 'legacy'),
          local('kept', 'legacy', { name: 'kept' }, { keepAlive: true }),
          local('patient', 'legacy', { name: 'patient' }, { timeouts: { idleMs: 600_000 } }),
          local('watched', 'legacy', { name: 'watched' }),
          remote('remote', server.url),
        ],
      });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const pid = Number(await textOf(hub, 'idle/pid'));
      await hub.resources.subscribe({ server: 'watched', uri: 'test://watched' });
      await waitForState(hub, 'idle', 'asleep');
      await waitFor(() => !isAlive(pid));
      await waitForState(hub, 'remote', 'asleep');
      await waitFor(async () => (await server.stats()).sessionsOpen === 0);
      expect(await stateOf(hub, 'idle')).toMatchObject({
        reason: expect.stringContaining('starts again on first use'),
      });
      for (const id of ['kept', 'patient', 'watched']) expect((await stateOf(hub, id)).kind).toBe('ready');
      expect((await historyOf(hub, 'idle')).at(-1)).toBe('DISCONNECTED SYSTEM');
      expect(await textOf(hub, 'idle/echo', { message: 'awake' })).toBe('awake');
      expect(await textOf(hub, 'remote/echo', { message: 'awake' })).toBe('awake');

      await hub.resources.unsubscribe({ server: 'watched', uri: 'test://watched' });
      await waitForState(hub, 'watched', 'asleep');
      // A changed wish counts at once, although the process is the same.
      const { servers } = await hub.servers.list();
      expect(servers.find(({ id }) => id === 'kept')?.state.kind).toBe('ready');
      const kept = local('kept', 'legacy', { name: 'kept' }, { keepAlive: false });
      await hub.servers.apply({ definitions: [kept] });
      await waitForState(hub, 'kept', 'asleep');
    });
  },
  SLOW,
);

verifies(
  ['C7'],
  'a server that works on a call for longer than the idle limit is left alone',
  async () => {
    await withHub({ limits: { localIdleMs: 200, sweepMs: 50 } }, async ({ hub, spawns }) => {
      await hub.servers.add({ definition: local('one', 'legacy') });
      expect(await textOf(hub, 'one/slow', { ms: 1_500, steps: 1 })).toBe('done after 1 steps');
      await waitForState(hub, 'one', 'asleep');
      expect(spawns()).toBeLessThanOrEqual(2);
    });
  },
  SLOW,
);

verifies(
  ['C7'],
  'past the number of live servers the longest idle one stops, a busy one never',
  async () => {
    await withHub({ limits: { liveLocalServersMax: 2, localRoomMs: 500 } }, async ({ hub, folder, seen }) => {
      const ids = ['a', 'b', 'c', 'd'];
      await hub.servers.apply({ definitions: ids.map((id) => local(id, 'legacy', { name: id })) });
      const kinds = async (): Promise<readonly string[]> =>
        Promise.all(ids.map(async (id) => (await stateOf(hub, id)).kind));
      await textOf(hub, 'a/pid');
      await textOf(hub, 'b/pid');
      await textOf(hub, 'a/pid');
      await textOf(hub, 'c/pid');
      expect(await kinds()).toEqual(['ready', 'asleep', 'ready', 'asleep']);
      expect((await stateOf(hub, 'b')).reason).toBe('Stopped to make room for another server.');

      const abort = new AbortController();
      const busy = ['a', 'c'].map((id) =>
        hub.tools.call({ tool: `${id}/hang`, args: { file: `${folder}/${id}` } }, { signal: abort.signal }),
      );
      // Each is shown twice: when it is asked for, and when it was approved and runs.
      const runs = (): number =>
        seen.filter(
          (event) => event.kind === 'call' && event.call.tool === 'hang' && event.call.state === 'using',
        ).length;
      await expect.poll(runs).toBe(4);
      const refused = hub.tools.call({ tool: 'd/pid' });
      await expect(refused).rejects.toMatchObject({ code: 'unavailable', next: 'plug list' });
      expect(await kinds()).toEqual(['ready', 'asleep', 'ready', 'asleep']);
      const waiting = textOf(hub, 'd/pid');
      abort.abort();
      await Promise.allSettled(busy);
      await waiting;
      expect((await kinds()).filter((kind) => kind === 'ready')).toHaveLength(2);
      expect((await stateOf(hub, 'd')).kind).toBe('ready');
    });
  },
  SLOW,
);
