import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { openGateway } from '../../src/gateway/gateway.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { played } from './calls-played.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { local, withHub } from './lifecycle-hub.ts';

const scope = { mode: 'all' } as const;

function namesIn(result: JsonObject, field = 'tools'): readonly string[] {
  return (result[field] as { readonly name: string }[]).map(({ name }) => name); // as specified
}

verifies(
  ['G1', 'G2'],
  'a host that comes while all servers sleep sees everything at once, and a call wakes its server',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      for (const id of ['one', 'two', 'three']) await hub.servers.add({ definition: local(id, 'legacy') });
      await hub.servers.stopAll();
      const before = spawns();
      await using gateway = openGateway({ hub, clock: systemClock, ids: systemIds, version: '1.0.0' });
      const host = modernHost(gateway, scope);
      const names = namesIn(await host.request('tools/list'));
      for (const id of ['one', 'two', 'three']) expect(names).toContain(`${id}__echo`);
      expect((await host.request('resources/list'))['resources']).toHaveLength(9);
      expect(spawns()).toBe(before);
      const args = { message: 'up' };
      expect(firstText(await host.request('tools/call', { name: 'two__echo', arguments: args }))).toBe('up');
      expect(spawns()).toBe(before + 1);
    });
  },
);

verifies(['C12', 'G1'], 'ten host sessions on five shareable servers are five processes', async () => {
  await withHub({}, async ({ hub, spawns }) => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    // Each with another command line: equal ones would even share one process.
    for (const [index, id] of ids.entries()) {
      await hub.servers.add({ definition: local(id, id < 'c' ? 'modern' : 'legacy', { page: 100 + index }) });
    }
    await hub.servers.stopAll();
    const before = spawns();
    await using gateway = openGateway({ hub, clock: systemClock, ids: systemIds, version: '1.0.0' });
    const hosts = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? legacyHost(gateway, scope) : Promise.resolve(modernHost(gateway, scope)),
      ),
    );
    const pids = await Promise.all(
      hosts.flatMap((host) =>
        ids.map(async (id) =>
          firstText(await host.request('tools/call', { name: `${id}__pid`, arguments: {} })),
        ),
      ),
    );
    expect(new Set(pids).size).toBe(5);
    expect(spawns()).toBe(before + 5);
  });
});

verifies(
  ['G2'],
  'long lists come in pages, and a page of a list that changed meanwhile is refused',
  async () => {
    const tool = (name: string): Parameters<typeof played>[1] => ({ name, inputSchema: { type: 'object' } });
    const server = played('many', ...Array.from({ length: 25 }, (_, index) => tool(`t${index}`)));
    const { gateway, hub } = await gatewayWorld([server.definition], { limits: { pageItemsMax: 10 } });
    const host = modernHost(gateway, { server: 'many' });
    const all: string[] = [];
    // Some hosts write null for none.
    let cursor: string | null | undefined = null;
    do {
      const page: JsonObject = await host.request('tools/list', { cursor });
      expect(page).toMatchObject({
        resultType: 'complete',
        cacheScope: 'private',
        ttlMs: expect.any(Number),
      });
      all.push(...namesIn(page));
      cursor = page['nextCursor'] as string | undefined; // as specified
    } while (cursor !== undefined);
    expect(all).toEqual(Array.from({ length: 25 }, (_, index) => `t${index}`));
    const first = await host.request('tools/list');
    server.offer(tool('other'));
    await waitFor(async () => namesIn(await host.request('tools/list')).includes('other'), 10_000);
    await expect(host.request('tools/list', { cursor: first['nextCursor'] as string })).rejects.toThrow(
      /changed/,
    ); // as specified
    await expect(host.request('tools/list', { cursor: 'nonsense' })).rejects.toThrow(/none of ours/);
    expect(await hub.servers.get({ id: 'many' })).toMatchObject({ toolCount: 1 });
  },
);

verifies(
  ['G2'],
  'a tool that is gone, switched off or of a stopped server says why and what to do',
  async () => {
    const tool = (name: string): Parameters<typeof played>[1] => ({ name, inputSchema: { type: 'object' } });
    const server = played('notes', tool('create_note'), tool('list_notes'));
    const { gateway, hub } = await gatewayWorld([server.definition], { rules: 'permissive' });
    const host = modernHost(gateway, scope);
    const call = (name: string): Promise<JsonObject> => host.request('tools/call', { name, arguments: {} });
    await hub.tools.setEnabled({ ref: 'notes/list_notes', enabled: false });
    await expect(call('notes__list_notes')).rejects.toThrow(/disabled.*plug tools enable notes\/list_notes/s);
    server.offer(tool('list_notes'));
    await waitFor(
      async () => !namesIn(await host.request('tools/list')).includes('notes__create_note'),
      10_000,
    );
    await expect(call('notes__create_note')).rejects.toThrow(/notes/);
    await expect(call('notes__create_nte')).rejects.toThrow(/There is no tool/);
    await hub.servers.disable({ id: 'notes' });
    const disabled = await call('notes__list_notes').catch((error: unknown) => ({
      content: [{ text: String(error) }],
    }));
    expect(firstText(disabled)).toMatch(/plug enable notes/);
  },
);

verifies(
  ['G1', 'attack:G4'],
  'a profile shows its own servers only, tools, resources and prompts alike',
  async () => {
    const { gateway, hub } = await gatewayWorld([local('work', 'legacy'), local('play', 'legacy')]);
    await hub.profiles.save({ name: 'office', servers: ['work'] });
    const host = await legacyHost(gateway, { profile: 'office', mode: 'all' });
    const tools = namesIn(await host.request('tools/list'));
    expect(tools.some((name) => name.startsWith('work__'))).toBe(true);
    expect(tools.some((name) => name.startsWith('play__'))).toBe(false);
    expect(JSON.stringify(await host.request('resources/list'))).not.toContain('plug://play/');
    expect(namesIn(await host.request('prompts/list'), 'prompts')).toEqual(['work__plain', 'work__greet']);
    const outside = await host
      .request('tools/call', { name: 'play__echo', arguments: { message: 'x' } })
      .catch(String);
    expect(JSON.stringify(outside)).not.toContain('"text":"x"');
    await expect(legacyHost(gateway, { server: 'nobody' })).rejects.toThrow(/no server “nobody”/);
  },
);

test('what one host changes is told to all, and a list that stays the same is not', async () => {
  const tool = (name: string): Parameters<typeof played>[1] => ({ name, inputSchema: { type: 'object' } });
  const server = played('notes', tool('one'));
  const { gateway } = await gatewayWorld([server.definition]);
  const [all, lean] = await Promise.all([
    legacyHost(gateway, scope),
    legacyHost(gateway, { mode: 'search' }),
  ]);
  await all.request('tools/list');
  await lean.request('tools/list');
  server.offer(tool('one'), tool('two'));
  await waitFor(() => all.notes.some(({ method }) => method === 'notifications/tools/list_changed'), 10_000);
  await systemClock.sleep(300);
  expect(lean.notes).toEqual([]);
});
