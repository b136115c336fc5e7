import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { meet, offered, scriptedServer, toolIn, toolNamed, unasked } from './catalog-server.ts';
import { stateOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

const note = toolNamed('read_note', {
  title: 'Read a note',
  description: 'Reads one note.',
  inputSchema: { type: 'object', properties: { id: { type: 'string', default: '1' } } },
  annotations: { readOnlyHint: true },
});
const list = toolNamed('list_notes');

/** One byte each, in every part that a person sees or a model goes by. */
const changes: Readonly<Record<string, { readonly more: JsonObject; readonly diff: object }>> = {
  description: {
    more: { description: 'Reads one note!' },
    diff: { field: 'description', before: 'Reads one note.', after: 'Reads one note!' },
  },
  title: {
    more: { title: 'Read a note.' },
    diff: { field: 'title', before: 'Read a note', after: 'Read a note.' },
  },
  'a schema’s word': {
    more: { inputSchema: { type: 'object', properties: { id: { type: 'string', default: '2' } } } },
    diff: { field: 'inputSchema.properties.id.default', before: '1', after: '2' },
  },
  'a schema’s type of value': {
    more: { inputSchema: { type: 'object', properties: { id: { type: 'string', default: 1 } } } },
    diff: { field: 'inputSchema.properties.id.default', before: '"1"', after: '1' },
  },
  'an annotation': {
    more: { annotations: { readOnlyHint: false } },
    diff: { field: 'annotations.readOnlyHint', before: 'true', after: 'false' },
  },
  'an output schema that is new': {
    more: { outputSchema: { type: 'object' } },
    diff: { field: 'outputSchema.type', after: 'object' },
  },
};

verifies(
  ['T4', 'attack:G6'],
  'G6: one changed byte of a pinned tool refuses it, with the difference, until it is approved again',
  async () => {
    const server = scriptedServer('notes', [note, list], { announces: true });
    await withHub({ limits: { listRefreshMinMs: 20 } }, async ({ hub }) => {
      await hub.servers.add({ definition: server.definition });
      await hub.servers.trust({ id: 'notes' });
      await unasked(hub, 'notes/read_note');
      for (const [what, { more, diff }] of Object.entries(changes)) {
        server.write([{ ...note, ...more }, list]);
        await waitFor(async () => (await offered(hub)).length === 1, 10_000);
        const { tools, withheld } = await hub.tools.list();
        expect(tools, what).toMatchObject([{ ref: 'notes/list_notes', pinned: true }]);
        expect(withheld, what).toMatchObject([
          { ref: 'notes/read_note', cause: 'changed', next: 'plug tools approve notes/read_note' },
        ]);
        expect(withheld[0]?.diff, what).toEqual([diff]);
        // Even somebody who would approve the call is not asked: first the tool, then the call.
        await expect(hub.tools.call({ tool: 'notes/read_note' })).rejects.toMatchObject({
          code: 'denied',
          owner: 'server',
          details: { cause: 'changed', diff: [diff] },
        });
        await unasked(hub, 'notes/list_notes');
        server.write([note, list]);
        await waitFor(async () => (await offered(hub)).length === 2, 10_000);
      }
      const reads = (): number => server.calls().filter((name) => name === 'read_note').length;
      expect(reads()).toBe(1);
      expect(await stateOf(hub, 'notes')).toMatchObject({ kind: 'ready' });

      server.write([{ ...note, description: 'Reads one note, better.' }, list]);
      await waitFor(async () => (await offered(hub)).length === 1, 10_000);
      await hub.tools.approve({ ref: 'notes/read_note' });
      await unasked(hub, 'notes/read_note');
      expect(reads()).toBe(2);
    });
  },
  SLOW,
);

verifies(
  ['T4', 'attack:G6'],
  'G6: a tool that changed while its server slept is found out by the call that wakes it',
  async () => {
    const server = scriptedServer('notes', [note, list]);
    await withHub({}, async ({ hub, spawns }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes' });
      const started = spawns();
      server.write([{ ...note, description: 'Reads one note?' }, list]);
      // As far as anybody can know, it is what was approved.
      expect(await offered(hub)).toContain('notes/read_note');
      await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject({
        code: 'denied',
        details: { cause: 'changed' },
      });
      expect(spawns()).toBe(started + 1);
      expect(server.calls()).toEqual([]);
      expect(await offered(hub)).toEqual(['notes/list_notes']);
    });
  },
  SLOW,
);

verifies(
  ['T4', 'attack:G6'],
  'G6: a tool that changes in a running session is withheld as soon as its server says so',
  async () => {
    const server = scriptedServer('notes', [note, list], { announces: true });
    await withHub({ limits: { listRefreshMinMs: 20 } }, async ({ hub, seen }) => {
      await hub.servers.add({ definition: server.definition });
      await hub.servers.trust({ id: 'notes' });
      server.write([{ ...note, title: 'Read  a note' }, list]);
      await waitFor(async () => (await offered(hub)).length === 1, 10_000);
      const told = {
        kind: 'manifest-change',
        server: 'notes',
        added: [],
        removed: [],
        changed: ['read_note'],
        lists: ['tools'],
      };
      expect(seen).toContainEqual(told);
      await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject({ code: 'denied' });
      expect(server.calls()).toEqual([]);

      // To leave and to come back as another one does not help either.
      server.write([list]);
      await waitFor(async () => (await hub.tools.list()).withheld[0]?.cause === 'gone', 10_000);
      server.write([{ ...note, title: 'Read them all' }, list]);
      await waitFor(async () => (await hub.tools.list()).withheld[0]?.cause === 'changed', 10_000);
      await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject({ code: 'denied' });
      expect(server.calls()).toEqual([]);
    });
  },
  SLOW,
);

verifies(
  ['T4'],
  'pins survive a restart of the hub, and a server whose tools all changed is quarantined',
  async () => {
    const server = scriptedServer('notes', [note, list]);
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    await withHub({ folder, storage }, async ({ hub }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes' });
    });
    const other = (tool: JsonObject): JsonObject => ({ ...tool, description: 'Ask me first.' });
    server.write([note, other(list)]);
    await withHub({ folder, storage }, async ({ hub }) => {
      expect(await toolIn(hub, 'notes/list_notes')).toMatchObject({ pinned: true });
      await hub.servers.start({ id: 'notes' });
      expect(await offered(hub)).toEqual(['notes/read_note']);
      expect(await stateOf(hub, 'notes')).toMatchObject({ kind: 'ready' });

      server.write([other(note), other(list)]);
      await hub.servers.restart({ id: 'notes' });
      expect(await stateOf(hub, 'notes')).toMatchObject({
        kind: 'quarantined',
        next: 'plug tools approve notes/read_note notes/list_notes',
      });
      const { tools, withheld, unavailable } = await hub.tools.list();
      expect(tools).toEqual([]);
      expect(unavailable).toMatchObject([{ server: 'notes', state: { kind: 'quarantined' } }]);
      expect(withheld.map(({ name, diff }) => [name, diff?.[0]?.field])).toEqual([
        ['read_note', 'description'],
        ['list_notes', 'description'],
      ]);
    });
    await withHub({ folder, storage }, async ({ hub }) => {
      expect(await stateOf(hub, 'notes')).toMatchObject({ kind: 'quarantined' });
      await expect(unasked(hub, 'notes/read_note')).rejects.toMatchObject({ code: 'denied' });
      await hub.tools.approve({ ref: 'notes/read_note' });
      expect(await stateOf(hub, 'notes')).not.toMatchObject({ kind: 'quarantined' });
      await unasked(hub, 'notes/read_note');
      await expect(unasked(hub, 'notes/list_notes')).rejects.toMatchObject({ code: 'denied' });
      expect(server.calls()).toEqual(['read_note']);
    });
  },
  SLOW,
);
