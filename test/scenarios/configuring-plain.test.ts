import { expect } from 'vitest';
import type { Proposal } from '../../src/hub/hub.ts';
import { startHttpFixture, stdioFixture } from '../servers/start.ts';
import { fail } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { installIn, keyedConfig, rowsOf, withConfiguring } from './configuring-world.ts';
import { local, remote } from './lifecycle-hub.ts';

const PLAIN = { withModel: false } as const;
const CANARY = 'wx_live_canary4f9a27c1d8';

const LISTED = [
  {
    name: 'io.github.acme/weather',
    remotes: [{ type: 'streamable-http', url: 'http://127.0.0.1:9/weather' }],
  },
  {
    name: 'io.github.other/weather-plus',
    remotes: [{ type: 'streamable-http', url: 'http://127.0.0.1:9/plus' }],
  },
];

verifies(
  ['A2', 'S9'],
  'damaged JSON is explained with its line and the corrected version, and used with its key after a yes',
  async () => {
    await withConfiguring(PLAIN, async ({ hub, folder, say }) => {
      const damaged = keyedConfig(folder, CANARY).replace(/"command": ("[^"]+"),/, '"command": $1');
      const asked = await say(damaged);
      expect(asked.proposals).toMatchObject([{ kind: 'repair' }]);
      expect(asked.text).toMatch(/Line [45]: .*comma/i);
      expect(asked.text).toContain('Here is the corrected version:');
      expect(asked.text).toContain('Shall I use it?');
      expect(asked.text).not.toContain(CANARY);
      expect((await hub.servers.list()).servers).toEqual([]);

      const { proposals, text } = await say('Yes, use it.');
      expect(text).toContain('I can set up **weather** for you.');
      await hub.plans.install({ plan: installIn(proposals).plan.plan });
      expect(await hub.servers.get({ id: 'weather' })).toMatchObject({ state: { kind: 'ready' } });
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a no to the corrected version changes nothing',
  async () => {
    await withConfiguring(PLAIN, async ({ hub, folder, say }) => {
      await say(keyedConfig(folder, CANARY).replace(/,\n/, '\n'));
      const { text, proposals } = await say('no');
      expect(text).toContain('nothing was changed');
      expect(proposals).toEqual([]);
      expect((await hub.servers.list()).servers).toEqual([]);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'words that several servers fit are asked back, and “the second one” is understood',
  async () => {
    await withConfiguring({ ...PLAIN, listed: LISTED }, async ({ say, registry }) => {
      const asked = await say('weather');
      expect(asked.proposals).toMatchObject([
        { kind: 'choose', choices: LISTED.map(({ name }) => ({ name })) },
      ]);
      expect(asked.text).toContain('1. **io.github.acme/weather**');
      expect(registry.asked.some((path) => path.includes('search=weather'))).toBe(true);
      const { proposals } = await say('the second one');
      expect(installIn(proposals).plan.view.url).toBe('http://127.0.0.1:9/plus');
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a choice may be given by its name or a number, and a wrong number is told',
  async () => {
    await withConfiguring({ ...PLAIN, listed: LISTED }, async ({ say, anew }) => {
      await say('I am looking for a weather server');
      expect((await say('7')).text).toContain('There are 2 to choose from');
      anew();
      await say('weather');
      expect(installIn((await say('io.github.acme/weather')).proposals).plan.view.url).toBe(
        'http://127.0.0.1:9/weather',
      );
    });
  },
  30_000,
);

verifies(
  ['A2'],
  '“connect me to Notion” works from the featured servers alone',
  async () => {
    await withConfiguring(PLAIN, async ({ say, registry }) => {
      const { proposals, text } = await say('connect me to Notion');
      expect(installIn(proposals).plan.server).toBe('notion');
      expect(text).toContain('Connects to mcp.notion.com.');
      expect(registry.asked).toEqual([]);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'an address is asked what it wants before it is proposed',
  async () => {
    await using server = await startHttpFixture('legacy-stateless');
    await withConfiguring(PLAIN, async ({ hub, say }) => {
      const { proposals } = await say(`add ${server.url} please`);
      const { plan } = installIn(proposals);
      expect(plan.view).toMatchObject({ url: server.url, auth: { kind: 'none' } });
      await hub.plans.install({ plan: plan.plan, id: 'mine' });
      expect((await say('test mine')).text).toMatch(/^mine works: it is connected and has \d+ tools?\.$/);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'removing is only proposed, with the names of the keys that would go',
  async () => {
    await withConfiguring(PLAIN, async ({ hub, folder, say }) => {
      const { proposals } = await say(keyedConfig(folder, CANARY));
      await hub.plans.install({ plan: installIn(proposals).plan.plan });
      const asked = await say('remove the weather server');
      const removal: Proposal = {
        kind: 'remove',
        server: 'weather',
        credentials: ['weather/WEATHER_API_KEY'],
      };
      expect(asked.proposals).toEqual([removal]);
      expect(asked.text).toContain('weather/WEATHER_API_KEY would be forgotten with it.');
      expect((await hub.servers.list()).servers).toHaveLength(1);
      expect(await hub.secrets.list()).toContain('weather/WEATHER_API_KEY');
      expect((await say('remove wether')).proposals).toEqual([removal]);
      expect((await hub.servers.list()).servers).toHaveLength(1);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a server that fails is tested and its failure told in a sentence',
  async () => {
    await withConfiguring(PLAIN, async ({ hub, say }) => {
      await hub.servers.add({ definition: local('broken', 'exits-at-once'), test: false });
      const { text, events } = await say('is broken working?');
      expect(text).toContain('broken does not work:');
      expect(rowsOf(events)[0]).toBe('test_connection: Testing broken');
      expect(rowsOf(events)[1]).toMatch(/^failed: /);
      expect((await say('what do I have?')).text).toContain('**broken** is not working');
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'signing in is proposed for a remote server, and a local one says what it takes',
  async () => {
    await withConfiguring(PLAIN, async ({ hub, say }) => {
      await hub.servers.add({ definition: remote('acme', 'http://127.0.0.1:9/mcp'), test: false });
      await hub.servers.add({ definition: local('files', 'modern'), test: false });
      expect((await say('sign in to acme')).proposals).toEqual([{ kind: 'sign-in', server: 'acme' }]);
      const other = await say('sign in to files');
      expect(other.proposals).toEqual([]);
      expect(other.text).toContain('takes a key, not a sign-in');
      expect(installIn((await say('sign in to linear')).proposals).plan.server).toBe('linear');
    });
  },
  30_000,
);

verifies(
  ['A2', 'S10'],
  'a local server is declined in remote-only mode, with why and what to give instead',
  async () => {
    await withConfiguring({ ...PLAIN, env: { PLUG_REMOTE_ONLY: '1' } }, async ({ say }) => {
      const { command, args } = stdioFixture('modern');
      for (const paste of ['npx -y acme-mcp', JSON.stringify({ mcpServers: { a: { command, args } } })]) {
        const { proposals, text } = await say(paste);
        expect(proposals).toEqual([]);
        expect(text).toMatch(/local server/);
        expect(text).toContain('Give the address of a remote server instead');
      }
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'whatever is not understood gets one helpful sentence with three examples',
  async () => {
    await withConfiguring(PLAIN, async ({ say }) => {
      for (const nonsense of ['please make me a sandwich', 'hello', '∅∅∅', '{"a":1}']) {
        const { proposals, text } = await say(nonsense);
        expect(proposals, nonsense).toEqual([]);
        expect(text, nonsense).toContain('connect me to Notion');
        expect(text, nonsense).toContain('https://mcp.example.com/mcp');
        expect(text, nonsense).toContain('npx -y');
      }
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a registry that does not answer is named',
  async () => {
    await withConfiguring({ ...PLAIN, listed: LISTED }, async ({ say, registry }) => {
      registry.answer = () => ({ status: 500, text: 'down' });
      const { proposals, text } = await say('weather');
      expect(proposals).toEqual([]);
      expect(text).toContain('The registry official did not answer');
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'who asks for no model gets none, and a model that fails is told and done without',
  async () => {
    await withConfiguring({}, async ({ say, model }) => {
      expect((await say('connect me to Notion', { model: 'none' })).outcome.model).toBeUndefined();
      expect(model.requests).toHaveLength(0);
      model.answer(fail(401, {}, 'Incorrect API key.'));
      const refused = await say('connect me to Linear');
      expect(refused.text).toMatch(/does not accept the key.*I go on without a model\./);
      expect(installIn(refused.proposals).plan.server).toBe('linear');
      const unknown = await say('connect me to Sentry', { model: 'unknown' });
      expect(unknown.text).toContain('There is no model “unknown”');
      expect(installIn(unknown.proposals).plan.server).toBe('sentry');
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a key that is typed into the conversation is not looked up anywhere, and its place is told',
  async () => {
    await withConfiguring({ ...PLAIN, listed: LISTED }, async ({ say, registry }) => {
      for (const typed of [CANARY, `Here is my key: ${CANARY}`, `my token is ${CANARY}`]) {
        const { text, proposals } = await say(typed);
        expect(text).toContain('This looks like a key. I have not used it or passed it on.');
        expect(text).not.toContain(CANARY);
        expect(proposals).toEqual([]);
      }
      expect(registry.asked).toEqual([]);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a config of many servers is proposed in a bounded number of cards, and the rest is told',
  async () => {
    await withConfiguring(PLAIN, async ({ say }) => {
      const { command, args } = stdioFixture('modern');
      const names = Array.from({ length: 20 }, (_, index) => `server-${index}`);
      const mcpServers = Object.fromEntries(names.map((name) => [name, { command, args }]));
      const { proposals, text } = await say(JSON.stringify({ mcpServers }));
      expect(proposals).toHaveLength(12);
      expect(text).toContain('There are 8 more in it');
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'a server that turns out to want a key is answered with a field for it',
  async () => {
    await using server = await startHttpFixture('unauthorized');
    await withConfiguring(PLAIN, async ({ hub, say }) => {
      await hub.servers.add({ definition: remote('locked', server.url), test: false });
      const { proposals, text } = await say('test locked');
      expect(text).toMatch(/key/);
      expect(text).not.toMatch(/sign.in|headers/i);
      expect(proposals).toEqual([{ kind: 'key', server: 'locked' }]);
    });
  },
  30_000,
);
