import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { meet, offered, scriptedServer, toolIn, toolNamed, unasked } from './catalog-server.ts';
import { withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['T5'],
  'a bad schema is mended or set aside with its reason, and the list holds',
  async () => {
    const server = scriptedServer('notes', [
      toolNamed('get_good'),
      toolNamed('get_text', { inputSchema: { type: 'string' } }),
      toolNamed('get_untyped', { inputSchema: { properties: { id: { type: 'string' } } } }),
      toolNamed('get_odd', {
        inputSchema: {
          type: 'object',
          properties: { id: { type: 'text' }, n: { type: 'number', minimum: 'low' } },
        },
      }),
      { name: 'get_nothing', description: 'Has no schema.' },
    ]);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes' });
      const { tools, withheld } = await hub.tools.list();
      expect(tools.map(({ name }) => name)).toEqual(['get_good', 'get_untyped', 'get_odd', 'get_nothing']);
      expect(withheld).toMatchObject([
        { ref: 'notes/get_text', cause: 'bad_schema', reason: expect.stringContaining('"string"') },
      ]);
      expect((await toolIn(hub, 'notes/get_good')).repairs).toBeUndefined();
      for (const name of ['get_untyped', 'get_odd', 'get_nothing']) {
        const tool = await toolIn(hub, `notes/${name}`);
        expect(tool.repairs, name).not.toHaveLength(0);
        expect(tool.schema, name).toMatchObject({ type: 'object' });
        await unasked(hub, tool.ref);
      }
      await expect(unasked(hub, 'notes/get_text')).rejects.toMatchObject({
        code: 'not_found',
        owner: 'server',
        details: { cause: 'bad_schema' },
      });
      expect(server.calls()).toEqual(['get_untyped', 'get_odd', 'get_nothing']);
      for (const format of ['openai', 'anthropic', 'gemini', 'ai-sdk', 'mcp'] as const) {
        expect((await hub.tools.render({ format })).tools, format).toHaveLength(4);
      }
    });
  },
  SLOW,
);

verifies(
  ['T6'],
  'a tool that is switched off is neither offered nor called, until it is switched on again',
  async () => {
    const server = scriptedServer('notes', [toolNamed('get_note'), toolNamed('list_notes')]);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes' });
      await hub.tools.setEnabled({ ref: 'notes/get_note', enabled: false });
      const { tools, withheld } = await hub.tools.list();
      expect(tools.map(({ name }) => name)).toEqual(['list_notes']);
      expect(withheld).toMatchObject([{ cause: 'switched_off', next: 'plug tools enable notes/get_note' }]);
      expect((await hub.tools.render({ format: 'openai' })).names).not.toHaveProperty('mcp__notes__get_note');
      for (const tool of ['notes/get_note', 'mcp__notes__get_note']) {
        await expect(hub.tools.call({ tool })).rejects.toMatchObject({
          code: 'not_found',
          owner: 'you',
          next: 'plug tools enable notes/get_note',
        });
      }
      expect(server.calls()).toEqual([]);
      await hub.tools.setEnabled({ ref: 'notes/get_note', enabled: true });
      await unasked(hub, 'notes/get_note');
      expect(server.calls()).toEqual(['get_note']);
      await expect(hub.tools.setEnabled({ ref: 'notes/nothing', enabled: false })).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  },
  SLOW,
);

verifies(
  ['T6'],
  'globs of a server and of a profile narrow what is offered and what can be called',
  async () => {
    const names = ['get_note', 'get_secret', 'list_notes', 'write_note'];
    const tools = names.map((name) => toolNamed(name));
    const filtered = scriptedServer('one', tools, {
      tools: { allow: ['get_*', 'list_*'], deny: ['*secret*'] },
    });
    const plain = scriptedServer('two', tools);
    await withHub({}, async ({ hub }) => {
      await meet(hub, filtered, plain);
      const all = names.map((name) => `two/${name}`);
      expect(await offered(hub)).toEqual(['one/get_note', 'one/list_notes', ...all]);
      await expect(hub.tools.call({ tool: 'one/get_secret' })).rejects.toMatchObject({
        details: { cause: 'filtered' },
      });
      await hub.profiles.save({ name: 'reader', servers: ['t*'], tools: { deny: ['*/write_*'] } });
      await hub.profiles.save({ name: 'looker', readOnly: true });
      const within = async (profile: string): Promise<readonly string[]> =>
        (await hub.tools.list({ profile })).tools.map(({ ref }) => ref);
      expect(await within('reader')).toEqual(['two/get_note', 'two/get_secret', 'two/list_notes']);
      expect(await within('looker')).toEqual(['one/get_note', 'one/list_notes', ...all.slice(0, 3)]);
      for (const [tool, profile, code] of [
        ['two/write_note', 'reader', 'not_found'],
        // A profile that only reads is decided on, and recorded.
        ['two/write_note', 'looker', 'denied'],
        ['one/get_note', 'reader', 'not_found'],
      ] as const) {
        await expect(hub.tools.call({ tool, profile }), tool).rejects.toMatchObject({ code });
      }
      expect([...filtered.calls(), ...plain.calls()]).toEqual([]);
      await hub.tools.call({ tool: 'two/get_note', profile: 'reader' });
      await hub.tools.call({ tool: 'two/write_note' });
      expect(plain.calls()).toEqual(['get_note', 'write_note']);
      const { servers } = await hub.tools.audit();
      const [one, two] = servers;
      // What is not offered costs nothing.
      expect(one?.tokens).toBeLessThan(two?.tokens ?? 0);
      for (const tool of [...(one?.tools ?? []), ...(two?.tools ?? [])])
        expect(tool.tokens).toBeGreaterThan(5);
    });
  },
  SLOW,
);

verifies(
  ['T4', 'T6'],
  'what was decided about tools is bound to what was seen, and goes when the server is removed',
  async () => {
    const server = scriptedServer('notes', [toolNamed('get_note'), toolNamed('list_notes')]);
    await withHub({}, async ({ hub }) => {
      await meet(hub, server);
      await hub.servers.trust({ id: 'notes' });
      await hub.tools.setRisk({ ref: 'notes/list_notes', risk: 'write' });
      await hub.tools.setEnabled({ ref: 'notes/list_notes', enabled: false });
      server.write([toolNamed('get_note', { title: 'One' }), toolNamed('list_notes')]);
      await hub.servers.start({ id: 'notes' });
      const shown = (await hub.tools.list()).withheld.find(({ name }) => name === 'get_note')?.hash ?? '';
      server.write([toolNamed('get_note', { title: 'Two' }), toolNamed('list_notes')]);
      await hub.servers.restart({ id: 'notes' });
      // It changed again between the look and the yes.
      await expect(hub.tools.approve({ ref: 'notes/get_note', hash: shown })).rejects.toMatchObject({
        code: 'denied',
        message: expect.stringContaining('changed again'),
      });
      await expect(unasked(hub, 'notes/get_note')).rejects.toMatchObject({ code: 'denied' });

      await hub.servers.remove({ id: 'notes' });
      await meet(hub, server);
      const { tools, withheld } = await hub.tools.list();
      expect(withheld).toEqual([]);
      expect(tools).toMatchObject([
        { name: 'get_note', pinned: false },
        { name: 'list_notes', pinned: false, risk: 'read' },
      ]);
      expect(server.calls()).toEqual([]);
    });
  },
  SLOW,
);
