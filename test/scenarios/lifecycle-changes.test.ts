import { expect } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { startGate } from './lifecycle-gate.ts';
import { local, QUICK, remote, textOf, waitForState, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

const has = async (hub: Hub, ref: string): Promise<boolean> =>
  (await hub.tools.list()).tools.some((tool) => tool.ref === ref);

verifies(
  ['C10'],
  'a tool that a server adds is in the catalog and told to whoever watches, in each era and transport',
  async () => {
    await using modern = await startHttpFixture('modern');
    await using legacy = await startHttpFixture('legacy-stateful-sse');
    await using json = await startHttpFixture('legacy-stateful-json');
    await withHub({ limits: { listRefreshMinMs: 100 } }, async ({ hub, seen }) => {
      const servers = [
        local('pipe-modern', 'modern'),
        local('pipe-legacy', 'legacy'),
        remote('http-modern', modern.url),
        remote('http-legacy', legacy.url),
        remote('http-json', json.url),
      ];
      await hub.servers.apply({ definitions: servers });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      for (const { id } of servers) {
        await textOf(hub, `${id}/change`, { add: 'later' });
        await waitFor(() => has(hub, `${id}/later`));
        expect(await textOf(hub, `${id}/later`)).toBe('later');
        const tools = { added: ['later'], removed: [], changed: [] };
        expect(seen).toContainEqual({ kind: 'manifest-change', server: id, ...tools, lists: ['tools'] });
      }
    });
  },
  SLOW,
);

verifies(
  ['C10', 'attack:E15'],
  'a storm of changes costs a few refreshes, and the last change is not missed',
  async () => {
    await using server = await startHttpFixture('modern');
    await withHub({ limits: { listRefreshMinMs: 400 } }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [remote('one', server.url), local('loud', 'storms', { count: 5_000 })],
      });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const lists = async (): Promise<number> => (await server.stats()).methods['tools/list'] ?? 0;
      const before = await lists();
      const begun = performance.now();
      for (let burst = 0; burst < 10; burst += 1) {
        const names = Array.from({ length: 10 }, (_, index) => `added-${burst}-${index}`);
        await Promise.all(names.map((add) => textOf(hub, 'one/change', { add })));
      }
      await waitFor(() => has(hub, 'one/added-9-9'), 10_000);
      const windows = Math.ceil((performance.now() - begun) / 400);
      expect((await lists()) - before).toBeLessThanOrEqual(windows + 1);
      expect(await textOf(hub, 'loud/echo', { message: 'still here' })).toBe('still here');
    });
  },
  SLOW,
);

verifies(
  ['C10', 'C9'],
  'a listening stream that breaks is opened again, and what changed meanwhile is found',
  async () => {
    await using server = await startHttpFixture('modern');
    await using gate = await startGate(server.url);
    await withHub({ limits: { ...QUICK, listRefreshMinMs: 50 } }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [remote('one', gate.url), remote('beside', server.url)] });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const listens = async (): Promise<number> =>
        (await server.stats()).methods['subscriptions/listen'] ?? 0;
      await waitFor(async () => (await listens()) === 2);
      gate.mode = 503;
      gate.cut();
      await textOf(hub, 'beside/change', { add: 'meanwhile' });
      gate.mode = 'open';
      await waitFor(async () => (await listens()) >= 3, 10_000);
      await waitFor(() => has(hub, 'one/meanwhile'), 10_000);
      await textOf(hub, 'beside/change', { add: 'afterwards' });
      await waitFor(() => has(hub, 'one/afterwards'), 10_000);
    });
  },
  SLOW,
);

verifies(
  ['C10', 'C15'],
  'a subscription outlives a crash and a restart of its server',
  async () => {
    await withHub({ limits: QUICK }, async ({ hub, seen }) => {
      const servers = [local('modern', 'modern'), local('legacy', 'legacy')];
      await hub.servers.apply({ definitions: servers });
      const updates = (server: string): number =>
        seen.filter((event) => event.kind === 'resource-update' && event.server === server).length;
      const touched = async (server: string): Promise<void> => {
        const before = updates(server);
        await waitFor(async () => {
          await textOf(hub, `${server}/touch`);
          return updates(server) > before;
        }, 10_000);
      };
      for (const { id } of servers) {
        await hub.resources.subscribe({ server: id, uri: 'test://watched' });
        await touched(id);
        await expect(textOf(hub, `${id}/crash`)).rejects.toMatchObject({ code: 'crashed' });
        await waitForState(hub, id, 'ready');
        await touched(id);
        await hub.servers.restart({ id });
        await touched(id);
        await hub.resources.unsubscribe({ server: id, uri: 'test://watched' });
      }
    });
  },
  SLOW,
);
