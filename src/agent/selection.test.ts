import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { user, withAgent, type AgentWorld, type Said } from '../../test/models/agent-world.ts';
import { calls, text } from '../../test/models/scripted-model.ts';
import { verifies } from '../../test/requirements.ts';
import { meet, scriptedServer, toolNamed } from '../../test/scenarios/catalog-server.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import type { JsonObject } from '../base/json.ts';
import { estimateTokens } from '../catalog/tokens/estimate-tokens.ts';
import { namedServers } from './named-servers.ts';
import type { ServerView } from '../hub/hub.ts';

type SentTool = { readonly function: { readonly name: string } };

/** The tools that the last request showed to the model. */
function shownIn({ model }: AgentWorld): readonly string[] {
  const tools = (model.requests.at(-1)?.body['tools'] ?? []) as unknown as readonly SentTool[]; // as OpenAI defines it
  return tools.map((tool) => tool.function.name);
}

/** What the model was told first. */
function toldIn({ model }: AgentWorld): string {
  const messages = (model.requests.at(-1)?.body['messages'] ?? []) as unknown as readonly {
    readonly content: string;
  }[]; // as OpenAI defines it
  return messages[0]?.content ?? '';
}

function chosen({ events }: Said): unknown {
  return events.find(({ kind }) => kind === 'servers');
}

function notes({ events }: Said): readonly string[] {
  return events.flatMap((event) => (event.kind === 'note' ? [event.text] : []));
}

const OWN = ['plug__read_result', 'suggest_server'];

verifies(['A1'], 'a request names its servers: by option, by @name, or by “using A and B: …”', async () => {
  await withAgent({}, async (world) => {
    const { hub, model, say } = world;
    await meet(hub, ...['github', 'linear', 'mail'].map((id) => scriptedServer(id, [toolNamed('look')])));
    const both = ['mcp__github__look', 'mcp__linear__look', ...OWN];
    const asked = {
      'Using GitHub and Linear: what is new?': both,
      'using github, linear: what is new?': both,
      'What is new in @github, and in @Linear?': both,
      'Ask @mail.': ['mcp__mail__look', ...OWN],
      'Write to me@github and to "@nobody"': [
        'mcp__github__look',
        'mcp__linear__look',
        'mcp__mail__look',
        ...OWN,
      ],
      'Using the following list: github, mail': [
        'mcp__github__look',
        'mcp__linear__look',
        'mcp__mail__look',
        ...OWN,
      ],
    };
    for (const [request, tools] of Object.entries(asked)) {
      model.answer(text('ok'));
      const said = await say(request);
      expect(shownIn(world), request).toEqual(tools);
      expect(chosen(said)).toMatchObject({
        named: tools.length < 5,
        servers: tools.slice(0, -2).map((name) => name.slice('mcp__'.length, -'__look'.length)),
      });
      expect(notes(said)).toEqual([]);
    }
    model.answer(calls({ name: 'mcp__github__look' }), text('ok'));
    const only = await say({ messages: [user('@github what is new?')], servers: ['mail'] });
    expect(chosen(only)).toEqual({ kind: 'servers', servers: ['mail'], named: true });
    // What was not named is not called either.
    expect(only.events).toContainEqual(
      expect.objectContaining({
        kind: 'call-end',
        outcome: 'failed',
        error: expect.objectContaining({ code: 'not_found' }),
      }),
    );
  });
});

verifies(
  ['A1'],
  'a named server that is missing or fails is said with the next step, never ignored',
  async () => {
    await withAgent({}, async (world) => {
      const { hub, model, say } = world;
      const bad = scriptedServer('bad', [toolNamed('look')]);
      await meet(
        hub,
        bad,
        scriptedServer('github', [toolNamed('look')]),
        scriptedServer('off', [toolNamed('look')]),
      );
      bad.breakDown();
      await expect(hub.servers.start({ id: 'bad' })).rejects.toThrow();
      await hub.servers.disable({ id: 'off' });
      const stops = async (said: Parameters<typeof say>[0], error: object): Promise<void> =>
        expect(await say(said).catch((thrown: unknown) => thrown)).toMatchObject({
          code: 'not_found',
          owner: 'you',
          ...error,
        });
      await stops('@githb look', { details: { suggestions: ['github'] } });
      await stops('Using Notion and github: look', { next: 'plug add notion' });
      await stops({ servers: ['nowhere'] }, { next: 'plug list' });
      await stops({ servers: ['github', 'nowhere'] }, { next: 'plug list' });
      expect(model.requests).toEqual([]);
      model.answer(text('ok'));
      const [failed, off] = notes(await say({ servers: ['bad', 'off'] }));
      expect(failed).toMatch(/^bad cannot be used now: .+ Next: \S+ .*tools\.json/);
      expect(off).toMatch(/^off cannot be used now: .+ Next: plug enable off/);
    });
  },
);

/** A config folder whose file names these servers: nobody has ever connected them. */
function configOf(...servers: readonly ReturnType<typeof scriptedServer>[]): string {
  const folder = temporaryFolder();
  const entries = servers.map(({ definition, command: [command, ...args] }) => [
    definition.id,
    { command, args },
  ]);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return folder;
}

verifies(
  ['A1'],
  'a server that was never connected is woken when it is named, and reachable when it is not',
  async () => {
    const [cold, other] = [
      scriptedServer('cold', [toolNamed('look')]),
      scriptedServer('other', [toolNamed('look')]),
    ];
    await withAgent({ config: configOf(cold, other) }, async (world) => {
      const { model, say, spawns } = world;
      model.answer(text('ok'));
      const servers = ['cold', 'other'];
      expect(chosen(await say('Hello'))).toEqual({ kind: 'servers', servers, named: false });
      expect(shownIn(world)).toEqual(['plug__read_result', ...servers, 'suggest_server']);
      expect(spawns()).toBe(0);
      const look = { name: 'cold', args: { action: 'look' } };
      model.answer(calls({ name: 'cold', args: { action: 'describe' } }), calls(look), text('ok'));
      const { events } = await say('Hello');
      expect(events).toContainEqual(
        expect.objectContaining({ kind: 'call-end', tool: 'cold/look', outcome: 'completed' }),
      );
      expect([cold.calls(), spawns()]).toEqual([['look'], 1]);
      model.answer(text('ok'));
      await say('@other look');
      expect(shownIn(world)).toEqual(['mcp__other__look', ...OWN]);
      expect(spawns()).toBe(2);
    });
  },
);

test('servers that were never connected take no more than their share, and the others are named', async () => {
  const cold = Array.from({ length: 30 }, (_, index) => scriptedServer(`cold${index}`, [toolNamed('look')]));
  await withAgent({ config: configOf(...cold) }, async (world) => {
    const { model, say, spawns } = world;
    model.answer(text('ok'));
    await say('Hello', { limits: { toolTokensMax: 2_000 } });
    expect(shownIn(world).length).toBeLessThan(15);
    expect(toldIn(world)).toMatch(/Never connected, so that their tools are not known: cold.+ as in @cold/);
    expect(spawns()).toBe(0);
  });
});

/** A server whose tools are about one thing, each of about 90 tokens. */
function about(id: string, thing: string, count: number): ReturnType<typeof scriptedServer> {
  const verbs = ['create', 'list', 'close', 'find', 'move', 'copy', 'merge', 'count', 'share', 'rename'];
  const tool = (index: number): JsonObject & { readonly name: string } =>
    toolNamed(`${verbs[index % verbs.length]}_${thing}_${index}`, {
      description: `${verbs[index % verbs.length]} a ${thing}. ${'Details that cost a model tokens. '.repeat(8)}`,
      annotations: { readOnlyHint: true },
    });
  return scriptedServer(
    id,
    Array.from({ length: count }, (_, index) => tool(index)),
  );
}

verifies(
  ['A1', 'A3'],
  'what does not fit is narrowed to what the request needs, and the rest is found by searching',
  async () => {
    await withAgent({}, async (world) => {
      const { hub, model, say } = world;
      const servers = [
        about('tracker', 'issue', 8),
        about('post', 'letter', 8),
        about('kitchen', 'recipe', 8),
        about('garage', 'invoice', 60),
      ];
      await meet(hub, ...servers);
      const limits = { toolTokensMax: 2_400 };
      const shown = async (request: string | Parameters<typeof say>[0]): Promise<readonly string[]> => {
        model.answer(text('ok'));
        chosenServers = (chosen(await say(request, { limits })) as { servers: string[] }).servers;
        return shownIn(world);
      };
      let chosenServers: readonly string[] = [];
      const first = await shown('Please close the issue about the login');
      expect(first.filter((name) => name.startsWith('mcp__tracker__'))).toHaveLength(8);
      expect(first).toEqual(expect.arrayContaining(['search_tools', 'describe_tool', 'call_tool']));
      expect(chosenServers).toContain('tracker');
      expect(estimateTokens(JSON.stringify(model.requests.at(-1)?.body['tools']))).toBeLessThan(3_200);
      expect(await shown('Please close the issue about the login')).toEqual(first);
      await shown('Write a letter to grandmother');
      expect(chosenServers).toContain('post');
      // Of a server that is larger than the budget, what fits the words.
      const some = await shown('merge the invoice');
      expect(some.filter((name) => name.startsWith('mcp__garage__merge')).length).toBeGreaterThan(0);
      expect(some.filter((name) => name.startsWith('mcp__garage__')).length).toBeLessThan(60);
      // A follow-up needs what was used before.
      const before = {
        role: 'assistant' as const,
        content: [{ type: 'tool-call', toolCallId: 'x', toolName: 'kitchen__find_recipe_3', input: {} }],
      };
      await shown({ messages: [user('Find a recipe'), before, user('and the other one?')] });
      expect(chosenServers).toContain('kitchen');
      // What is not shown is reached as well.
      model.answer(
        calls({ name: 'search_tools', args: { queries: ['count recipe'] } }),
        calls(
          { name: 'call_tool', args: { name: 'kitchen__count_recipe_7' } },
          { name: 'kitchen__list_recipe_1' },
        ),
        text('ok'),
      );
      const { events } = await say('Please close the issue', { limits });
      const ends = events.flatMap((event) =>
        event.kind === 'call-end' ? [`${event.tool} ${event.outcome}`] : [],
      );
      expect(ends.toSorted()).toEqual(
        [
          'kitchen/list_recipe_1 completed',
          'kitchen/count_recipe_7 completed',
          'search_tools completed',
        ].toSorted(),
      );
      expect(servers[2]?.calls().toSorted()).toEqual(['count_recipe_7', 'list_recipe_1']);
      expect(toldIn(world)).toMatch(/^- garage, 60 tools/m);
    });
  },
);

verifies(
  ['A1', 'T1'],
  'tools that would fit are narrowed as well: the model sees those of the servers that the request needs',
  async () => {
    await withAgent({}, async (world) => {
      const { hub, model, say } = world;
      const servers = [
        about('tracker', 'issue', 14),
        about('post', 'letter', 14),
        about('kitchen', 'recipe', 13),
      ];
      await meet(hub, ...servers);
      const asked = async (
        request: string,
      ): Promise<{ readonly names: readonly string[]; readonly event: unknown }> => {
        model.answer(text('ok'));
        const event = chosen(await say(request));
        return { names: shownIn(world), event };
      };
      const one = await asked('Please close the issue about the login');
      expect(one.event).toEqual({ kind: 'servers', servers: ['tracker'], named: false, of: 3 });
      const searching = new Set(['search_tools', 'describe_tool', 'call_tool', ...OWN]);
      const others = one.names.filter((name) => !searching.has(name));
      expect(others).toHaveLength(14);
      expect(others.every((name) => name.startsWith('mcp__tracker__'))).toBe(true);
      // The others are named to it, and reached by searching.
      expect(toldIn(world)).toMatch(/^- kitchen, 13 tools/m);
      model.answer(calls({ name: 'search_tools', args: { queries: ['find recipe'] } }), text('ok'));
      await say('Please close the issue about the login');
      expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(
        'mcp__kitchen__find_recipe_3(',
      );
      const two = await asked('Write a letter about the recipe');
      expect(two.event).toMatchObject({ servers: ['kitchen', 'post'], of: 3 });
      // A name is no guess, and words without a match leave nothing out.
      expect((await asked('@post look')).event).toEqual({ kind: 'servers', servers: ['post'], named: true });
      const none = await asked('Hm?');
      expect(none.event).toEqual({
        kind: 'servers',
        servers: ['kitchen', 'post', 'tracker'],
        named: false,
      });
      expect(none.names).toHaveLength(41 + OWN.length);
    });
  },
);

test('a provider is never sent more tools than it takes', async () => {
  await withAgent({}, async (world) => {
    const { hub, model, say } = world;
    await meet(
      hub,
      scriptedServer(
        'many',
        Array.from({ length: 200 }, (_, index) => toolNamed(`t${index}`)),
      ),
    );
    model.answer(text('ok'), text('ok'));
    await say({ mode: 'all' });
    expect(shownIn(world).length).toBeLessThanOrEqual(128);
    expect(shownIn(world)).toContain('search_tools');
    await say({ mode: 'all' }, { view: { provider: 'anthropic' } });
    expect(model.requests.at(-1)?.body['tools']).toHaveLength(202);
  });
});

test('an address is no mention, and a sign after a name is no part of it', () => {
  const servers = ['git', 'git.hub', 'mail-2'].map(
    (id) => ({ id, name: id, state: { kind: 'asleep', reason: '' } }) as ServerView,
  ); // the rest is not read
  const ids = (said: string): unknown => namedServers(said, servers, undefined).ids;
  expect(ids('@git.')).toEqual(['git']);
  expect(ids('(@git.hub)')).toEqual(['git.hub']);
  expect(ids('look: @mail-2!')).toEqual(['mail-2']);
  expect(ids('x@git.hub, https://a/@git, @@git')).toBeUndefined();
  expect(ids('@GIT and @git')).toEqual(['git']);
  expect(ids('')).toBeUndefined();
});
