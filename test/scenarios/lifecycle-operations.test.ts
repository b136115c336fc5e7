import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { isAlive, waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { historyOf, local, QUICK, stateOf, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C11'],
  'start, stop, restart, reconnect and toggle may each be asked for twice',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [local('one', 'legacy')] });
      const [first, again] = await Promise.all([
        hub.servers.start({ id: 'one' }),
        hub.servers.start({ id: 'one' }),
      ]);
      expect(again.process?.pid).toBe(first.process?.pid);
      expect((await hub.servers.start({ id: 'one' })).process?.pid).toBe(first.process?.pid);
      expect(spawns()).toBe(1);

      await Promise.all([hub.servers.stop({ id: 'one' }), hub.servers.stop({ id: 'one' })]);
      expect(isAlive(first.process?.pid ?? 0)).toBe(false);
      expect((await hub.servers.stop({ id: 'one' })).state.kind).toBe('asleep');
      expect(await historyOf(hub, 'one')).toEqual(['CONNECTED USER', 'DISCONNECTED USER']);

      const restarted = await Promise.all([
        hub.servers.restart({ id: 'one' }),
        hub.servers.restart({ id: 'one' }),
      ]);
      expect(restarted.map(({ state }) => state.kind)).toEqual(['ready', 'ready']);
      expect(spawns()).toBe(2);
      const reconnected = await hub.servers.reconnect({ id: 'one' });
      expect(reconnected.process?.pid).not.toBe(restarted[0]?.process?.pid);
      expect((await hub.servers.reconnect({ id: 'one' })).state.kind).toBe('ready');
      expect(spawns()).toBe(4);

      for (const _ of [1, 2]) expect((await hub.servers.disable({ id: 'one' })).state.kind).toBe('disabled');
      await expect(hub.servers.start({ id: 'one' })).rejects.toMatchObject({
        code: 'disabled',
        next: 'plug enable one',
      });
      for (const _ of [1, 2]) expect((await hub.servers.enable({ id: 'one' })).state.kind).toBe('asleep');
      expect(await textOf(hub, 'one/echo', { message: 'on' })).toBe('on');
    });
  },
  SLOW,
);

verifies(
  ['C11'],
  'a stop in the middle of a start or a restart wins, and whoever waited is told',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({
        definitions: [local('slow', 'late-start', { ms: 2_000 }), local('one', 'legacy')],
      });
      const starting = hub.servers.start({ id: 'slow' }).catch((error: unknown) => error);
      const calling = textOf(hub, 'slow/echo', { message: 'x' }).catch((error: unknown) => error);
      await waitForState(hub, 'slow', 'starting');
      expect((await hub.servers.stop({ id: 'slow' })).state.kind).toBe('asleep');
      for (const told of [starting, calling]) expect(await told).toMatchObject({ code: 'unavailable' });

      await hub.servers.start({ id: 'one' });
      const restarting = hub.servers.restart({ id: 'one' }).catch((error: unknown) => error);
      await waitFor(async () => (await stateOf(hub, 'one')).kind !== 'ready');
      await hub.servers.stop({ id: 'one' });
      expect(await restarting).toMatchObject({ code: 'unavailable' });
      const before = spawns();
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await stateOf(hub, 'one')).kind).toBe('asleep');
      expect(spawns()).toBe(before);
      expect(await textOf(hub, 'one/echo', { message: 'wakes' })).toBe('wakes');
    });
  },
  SLOW,
);

verifies(
  ['C11', 'C8'],
  'a stop during the wait before a restart ends the matter; a start does not wait for it',
  async () => {
    const backoffMs = patience(500);
    await withHub({ limits: { restartBackoffBaseMs: backoffMs } }, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [local('one', 'legacy')] });
      await textOf(hub, 'one/pid');
      await expect(textOf(hub, 'one/crash')).rejects.toMatchObject({ code: 'crashed' });
      expect(await stateOf(hub, 'one')).toMatchObject({
        kind: 'starting',
        reason: expect.stringMatching(/exit code 7.*Restarting in .* s \(1 of 3\)/),
      });
      expect(await hub.servers.stopAll()).toEqual(['one']);
      expect((await stateOf(hub, 'one')).kind).toBe('asleep');
      await new Promise((resolve) => setTimeout(resolve, backoffMs * 1.2));
      expect([spawns(), (await stateOf(hub, 'one')).kind]).toEqual([1, 'asleep']);

      await textOf(hub, 'one/pid');
      await expect(textOf(hub, 'one/crash')).rejects.toMatchObject({ code: 'crashed' });
      expect((await hub.servers.start({ id: 'one' })).state.kind).toBe('ready');
      await new Promise((resolve) => setTimeout(resolve, backoffMs * 1.2));
      expect(spawns()).toBe(3);
    });
  },
  SLOW,
);

verifies(
  ['C11'],
  'restart-failed starts those that failed, and nothing once all are well; stop-all answers whom it stopped',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub, folder, spawns }) => {
      const broken = local('broken', 'crashes-n', { n: 4, file: `${folder}/starts` });
      await hub.servers.apply({ definitions: [local('good', 'modern'), broken] });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const pid = await textOf(hub, 'good/pid');
      expect((await stateOf(hub, 'broken')).kind).toBe('failed');
      expect(await hub.servers.restartFailed()).toEqual(['broken']);
      expect((await stateOf(hub, 'broken')).kind).toBe('ready');
      expect(await hub.servers.restartFailed()).toEqual([]);
      expect([await textOf(hub, 'good/pid'), spawns()]).toEqual([pid, 6]);
      expect((await hub.servers.stopAll()).toSorted()).toEqual(['broken', 'good']);
      expect(await hub.servers.stopAll()).toEqual([]);
      expect((await hub.status()).overall).toBe('idle');
    });
  },
  SLOW,
);

verifies(
  ['C11'],
  'setting the servers touches only what is different, and the same once more touches nothing',
  async () => {
    await withHub({}, async ({ hub }) => {
      const servers = [
        local('kept', 'legacy'),
        local('changed', 'legacy', { page: 9 }),
        local('gone', 'modern'),
      ];
      expect(await hub.servers.apply({ definitions: servers })).toMatchObject({
        added: ['kept', 'changed', 'gone'],
        errors: {},
      });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const [kept, changed, gone] = await Promise.all(
        ['kept', 'changed', 'gone'].map(async (id) => Number(await textOf(hub, `${id}/pid`))),
      );
      const bad = { ...local('fine', 'legacy'), id: 'Not An Id' };
      const next = [
        local('kept', 'legacy'),
        local('changed', 'legacy', { page: 8 }),
        local('new', 'modern'),
        bad,
      ];
      const outcome = { added: ['new'], changed: ['changed'], kept: ['kept'], removed: ['gone'] };
      const applied = await hub.servers.apply({ definitions: next });
      expect(applied).toMatchObject(outcome);
      expect(applied.errors).toMatchObject({ 'Not An Id': { code: 'usage' } });
      expect(Number(await textOf(hub, 'kept/pid'))).toBe(kept);
      expect(Number(await textOf(hub, 'changed/pid'))).not.toBe(changed);
      expect([isAlive(kept ?? 0), isAlive(changed ?? 0), isAlive(gone ?? 0)]).toEqual([true, false, false]);
      expect(await hub.servers.apply({ definitions: next.slice(0, 3) })).toMatchObject({
        added: [],
        changed: [],
        removed: [],
        kept: ['kept', 'changed', 'new'],
      });
      expect(Number(await textOf(hub, 'kept/pid'))).toBe(kept);
      const events = await hub.servers.events();
      expect(events.filter(({ server }) => server === 'gone').map(({ kind, by }) => [kind, by])).toEqual([
        ['DISCONNECTED', 'USER'],
        ['CONNECTED', 'USER'],
      ]);
    });
  },
  SLOW,
);

verifies(
  ['C11'],
  'waiting until ready reports each server, ends at its time limit, and can be left',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub, folder }) => {
      await hub.servers.apply({
        definitions: [
          local('good', 'modern'),
          local('recovers', 'crashes-n', { n: 1, file: `${folder}/starts` }),
          defineServer({
            id: 'wrong',
            endpoint: { kind: 'stdio', command: 'no-such-command', args: [], env: {} },
          }),
          local('hangs', 'hangs-in-handshake'),
        ],
      });
      const progress: string[] = [];
      const { overall } = await hub.servers.waitUntilReady(
        { ids: ['good', 'recovers', 'wrong'], timeoutMs: 30_000 },
        {
          onProgress: ({ ready, total, server, state }) => {
            progress.push(`${server} ${state.kind}`);
            expect([total, ready <= total]).toEqual([3, true]);
          },
        },
      );
      expect(progress.toSorted()).toEqual(['good ready', 'recovers ready', 'wrong failed']);
      expect(overall).toBe('partial');

      const late = await hub.servers.waitUntilReady({ ids: ['hangs'], timeoutMs: 300 });
      expect(late.servers.find(({ id }) => id === 'hangs')?.state.kind).toBe('starting');
      const abort = new AbortController();
      const waiting = hub.servers.waitUntilReady({ ids: ['hangs'] }, { signal: abort.signal });
      abort.abort();
      await expect(waiting).rejects.toMatchObject({ code: 'cancelled', owner: 'you' });
      await expect(hub.servers.waitUntilReady({ ids: ['nobody'] })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  },
  SLOW,
);
