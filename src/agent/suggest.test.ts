import { expect, test } from 'vitest';
import { withAgent } from '../../test/models/agent-world.ts';
import { calls, text } from '../../test/models/scripted-model.ts';
import { verifies } from '../../test/requirements.ts';
import { meet, scriptedServer, toolNamed } from '../../test/scenarios/catalog-server.ts';
import { withHub } from '../../test/scenarios/lifecycle-hub.ts';
import type { Hub } from '../hub/hub.ts';
import { suggestServers } from './suggest.ts';

/** What would be added, in order. */
async function suggested(hub: Hub, request: string): Promise<readonly string[]> {
  return (await suggestServers(hub, request)).map(({ next }) => next);
}

verifies(['A4'], 'a request that names a known service gets the command that connects it', async () => {
  await withHub({}, async ({ hub }) => {
    const asked = {
      'What are my open GitHub issues?': ['plug add github'],
      'create a page in Notion about this': ['plug add notion'],
      'list my Linear issues': ['plug add linear'],
      'post the summary to slack.': ['plug add slack'],
      'look into jira and confluence for it': ['plug add atlassian'],
      'copy it from Airtable to google sheets': ['plug add google-docs', 'plug add airtable'],
    };
    for (const [request, next] of Object.entries(asked)) {
      expect([...(await suggested(hub, request))].toSorted(), request).toEqual([...next].toSorted());
    }
    const [github] = await suggestServers(hub, 'my GitHub issues');
    expect(github).toMatchObject({
      add: 'github',
      name: 'GitHub',
      from: 'featured',
      why: expect.stringContaining('not connected'),
    });
  });
});

verifies(
  ['A4'],
  'nothing is suggested where no service is named, and words of everyday language are no names',
  async () => {
    await withHub({}, async ({ hub }) => {
      const asked = [
        'hello',
        'what is 2+2',
        '',
        'What time is it in Berlin on Monday?',
        'explain linear regression in linear time',
        'I have a notion that it is square',
        'remember the files in this folder and fetch everything',
        'write a memory game with a clock',
        'how do I cut some slack and stripe the wall in neon colours?',
        'Linear algebra for beginners',
        'search the web for the calendar of the browser',
      ];
      for (const request of asked) expect(await suggested(hub, request), request).toEqual([]);
    });
  },
);

verifies(
  ['A4'],
  'a server that is there is never suggested, and one that is switched off is to be switched on',
  async () => {
    await withHub({}, async ({ hub }) => {
      await meet(
        hub,
        scriptedServer('github-work', [toolNamed('look')]),
        scriptedServer('notion', [toolNamed('look')]),
      );
      await meet(hub, scriptedServer('wiki', [toolNamed('look')]));
      expect(await suggested(hub, 'my GitHub issues, and then a page in Notion')).toEqual([]);
      await hub.servers.disable({ id: 'notion' });
      await hub.servers.disable({ id: 'wiki' });
      expect(await suggested(hub, 'create a page in Notion')).toEqual(['plug enable notion']);
      expect(await suggested(hub, 'write it into the wiki')).toEqual(['plug enable wiki']);
    });
  },
);

verifies(
  ['A4'],
  'the local copy of the registries is asked by exact names alone, and never the network',
  async () => {
    await withHub({}, async ({ hub }) => {
      const asked: unknown[] = [];
      const found = (name: string, title: string) => ({
        name,
        address: `official:${name}`,
        title,
        description: 'Tickets.',
        sources: ['official'],
        verified: true,
        useCount: 1,
        deprecated: false,
        entries: [],
      });
      const results = [
        found('com.example/zendesk-mcp', 'Zendesk MCP'),
        found('com.example/zendesk-tools', 'Tools for Zendesk'),
      ];
      const registries: Hub['registries'] = {
        ...hub.registries,
        search: (query) => {
          asked.push(query);
          return Promise.resolve({ results, registries: [], featured: { servers: 0, results: 0 } });
        },
      };
      const suggestions = await suggestServers({ ...hub, registries }, 'close my Zendesk tickets');
      expect(suggestions).toMatchObject([
        {
          add: 'official:com.example/zendesk-mcp',
          from: 'registry',
          next: 'plug add official:com.example/zendesk-mcp',
        },
      ]);
      expect(asked).toEqual([{ query: 'zendesk', offline: true, limit: 8 }]);
      expect(await suggestServers({ ...hub, registries }, 'close my Freshdesk tickets')).toEqual([]);
      // The index of a hub that never copied a registry knows nothing, at once.
      expect(await suggestServers(hub, 'close my Zendesk tickets')).toEqual([]);
    });
  },
);

verifies(['A4'], 'a suggestion comes at the beginning of a turn, and the model may ask for one', async () => {
  await withAgent({}, async ({ model, say, agent }) => {
    model.answer(text('I cannot see them.'));
    const { events } = await say('What are my open GitHub issues?');
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.indexOf('suggestion')).toBeLessThan(kinds.indexOf('text'));
    expect(events).toContainEqual(
      expect.objectContaining({
        kind: 'suggestion',
        suggestions: [expect.objectContaining({ add: 'github' })],
      }),
    );
    model.answer(
      calls(
        { name: 'suggest_server', args: { need: 'jira' } },
        { name: 'suggest_server', args: { need: 'quetzals' } },
        { name: 'suggest_server' },
      ),
      text('Connect Atlassian.'),
    );
    const asked = await say('What is on my board?');
    expect(asked.events).toContainEqual(
      expect.objectContaining({
        kind: 'suggestion',
        suggestions: [expect.objectContaining({ add: 'atlassian' })],
      }),
    );
    const told = JSON.stringify(model.requests.at(-1)?.body);
    expect(told).toContain('plug add atlassian');
    expect(told).toContain('No server is known for that');
    expect(told).toContain('it is required');
    model.answer(text('Hi.'));
    expect((await say('hello')).events.some(({ kind }) => kind === 'suggestion')).toBe(false);
    expect(
      await (await agent()).chat.suggest({ text: 'GitHub, Notion pages and Airtable', limit: 2 }, {}),
    ).toHaveLength(2);
  });
});

test('a suggestion that cannot be looked up does not keep anybody from talking', async () => {
  await withHub({}, async ({ hub }) => {
    const registries: Hub['registries'] = {
      ...hub.registries,
      search: () => Promise.reject(new Error('no index')),
    };
    expect(await suggestServers({ ...hub, registries }, 'close my Zendesk tickets')).toEqual([]);
  });
});
