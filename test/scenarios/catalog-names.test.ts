import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { NameForm, ToolFormat } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { meet, scriptedServer, toolNamed } from './catalog-server.ts';
import { local, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const forms: readonly NameForm[] = ['mcp__server__tool', 'mcp:server:tool', 'server.tool', 'server__tool'];
const formats: readonly Exclude<ToolFormat, 'openai-chat'>[] = [
  'openai',
  'anthropic',
  'gemini',
  'ai-sdk',
  'mcp',
];

/** Names that two servers share, among them those that no form can write as they are. */
const names = [
  'get_note',
  'get-note',
  'get.note',
  'get__note',
  '_get',
  'mcp__a__get',
  'get note/all',
  `get_${'very_'.repeat(14)}long`,
  `get_${'very_'.repeat(14)}long2`,
];

/** Every form in every shape: a provider that cannot take a form gets another one. */
const ways = forms.flatMap((form) => formats.map((format) => ({ format, names: form })));

verifies(
  ['T1', 'attack:G5'],
  'G5: tools of one name on two servers never clash: every rendered name calls exactly its own',
  async () => {
    const tools = names.map((name) => toolNamed(name));
    // With each separator inside of ids too.
    const servers = ['a', 'a-b', 'a.b', 'a__b'].map((id) => scriptedServer(id, tools));
    await withHub({}, async ({ hub }) => {
      await meet(hub, ...servers.slice(0, 2));
      const before = await Promise.all(ways.map((way) => hub.tools.render(way)));
      await meet(hub, ...servers.slice(2));
      const all = new Map<string, string>();
      for (const [index, way] of ways.entries()) {
        const { names: now } = await hub.tools.render(way);
        // Nobody is renamed because somebody joined.
        expect(now, JSON.stringify(way)).toMatchObject(before[index]?.names ?? {});
        expect(Object.keys(now)).toHaveLength(servers.length * names.length);
        for (const [name, ref] of Object.entries(now)) {
          expect(name.length, name).toBeLessThanOrEqual(64);
          expect(all.get(name) ?? ref, name).toBe(ref);
          all.set(name, ref);
        }
      }
      const wanted = new Map<string, string[]>(servers.map(({ definition: { id } }) => [id, []]));
      for (const [name, ref] of all) {
        const { server, tool } = await hub.tools.call({ tool: name });
        expect(`${server}/${tool}`, name).toBe(ref);
        wanted.get(server)?.push(tool);
      }
      for (const { definition, calls } of servers) expect(calls()).toEqual(wanted.get(definition.id));
    });
  },
  SLOW,
);

verifies(
  ['T1', 'attack:G5'],
  'G5: a name that is reserved for us is not lent, and one that names nothing says how names are written',
  async () => {
    await withHub({}, async ({ hub }) => {
      await meet(hub, scriptedServer('notes', [toolNamed('get_note')]));
      expect(() => local('plug', 'dual')).toThrow('cannot be a server');
      await expect(hub.tools.call({ tool: 'get_note' })).rejects.toMatchObject({
        code: 'usage',
        next: expect.stringContaining('server/tool'),
      });
      await expect(hub.tools.call({ tool: 'mcp__notes__get_nte' })).rejects.toMatchObject({
        code: 'not_found',
        message: expect.stringContaining('notes/get_note'),
      });
    });
  },
  SLOW,
);

verifies(
  ['T1'],
  'a hashed name is understood in each folder, also when the folder is opened later than others',
  async () => {
    const long = toolNamed(`get_${'very_'.repeat(14)}long`);
    const [first, second] = [scriptedServer('one', [long]), scriptedServer('two', [long])];
    const [folder, project] = [temporaryFolder(), temporaryFolder()];
    const [command, ...args] = second.command;
    writeFileSync(`${project}/mcp.json`, JSON.stringify({ mcpServers: { two: { command, args } } }));
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    let names: readonly string[] = [];
    await withHub({ folder, storage }, async ({ hub }) => {
      await meet(hub, first);
      const inProject = await hub.in(project);
      await inProject.servers.trust({ id: 'two' });
      await inProject.servers.start({ id: 'two' });
      names = Object.keys((await inProject.tools.render({ format: 'openai' })).names).toSorted();
    });
    const hashed = (id: string): unknown => expect.stringMatching(`^mcp__${id}__get_.*_[0-9a-f]{10}$`);
    expect(names).toEqual([hashed('one'), hashed('two')]);
    const [one = '', two = ''] = names;
    await withHub({ folder, storage }, async ({ hub }) => {
      await hub.tools.call({ tool: one });
      await (await hub.in(project)).tools.call({ tool: two });
      // Here there is no such server, whatever other folders have.
      await expect(hub.tools.call({ tool: two })).rejects.toMatchObject({ code: 'not_found' });
    });
    expect([first.calls(), second.calls()]).toEqual([[long.name], [long.name]]);
  },
  SLOW,
);

verifies(
  ['T2', 'T8', 'T6'],
  'every provider gets the tools in its own shape, marked with server and risk, and with their price in tokens',
  async () => {
    const inputSchema = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
    const server = scriptedServer('notes', [
      toolNamed('get_note', { inputSchema }),
      toolNamed('write_note', { inputSchema }),
      toolNamed('delete_note', { inputSchema }),
      toolNamed('frob', { inputSchema }),
    ]);
    await withHub({}, async ({ hub }) => {
      for (const format of formats) {
        expect(await hub.tools.render({ format })).toEqual({ tools: [], names: {}, omitted: [], tokens: 0 });
      }
      await meet(hub, server);
      const { servers } = await hub.tools.audit();
      const tokens = servers[0]?.tokens ?? 0;
      expect(tokens).toBe(servers[0]?.tools.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0));
      for (const format of formats) {
        const rendered = await hub.tools.render({ format });
        expect(
          rendered.tools.map((tool) => [tool['name'], tool['description']]),
          format,
        ).toEqual([
          ['mcp__notes__get_note', '[notes] Does get_note.'],
          ['mcp__notes__write_note', '[notes WRITE] Does write_note.'],
          ['mcp__notes__delete_note', '[notes WRITE] Does delete_note.'],
          ['mcp__notes__frob', '[notes ?] Does frob.'],
        ]);
        expect(rendered.names['mcp__notes__frob']).toBe('notes/frob');
        expect(rendered).toMatchObject({ omitted: [], tokens });
        const schema = rendered.tools[0]?.[schemaField[format]] as JsonObject | undefined;
        expect(schema, format).toMatchObject({ required: ['id'], properties: { id: {} } });
      }
      expect(tokens).toBeGreaterThan(40);
      // Taken away, nothing of it is left for the host.
      await hub.servers.disable({ id: 'notes' });
      expect(await hub.tools.render({ format: 'openai' })).toEqual({
        tools: [],
        names: {},
        omitted: [],
        tokens: 0,
      });
    });
  },
  SLOW,
);

/** Chat completions put all of it one level deeper, which has a test of its own. */
const schemaField: Readonly<Record<Exclude<ToolFormat, 'openai-chat'>, string>> = {
  openai: 'parameters',
  anthropic: 'input_schema',
  gemini: 'parameters',
  'ai-sdk': 'inputSchema',
  mcp: 'inputSchema',
};
