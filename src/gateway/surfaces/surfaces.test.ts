import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { meet, scriptedServer, toolNamed } from '../../../test/scenarios/catalog-server.ts';
import { played } from '../../../test/scenarios/calls-played.ts';
import { local, QUICK, withHub } from '../../../test/scenarios/lifecycle-hub.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Hub } from '../../hub/hub.ts';
import { defineServer } from '../../servers/definition.ts';
import type { Scope } from '../scope.ts';
import type { MakeCall } from '../surface.ts';
import { openSurface } from './open-surface.ts';
import { indexedSearch } from './indexed-search.ts';
import { instructionsOf } from './instructions.ts';
import type { SurfaceParts, ToolSearch } from './parts.ts';
import { withHandle } from './read-result.ts';

/** Every tool of the scope whose name has a word of a query. */
const byName: ToolSearch = {
  search: ({ queries, within, limit }) => {
    const words = queries.flatMap((query) => query.toLowerCase().split(/\W+/)).filter((word) => word !== '');
    const hits = within.tools.filter(({ name }) => words.some((word) => name.includes(word))).slice(0, limit);
    const servers = new Set(hits.map(({ server }) => server));
    return Promise.resolve({
      hits: hits.map(({ ref, server, name }) => ({ ref, line: `${server}__${name}()` })),
      siblings: within.tools.filter((tool) => servers.has(tool.server)).map(({ ref }) => ref),
    });
  },
};

/** The list is read anew each time, so that what changes shows at once. */
function partsOn(hub: Hub, more: Partial<SurfaceParts> = {}, scope: Scope = {}): SurfaceParts {
  return {
    hub,
    scope,
    tools: () =>
      hub.tools.list({ ...(more.onlyServer === undefined ? {} : { server: more.onlyServer }), failed: true }),
    search: byName,
    tokensMax: 8_000,
    names: 'server__tool',
    ...more,
  };
}

/** The hub's one path, as the gateway takes it. */
function makerOn(hub: Hub): MakeCall {
  const make = async (tool: string, args: JsonObject): Promise<JsonObject> =>
    (await hub.tools.call({ tool, args })).result;
  return { call: make, signal: new AbortController().signal, note: () => undefined };
}

function textIn(answer: JsonObject): string {
  const [first] = answer['content'] as readonly { readonly text?: string }[]; // tools of ours answer so
  return first?.text ?? '';
}

const SEARCH = ['search_tools', 'describe_tool', 'call_tool', 'plug__read_result'];
const nameOf = (definition: JsonObject | undefined): string => definition?.['name'] as string; // MCP: a tool has one
const namesOf = (definitions: readonly JsonObject[]): readonly unknown[] =>
  definitions.map(({ name }) => name);

verifies(
  ['G3'],
  '“all” shows every tool as its server sent it, under its server’s name, and calls reach it',
  async () => {
    await withHub({}, async ({ hub }) => {
      const rich: JsonObject = {
        title: 'The tool',
        'x-unknown': { kept: [1] },
        _meta: { 'ui/resource': 'ui://x' },
        annotations: { readOnlyHint: true },
        outputSchema: { type: 'object' },
      };
      const zeta = scriptedServer('zeta', [toolNamed('b_tool'), toolNamed('a_tool', rich)]);
      const alpha = scriptedServer('alpha', [toolNamed('über tool')]);
      await meet(hub, zeta, alpha);
      const surface = openSurface('all', partsOn(hub));
      const list = await surface.list();
      expect(namesOf(list)).toEqual([
        expect.stringMatching(/^alpha__ber_tool_[0-9a-f]{10}$/),
        'zeta__a_tool',
        'zeta__b_tool',
        'plug__read_result',
      ]);
      expect(list[1]).toMatchObject({
        ...rich,
        description: expect.stringMatching(/^\[zeta.*\] Does a_tool\.$/),
      });
      const make = makerOn(hub);
      expect(textIn(await surface.call('zeta__a_tool', {}, make))).toBe('did a_tool');
      expect(textIn(await surface.call(nameOf(list[0]), {}, make))).toBe('did über tool');
      // Any other form of a name is understood as well.
      expect(textIn(await surface.call('mcp__zeta__b_tool', {}, make))).toBe('did b_tool');
      expect([zeta.calls(), alpha.calls()]).toEqual([['a_tool', 'b_tool'], ['über tool']]);
    });
  },
);

verifies(
  ['G3'],
  'one server is passed through: its names, texts, order and unknown fields, and nothing of ours',
  async () => {
    await withHub({}, async ({ hub }) => {
      const tools = [
        toolNamed('z last', { 'x-own': true, _meta: { a: 1 } }),
        toolNamed('a.first', { description: '  As it is.  ' }),
      ];
      const one = scriptedServer('one', tools);
      await meet(hub, one, scriptedServer('two', [toolNamed('other')]));
      const surface = openSurface('all', partsOn(hub, { onlyServer: 'one' }, { server: 'one' }));
      expect(await surface.list()).toEqual(tools);
      expect(textIn(await surface.call('z last', {}, makerOn(hub)))).toBe('did z last');
      await expect(surface.call('two__other', {}, makerOn(hub))).rejects.toMatchObject({ code: 'not_found' });
      expect(one.calls()).toEqual(['z last']);
    });
  },
);

verifies(['G3'], 'a tool that is not there answers with the reason and the next step', async () => {
  await withHub({ approve: 'nobody' }, async ({ hub }) => {
    const one = scriptedServer('one', [toolNamed('create_issue'), toolNamed('off')]);
    const bad = scriptedServer('bad', [toolNamed('thing')]);
    await meet(hub, one, bad);
    await hub.tools.setEnabled({ ref: 'one/off', enabled: false });
    await hub.servers.disable({ id: 'bad' });
    const surface = openSurface('all', partsOn(hub));
    const call = (name: string): Promise<JsonObject> => surface.call(name, {}, makerOn(hub));
    await expect(call('one__off')).rejects.toMatchObject({
      message: expect.stringContaining('one/off is not offered: '),
      next: expect.stringContaining('plug '),
    });
    await expect(call('one__create_isue')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('Did you mean one__create_issue?'),
      next: 'Call one__create_issue.',
    });
    await expect(call('elsewhere__create_issue')).rejects.toMatchObject({
      details: { near: ['one__create_issue'] },
    });
    await expect(call('')).rejects.toMatchObject({ code: 'not_found', next: expect.any(String) });
    expect(one.calls()).toEqual([]);
  });
});

verifies(['G3', 'T10'], 'a tool of a server that fails is answered with what is wrong there', async () => {
  await withHub({}, async ({ hub }) => {
    const bad = scriptedServer('bad', [toolNamed('thing')]);
    await meet(hub, bad);
    bad.breakDown();
    await expect(hub.servers.start({ id: 'bad' })).rejects.toThrow();
    for (const mode of ['all', 'search'] as const) {
      const surface = openSurface(mode, partsOn(hub));
      const args = mode === 'all' ? {} : { name: 'bad__thing' };
      const failed = surface.call(mode === 'all' ? 'bad__thing' : 'call_tool', args, makerOn(hub));
      await expect(failed).rejects.toMatchObject({ server: 'bad', next: expect.any(String) });
    }
    expect(bad.calls()).toEqual([]);
  });
});

verifies(
  ['G3'],
  '“servers” shows one tool for each server, describes on demand, and calls what is named',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      const issue = toolNamed('create_issue', {
        inputSchema: {
          type: 'object',
          properties: { body: { type: 'string' }, title: { type: 'string', description: 'Its title' } },
          required: ['title'],
        },
      });
      const git = scriptedServer('git', [toolNamed('list_issues'), issue, toolNamed('describe')]);
      await meet(hub, git, scriptedServer('my.server', [toolNamed('x')]));
      const before = spawns();
      const uses = (ref: string): number => (ref === 'git/list_issues' ? 3 : 0);
      const surface = openSurface('servers', partsOn(hub, { uses }));
      const list = await surface.list();
      expect(namesOf(list)).toEqual([
        'git',
        expect.stringMatching(/^s_my_server_[0-9a-f]{10}$/),
        'plug__read_result',
      ]);
      expect(list[0]?.['description']).toContain('Operations: list_issues, git/describe, create_issue');
      const make = makerOn(hub);
      const described = textIn(await surface.call('git', { action: 'describe' }, make)).split('\n');
      expect(described.map((line) => (JSON.parse(line) as JsonObject)['name'])).toEqual([
        'list_issues',
        'git/describe',
        'create_issue',
      ]);
      const some = await surface.call(
        'git',
        { action: 'describe', params: { operations: ['create_issue'] } },
        make,
      );
      expect(JSON.parse(textIn(some))).toMatchObject({ inputSchema: issue['inputSchema'] });
      // Nothing was started for the list; the description asked the server.
      expect(spawns()).toBe(before + 1);
      expect(
        textIn(await surface.call('git', { action: 'create_issue', params: { title: 't' } }, make)),
      ).toBe('did create_issue');
      await surface.call('git', { action: 'git/describe' }, make);
      await surface.call('git', { action: 'list_issues', params: '{}' }, make);
      await expect(surface.call('git', { action: 'create_issue' }, make)).rejects.toMatchObject({
        code: 'bad_arguments',
      });
      await expect(surface.call('git', { action: 'creat_issue' }, make)).rejects.toMatchObject({
        code: 'bad_arguments',
        message: expect.stringContaining('Did you mean create_issue?'),
      });
      await expect(surface.call('git', { action: 'zzzzzz' }, make)).rejects.toMatchObject({
        next: 'Call git with {"action":"describe"}.',
      });
      await expect(surface.call('gti', { action: 'describe' }, make)).rejects.toMatchObject({
        message: expect.stringContaining('Did you mean git?'),
      });
      expect(git.calls()).toEqual(['create_issue', 'describe', 'list_issues']);
    });
  },
);

verifies(
  ['G3', 'T10'],
  'a description asks the server, so that a new tool is known, whether the server sleeps or runs',
  async () => {
    // Starting takes long on a busy machine.
    await withHub({ limits: { listFreshMs: 60_000 } }, async ({ hub }) => {
      const git = scriptedServer('git', [toolNamed('list_issues')]);
      await meet(hub, git);
      const surface = openSurface('servers', partsOn(hub));
      const make = makerOn(hub);
      const describe = async (): Promise<string> =>
        textIn(await surface.call('git', { action: 'describe' }, make));
      git.write([toolNamed('list_issues'), toolNamed('close_issue')]);
      expect(await describe()).toContain('close_issue');
      git.write([toolNamed('list_issues'), toolNamed('merge_branch')]);
      const described = await describe();
      expect(described).toContain('merge_branch');
      expect(described).not.toContain('close_issue');
      expect(textIn(await surface.call('git', { action: 'merge_branch' }, make))).toBe('did merge_branch');
      // Also unasked for: an operation that is not known may be new.
      git.write([toolNamed('list_issues'), toolNamed('push_branch')]);
      expect(textIn(await surface.call('git', { action: 'push_branch' }, make))).toBe('did push_branch');
      git.write([toolNamed('list_issues'), toolNamed('pull_branch', { description: 'As of now.' })]);
      const narrowed = { action: 'describe', params: { query: 'issues' } };
      expect(textIn(await surface.call('git', narrowed, make))).not.toContain('branch');
      const params = { operations: ['pull_branch'] };
      expect(textIn(await surface.call('git', { action: 'describe', params }, make))).toContain('As of now.');
      expect(git.calls()).toEqual(['merge_branch', 'push_branch']);
    });
  },
);

verifies(
  ['G3'],
  'of the published servers, one costs at most 150 tokens in “servers”, and 1,500 to describe',
  async () => {
    await withHub({}, async ({ hub, folder }) => {
      const published = ['everything', 'filesystem', 'memory', 'sequential-thinking'];
      for (const id of published) {
        const file = new URL(
          `../../../node_modules/@modelcontextprotocol/server-${id}/dist/index.js`,
          import.meta.url,
        );
        const args = [fileURLToPath(file), ...(id === 'filesystem' ? [folder] : [])];
        const endpoint = { kind: 'stdio' as const, command: process.execPath, args, env: {} };
        await hub.servers.add({ definition: defineServer({ id, endpoint }) });
      }
      const surface = openSurface('servers', partsOn(hub));
      const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set<string>() });
      const shown = await surface.list();
      const all = await openSurface('all', partsOn(hub)).list();
      for (const id of published) {
        const tool = JSON.stringify(shown.find(({ name }) => name === id));
        const described = textIn(await surface.call(id, { action: 'describe' }, makerOn(hub)));
        expect({ id, tokens: tokensOf(tool) <= 150 }).toEqual({ id, tokens: true });
        expect({ id, tokens: tokensOf(described) <= 1_500 }).toEqual({ id, tokens: true });
        const names = all.map(nameOf).filter((name) => name.startsWith(`${id}__`));
        for (const name of names) expect(described).toContain(name.slice(id.length + 2));
      }
    });
  },
);

verifies(
  ['G3', 'T10'],
  'a description of a server that does not answer is the stored one, and says so',
  async () => {
    await withHub({ limits: { listFreshMs: 300, ...QUICK } }, async ({ hub }) => {
      const mute = scriptedServer('mute', [toolNamed('get_note')]);
      const dead = scriptedServer('dead', [toolNamed('get_note')]);
      await meet(hub, mute, dead);
      const surface = openSurface('servers', partsOn(hub));
      const describe = async (id: string): Promise<string> =>
        textIn(await surface.call(id, { action: 'describe' }, makerOn(hub)));
      await hub.servers.start({ id: 'mute' });
      mute.fallSilent();
      for (let times = 0; times < 2; times += 1) {
        const [word, described] = (await describe('mute')).split('\n');
        expect(word).toBe('[This is what mute offered before: it did not answer within 0.3 s.]');
        expect(JSON.parse(described ?? '')).toMatchObject({ name: 'get_note' });
      }
      // Neither is it waited for where nothing can come of it: it sleeps, and does not start any more.
      dead.breakDown();
      expect(await describe('dead')).toMatch(
        /^\[This is what dead offered before: .+\]\n\{"name":"get_note"/,
      );
      // A profile and a read-only host see of it what they always see.
      mute.write([toolNamed('get_note'), toolNamed('delete_all')]);
      const narrow = openSurface('servers', {
        ...partsOn(hub, {}, { readOnly: true }),
        tools: () => hub.tools.list({ readOnly: true }),
      });
      const answer = await narrow.call('mute', { action: 'describe' }, makerOn(hub));
      expect(textIn(answer)).not.toContain('delete_all');
    });
  },
);

verifies(
  ['G3'],
  '“search” finds, describes several at once, and calls; its four tools stay four',
  async () => {
    await withHub({}, async ({ hub }) => {
      const git = scriptedServer('git', [
        toolNamed('create_issue'),
        toolNamed('close_issue'),
        toolNamed('push'),
      ]);
      await meet(hub, git, scriptedServer('mail', [toolNamed('send')]));
      const surface = openSurface('search', partsOn(hub));
      expect(namesOf(await surface.list())).toEqual(SEARCH);
      const make = makerOn(hub);
      const found = textIn(await surface.call('search_tools', { queries: ['issue'], limit: 1 }, make)).split(
        '\n',
      );
      expect(found).toEqual(['git__create_issue()', 'Also git__: close_issue, push']);
      const names = ['git__push', 'mail/send', 'mail__sned'];
      const described = textIn(await surface.call('describe_tool', { names }, make)).split('\n');
      expect(described.slice(0, 2).map((line) => (JSON.parse(line) as JsonObject)['name'])).toEqual([
        'git__push',
        'mail__send',
      ]);
      expect(described[2]).toBe(
        'There is no tool “mail__sned” here. Did you mean mail__send? Next: Call mail__send.',
      );
      expect(textIn(await surface.call('call_tool', { name: 'git__push', arguments: {} }, make))).toBe(
        'did push',
      );
      expect(textIn(await surface.call('call_tool', { name: 'git/close_issue' }, make))).toBe(
        'did close_issue',
      );
      expect(git.calls()).toEqual(['push', 'close_issue']);
      const call = (name: string, args: JsonObject) => surface.call(name, args, make);
      await expect(call('search_tools', {})).rejects.toMatchObject({ code: 'bad_arguments' });
      await expect(call('search_tools', { queries: [3] })).rejects.toMatchObject({ code: 'bad_arguments' });
      await expect(call('search_tools', { queries: ['a'], server: 'gti' })).rejects.toThrow(/but git, mail/);
      await expect(call('search_tools', { queries: ['a'], risk: 'none' })).rejects.toThrow(/read, write/);
      await expect(call('call_tool', { name: 'git__push', arguments: [] })).rejects.toThrow(
        /must be an object/,
      );
      expect(textIn(await call('search_tools', { queries: ['nothing like it'] }))).toMatch(/^No tool fits/);
    });
  },
);

verifies(
  ['G3', 'L3'],
  'a result that was cut is read on, by page, pattern and path, in every mode',
  async () => {
    await withHub({}, async ({ hub }) => {
      const plays = { lines: { bytes: 200_000, last: 'the end' } };
      await hub.servers.add({
        definition: played('long', { name: 'much', inputSchema: { type: 'object' }, plays }).definition,
      });
      const { handle } = await hub.tools.call({ tool: 'long/much' });
      const id = handle?.id ?? '';
      for (const mode of ['all', 'servers', 'search'] as const) {
        const surface = openSurface(mode, partsOn(hub));
        const read = (args: JsonObject): Promise<JsonObject> =>
          mode === 'search'
            ? surface.call('call_tool', { name: 'plug__read_result', arguments: args }, makerOn(hub))
            : surface.call('plug__read_result', args, makerOn(hub));
        expect(textIn(await read({ id, page: 2 }))).toMatch(/^\[page 2 of \d+\]\nline \d+/);
        expect(textIn(await read({ id, grep: '^the end' }))).toMatch(/\(page \d+\): the end/);
        expect(textIn(await read({ id, path: '$.content[0].type' }))).toMatch(/: "text"$/);
        await expect(read({ id: 'result_none' })).rejects.toMatchObject({ code: 'not_found' });
        await expect(read({})).rejects.toMatchObject({ code: 'bad_arguments' });
      }
      // Another profile's hosts do not read it.
      await hub.profiles.save({ name: 'small', servers: ['other'] });
      const narrow = openSurface('all', {
        ...partsOn(hub, {}, { profile: 'small' }),
        tools: () => hub.tools.list({ profile: 'small' }),
      });
      await expect(narrow.call('plug__read_result', { id }, makerOn(hub))).rejects.toMatchObject({
        code: 'not_found',
      });
    });
  },
);

verifies(['G3', 'L3'], 'a model that is told to read on has the tool for it, in every mode', async () => {
  await withHub({}, async ({ hub }) => {
    const _meta = { ui: { resourceUri: 'ui://long/view' } };
    const plays = { lines: { bytes: 200_000, last: 'the end' } };
    const much = { name: 'much', inputSchema: { type: 'object' }, _meta, plays };
    await hub.servers.add({ definition: played('long', much).definition });
    const make: MakeCall = {
      ...makerOn(hub),
      call: async (tool, args) => {
        const { result, handle } = await hub.tools.call({ tool, args });
        return handle ? withHandle(result, handle.id) : result;
      },
    };
    for (const mode of ['all', 'servers', 'search', 'auto', 'code'] as const) {
      for (const showsApps of [true, false]) {
        const surface = openSurface(mode, partsOn(hub));
        const list = await surface.list({ showsApps });
        const said = [JSON.stringify(list)];
        // Apart from scripts, which read whole results, a tool is called as the list has it.
        const isListed = namesOf(list).includes('long__much');
        if (isListed) said.push(JSON.stringify(await surface.call('long__much', {}, make)));
        const named = new Set(said.flatMap((text) => text.match(/plug__\w+/g) ?? []));
        expect({ mode, showsApps, named: [...named] }).toEqual({
          mode,
          showsApps,
          named: mode === 'code' && !showsApps ? [] : ['plug__read_result'],
        });
        expect(namesOf(list)).toEqual(expect.arrayContaining([...named]));
        const { handle } = await hub.tools.call({ tool: 'long/much' });
        const args = { id: handle?.id ?? '', grep: '^the end' };
        expect(textIn(await surface.call('plug__read_result', args, make))).toContain('the end');
      }
    }
  });
});

verifies(
  ['G3'],
  '“auto” is as rich as the budget allows, does not flap, and understands names of before',
  async () => {
    await withHub({}, async ({ hub }) => {
      const tool = (name: string): JsonObject & { name: string } =>
        toolNamed(name, { description: 'word '.repeat(100) });
      const some = scriptedServer('some', [tool('a'), tool('b')]);
      await meet(hub, some);
      const surface = openSurface('auto', partsOn(hub, { tokensMax: 600 }));
      expect(await surface.mode()).toBe('all');
      expect(namesOf(await surface.list())).toContain('some__a');
      some.write(['a', 'b', 'c', 'd', 'e', 'f'].map(tool));
      await hub.servers.restart({ id: 'some' });
      await expect.poll(() => surface.mode()).not.toBe('all');
      expect(namesOf(await surface.list())).not.toContain('some__a');
      // A host that has not read the new list calls by the old names.
      expect(textIn(await surface.call('some__a', {}, makerOn(hub)))).toBe('did a');
      expect(textIn(await surface.call('some', { action: 'b' }, makerOn(hub)))).toBe('did b');
      expect(textIn(await surface.call('search_tools', { queries: ['c'] }, makerOn(hub)))).toContain(
        'some__c()',
      );
      const tight = openSurface('auto', partsOn(hub, { tokensMax: 100 }));
      await expect(tight.call('nothing', {}, makerOn(hub))).rejects.toMatchObject({ code: 'not_found' });
    });
  },
);

verifies(
  ['A3', 'G3'],
  'hosts are told which servers there are, how to reach their tools, and what is missing',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.add({ definition: local('rich', 'dual') });
      const bad = scriptedServer('bad', [toolNamed('thing')]);
      await meet(hub, bad);
      bad.breakDown();
      await expect(hub.servers.start({ id: 'bad' })).rejects.toThrow();
      const parts = { ...partsOn(hub), tools: () => hub.tools.list() };
      for (const mode of ['all', 'servers', 'search', 'code'] as const) {
        const text = (await instructionsOf(mode, parts)) ?? '';
        // In “servers” the list has a tool for each.
        if (mode !== 'servers') expect(text).toMatch(/^- rich\b/m);
        expect(text).toMatch(/Not available now:\n- bad: .+ Next: ./);
      }
      const { instructions } = await hub.servers.get({ id: 'rich' });
      expect(await instructionsOf('all', { ...parts, onlyServer: 'rich' })).toBe(instructions);
    });
  },
);

verifies(
  ['G3', 'T10'],
  'a server that was never connected is there in every mode, and the first call connects it',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      const cold = scriptedServer('cold', [toolNamed('look')]);
      await hub.servers.add({ definition: cold.definition, test: false });
      const [all, servers] = [openSurface('all', partsOn(hub)), openSurface('servers', partsOn(hub))];
      const [shown] = await servers.list();
      expect(shown).toMatchObject({
        name: 'cold',
        description: expect.stringContaining('Not connected yet'),
      });
      expect(namesOf(await all.list())).toEqual(['plug__read_result']);
      expect(spawns()).toBe(0);
      const described = await servers.call('cold', { action: 'describe' }, makerOn(hub));
      expect(JSON.parse(textIn(described))).toMatchObject({ name: 'look' });
      expect(textIn(await all.call('cold__look', {}, makerOn(hub)))).toBe('did look');
      expect(namesOf(await all.list())).toEqual(['cold__look', 'plug__read_result']);
      expect(cold.calls()).toEqual(['look']);
    });
  },
);

verifies(['G3', 'T7'], 'the index follows the tools, and finds none outside of the scope', async () => {
  await withHub({}, async ({ hub }) => {
    const issue = toolNamed('create_issue', { description: 'Opens a ticket in a repository.' });
    const git = scriptedServer('git', [issue, toolNamed('push_branch')]);
    const mail = scriptedServer('mail', [
      toolNamed('send_letter', { description: 'Sends a letter by e-mail.' }),
    ]);
    await meet(hub, git, mail);
    await hub.profiles.save({ name: 'letters', servers: ['mail'] });
    const search = indexedSearch({ hub });
    const everything = openSurface('search', partsOn(hub, { search }));
    const letters = openSurface('search', {
      ...partsOn(hub, { search }, { profile: 'letters' }),
      tools: () => hub.tools.list({ profile: 'letters' }),
    });
    const find = async (surface: typeof letters, ...queries: readonly string[]): Promise<string> =>
      textIn(await surface.call('search_tools', { queries }, makerOn(hub)));
    const both = await find(everything, 'create issue', 'send letter');
    expect(both).toMatch(/^git__create_issue\(.*Opens a ticket/m);
    expect(both).toMatch(/^mail__send_letter\(/m);
    expect(await find(letters, 'create issue', 'push branch')).not.toContain('git__');
    expect(await find(letters, 'send letter')).toMatch(/^mail__send_letter\(/);
    git.write([toolNamed('merge_branch')]);
    await hub.servers.restart({ id: 'git' });
    await expect.poll(() => find(everything, 'merge branch')).toMatch(/^git__merge_branch\(/);
    expect(await find(everything, 'create issue')).not.toContain('create_issue');
    await hub.servers.remove({ id: 'git' });
    expect(await find(everything, 'merge branch')).not.toContain('git__');
  });
});

verifies(['G3'], '“code” shows one tool, and what its script calls takes the one path', async () => {
  await withHub({}, async ({ hub }) => {
    const git = scriptedServer('git', [toolNamed('list_issues'), toolNamed('close_issue')]);
    await meet(hub, git);
    const search = indexedSearch({ hub });
    const surface = openSurface('code', partsOn(hub, { search }));
    expect(namesOf(await surface.list())).toEqual(['run_script']);
    const code = `
      const [first] = await tools.search('close issue');
      return [first.name, await servers.git.list_issues({})];`;
    const answer = await surface.call('run_script', { code }, makerOn(hub));
    expect(textIn(answer)).toContain('git.close_issue');
    expect(textIn(answer)).toContain('did list_issues');
    expect(git.calls()).toEqual(['list_issues']);
    const { records } = await hub.audit.query();
    expect(records).toMatchObject([{ server: 'git', tool: 'list_issues', outcome: 'ok' }]);
  });
});

test('what is made for a list is made once, and again after a failure', async () => {
  await withHub({}, async ({ hub }) => {
    await meet(hub, scriptedServer('one', [toolNamed('a')]));
    const list = await hub.tools.list();
    const surface = openSurface('all', partsOn(hub, { tools: () => Promise.resolve(list) }));
    expect(await surface.list()).toBe(await surface.list());
    let fails = true;
    const servers = {
      ...hub.servers,
      list: () => (fails ? Promise.reject(new Error('not now')) : hub.servers.list()),
    };
    const other = openSurface(
      'servers',
      partsOn({ ...hub, servers }, { tools: () => Promise.resolve(list) }),
    );
    await expect(other.list()).rejects.toThrow('not now');
    fails = false;
    expect(namesOf(await other.list())).toEqual(['one', 'plug__read_result']);
  });
});
