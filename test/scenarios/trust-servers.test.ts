import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Endpoint } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { meet, offered, scriptedServer, toolIn, toolNamed, unasked } from './catalog-server.ts';
import { remote, stateOf, textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const tools = [toolNamed('read_note'), toolNamed('write_note'), toolNamed('delete_note'), toolNamed('frob')];

verifies(
  ['P2', 'P3'],
  'on a trusted server only what reads runs unasked, and trust can be taken back at any time',
  async () => {
    const server = scriptedServer('notes', tools);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      const asks = {
        code: 'approval_required',
        owner: 'you',
        next: expect.stringContaining('plug grants add'),
      };
      for (const { name } of tools) await expect(unasked(hub, `notes/${name}`)).rejects.toMatchObject(asks);
      expect(server.calls()).toEqual([]);
      expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ trust: 'none' });

      for (const session of [true, false]) {
        const { trust } = await hub.servers.trust({ id: 'notes', session });
        expect(trust).toBe(session ? 'session' : 'kept');
        expect(await unasked(hub, 'notes/read_note')).toMatchObject({
          allowedBy: expect.stringContaining('trust'),
        });
        for (const { name } of tools.slice(1)) {
          await expect(unasked(hub, `notes/${name}`)).rejects.toMatchObject(asks);
        }
        expect((await hub.servers.untrust({ id: 'notes' })).trust).toBe('none');
        await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject(asks);
      }
      expect(server.calls()).toEqual(['read_note', 'read_note']);
    });
  },
  SLOW,
);

verifies(
  ['P3'],
  'trust for a session ends with the hub, kept trust does not, and a removed server takes it along',
  async () => {
    const [brief, lasting] = [scriptedServer('brief', tools), scriptedServer('lasting', tools)];
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    await withHub({ folder, storage }, async ({ hub }) => {
      await meet(hub, brief, lasting);
      await hub.servers.trust({ id: 'brief', session: true });
      await hub.servers.trust({ id: 'lasting' });
      await unasked(hub, 'brief/read_note');
    });
    await withHub({ folder, storage }, async ({ hub }) => {
      expect(await hub.servers.get({ id: 'brief' })).toMatchObject({ trust: 'none' });
      await expect(unasked(hub, 'brief/read_note')).rejects.toMatchObject({ code: 'approval_required' });
      await unasked(hub, 'lasting/read_note');

      await hub.servers.remove({ id: 'lasting' });
      const other = scriptedServer('lasting', [toolNamed('read_note', { description: 'Another one.' })]);
      for (const { definition } of [lasting, other]) {
        await hub.servers.add({ definition, replace: true });
        expect(await hub.servers.get({ id: 'lasting' })).toMatchObject({ trust: 'none' });
        await expect(unasked(hub, 'lasting/read_note')).rejects.toMatchObject({ code: 'approval_required' });
      }
      // Nor do the pins of the old one stand in the way of a new one of its name.
      expect(await offered(hub)).toContain('lasting/read_note');
      expect(other.calls()).toEqual([]);
    });
    expect([brief.calls(), lasting.calls()]).toEqual([['read_note'], ['read_note']]);
  },
  SLOW,
);

verifies(
  ['P3', 'attack:C1'],
  'C1: one byte more in command, arguments, environment, folder, address or headers, and trust is gone',
  async () => {
    const server = scriptedServer('notes', tools);
    await using listener = await startHttpFixture('modern');
    await withHub({}, async ({ hub }) => {
      const { definition } = server;
      const { endpoint } = definition;
      if (endpoint.kind !== 'stdio') throw new Error('The fixture runs here.');
      const web = remote('web', listener.url);
      await hub.servers.apply({ definitions: [definition, web] });
      await hub.servers.waitUntilReady({ timeoutMs: patience(20_000) });
      await hub.servers.trust({ id: 'notes' });
      await hub.servers.trust({ id: 'web' });
      await unasked(hub, 'notes/read_note');
      const locals: readonly Endpoint[] = [
        { ...endpoint, command: `${endpoint.command} ` },
        { ...endpoint, args: [...endpoint.args, 'x'] },
        { ...endpoint, args: [...endpoint.args.slice(0, -1), `${endpoint.args.at(-1)}1`] },
        { ...endpoint, env: { A: '1' } },
        { ...endpoint, cwd: temporaryFolder() },
      ];
      for (const changed of locals) {
        await hub.servers.apply({ definitions: [{ ...definition, endpoint: changed }, web] });
        expect((await hub.servers.get({ id: 'notes' })).trust, JSON.stringify(changed)).toBe('none');
        await expect(unasked(hub, 'notes/read_note')).rejects.toThrow();
      }
      expect(server.calls()).toEqual(['read_note']);
      const urls = [
        { kind: 'http', url: `${listener.url}?`, headers: {} },
        { kind: 'http', url: listener.url, headers: { 'X-A': '1' } },
      ] as const;
      for (const changed of urls) {
        await hub.servers.apply({ definitions: [definition, { ...web, endpoint: changed }] });
        expect((await hub.servers.get({ id: 'web' })).trust, JSON.stringify(changed)).toBe('none');
      }
      // What it was when it was trusted, it is again.
      await hub.servers.apply({ definitions: [definition, web] });
      expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ trust: 'kept' });
      await unasked(hub, 'notes/read_note');
      expect(server.calls()).toHaveLength(2);
    });
  },
  SLOW,
);

verifies(
  ['P3', 'attack:C4'],
  'C4: an entry of a project file is trusted in its folder, and not where the file was copied to',
  async () => {
    const server = scriptedServer('notes', tools);
    const [here, elsewhere] = [temporaryFolder(), temporaryFolder()];
    const [command, ...args] = server.command;
    const text = JSON.stringify({ mcpServers: { notes: { command, args } } });
    for (const folder of [here, elsewhere]) writeFileSync(join(folder, 'mcp.json'), text);
    await withHub({}, async ({ hub, spawns }) => {
      const [first, copy] = [await hub.in(here), await hub.in(elsewhere)];
      await first.servers.trust({ id: 'notes' });
      expect(await textOf(first, 'notes/read_note')).toBe('did read_note');
      expect(spawns()).toBe(1);
      expect(await stateOf(copy, 'notes')).toMatchObject({ kind: 'disabled', next: 'plug trust notes' });
      expect(await copy.servers.get({ id: 'notes' })).toMatchObject({
        trust: 'none',
        untrusted: { changed: false },
      });
      await expect(unasked(copy, 'notes/read_note')).rejects.toMatchObject({ code: 'untrusted' });
      expect(spawns()).toBe(1);
      expect(server.calls()).toEqual(['read_note']);
      expect((await copy.tools.list()).tools).toEqual([]);
      expect(await toolIn(first, 'notes/read_note')).toMatchObject({ pinned: true });
    });
  },
  SLOW,
);

verifies(
  ['T4', 'P3'],
  'trust given anew does not cover what changed since it was approved: that is looked at, tool by tool',
  async () => {
    const server = scriptedServer('notes', tools);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes', session: true });
      server.write(tools.map((tool) => (tool.name === 'read_note' ? { ...tool, title: 'New' } : tool)));
      await hub.servers.start({ id: 'notes' });
      await hub.servers.trust({ id: 'notes' });
      expect((await hub.tools.list()).withheld).toMatchObject([{ name: 'read_note', cause: 'changed' }]);
      await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject({ code: 'denied' });
      expect(server.calls()).toEqual([]);
      await hub.tools.approve({ ref: 'notes/read_note' });
      await unasked(hub, 'notes/read_note');
      expect(server.calls()).toEqual(['read_note']);
    });
  },
  SLOW,
);

verifies(
  ['P2'],
  'each default can be changed while the hub runs: for calls, for lists and for connecting',
  async () => {
    const server = scriptedServer('notes', tools);
    await withHub({}, async ({ hub, spawns }) => {
      await meet(hub, server);
      const defaults = await hub.policy.defaults();
      expect(defaults).toMatchObject({
        list: 'allow',
        connect: 'ask',
        call: { read: 'allow', write: 'ask', destructive: 'ask', unknown: 'ask' },
      });
      await hub.policy.setDefaults({ call: { write: 'allow', unknown: 'deny' } });
      const setting = hub.policy.setDefaults({ call: { destructive: 'allow' } });
      await expect(setting).rejects.toMatchObject({ code: 'usage' });
      await unasked(hub, 'notes/write_note');
      await expect(unasked(hub, 'notes/frob')).rejects.toMatchObject({ code: 'denied' });
      // What destroys asks, whatever the default is.
      await expect(unasked(hub, 'notes/delete_note')).rejects.toMatchObject({ code: 'approval_required' });
      expect(server.calls()).toEqual(['write_note']);

      await hub.policy.setDefaults({ list: 'deny' });
      const { tools: none, unavailable } = await hub.tools.list();
      expect(none).toEqual([]);
      const remedy = { do: 'trust', server: 'notes' };
      expect(unavailable).toMatchObject([{ server: 'notes', tools: 4, state: { remedy } }]);
      await hub.servers.trust({ id: 'notes' });
      expect(await offered(hub)).toHaveLength(4);
      await hub.servers.untrust({ id: 'notes' });
      await hub.policy.setDefaults({ list: 'allow' });
      expect(await offered(hub)).toHaveLength(4);

      await hub.servers.stop({ id: 'notes' });
      const started = spawns();
      await hub.policy.setDefaults({ connect: 'deny' });
      await expect(unasked(hub, 'notes/write_note')).rejects.toMatchObject({ code: 'denied' });
      expect(spawns()).toBe(started);
      await hub.policy.setDefaults({ connect: 'ask' });
      await unasked(hub, 'notes/write_note');
      expect(server.calls()).toEqual(['write_note', 'write_note']);
    });
  },
  SLOW,
);
