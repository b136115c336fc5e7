import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { installIn, keyedConfig, withConfiguring, type ConfiguringWorld } from './configuring-world.ts';
import { local, remote } from './lifecycle-hub.ts';

const PLAIN = { withModel: false } as const;
const KEY = 'wx_live_canary4f9a27c1d8';

async function have({ hub }: ConfiguringWorld, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await hub.servers.add({ definition: local(id, 'modern'), test: false });
}

async function enabled({ hub }: ConfiguringWorld): Promise<Readonly<Record<string, boolean>>> {
  const { servers } = await hub.servers.list();
  return Object.fromEntries(servers.map((server) => [server.id, server.enabled]));
}

verifies(
  ['A5'],
  '“turn off notion” turns it off, “turn it on again” knows which one, and “undo that” takes it back',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say } = world;
      await have(world, 'notion', 'github');
      expect((await say('turn off notion')).proposals).toEqual([]);
      expect(await enabled(world)).toEqual({ notion: false, github: true });
      await say('turn it on again');
      expect(await enabled(world)).toEqual({ notion: true, github: true });
      await say('undo that');
      expect(await enabled(world)).toEqual({ notion: false, github: true });
      await say('undo that');
      expect(await enabled(world)).toEqual({ notion: true, github: true });
      expect((await say('undo')).text).toContain('nothing to undo');
      await say('turn off both github and notion');
      expect(await enabled(world)).toEqual({ notion: false, github: false });
      await say('undo');
      expect(await enabled(world)).toEqual({ notion: true, github: true });
    });
  },
  40_000,
);

verifies(
  ['A5'],
  '“delete everything” names what would go and removes it only after a yes; a no keeps it',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub } = world;
      await have(world, 'notes', 'files');
      await hub.secrets.set({ name: 'notes/TOKEN', value: KEY });
      const asked = await say('delete everything');
      expect(asked.proposals).toEqual([
        { kind: 'remove', server: 'files', credentials: [] },
        { kind: 'remove', server: 'notes', credentials: ['notes/TOKEN'] },
      ]);
      for (const name of ['**files**', '**notes**', 'notes/TOKEN']) expect(asked.text).toContain(name);
      await say('no');
      await say('yes');
      expect(Object.keys(await enabled(world))).toEqual(['files', 'notes']);
      await say('delete everything');
      await say('yes');
      expect(await enabled(world)).toEqual({});
      expect(await hub.secrets.list()).toEqual([]);
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'a removed server comes back with “undo”, together with its key, and works',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub, folder } = world;
      const pasted = await say(keyedConfig(folder, KEY));
      await hub.plans.install({ plan: installIn(pasted.proposals).plan.plan });
      await say('remove weather');
      await say('yes please');
      expect(await enabled(world)).toEqual({});
      const back = await say('oh no, undo that');
      expect(back.proposals).toEqual([]);
      expect(Object.keys(await enabled(world))).toEqual(['weather']);
      expect(await hub.servers.start({ id: 'weather' })).toMatchObject({ state: { kind: 'ready' } });
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'two services in one sentence are two cards, and one yes adds both',
  async () => {
    await using first = await startHttpFixture('legacy-stateless');
    await using second = await startHttpFixture('legacy-stateless');
    const listed = [
      { name: 'io.github.acme/zendesk', remotes: [{ type: 'streamable-http', url: first.url }] },
      { name: 'io.github.acme/hubspot', remotes: [{ type: 'streamable-http', url: second.url }] },
    ];
    await withConfiguring({ ...PLAIN, listed }, async (world) => {
      const { say } = world;
      const cards = (await say('connect notion and linear')).proposals;
      expect(cards.map((each) => each.kind === 'install' && each.plan.server)).toEqual(['notion', 'linear']);
      await say('never mind');
      const config = { mcpServers: { one: { url: first.url }, two: { url: second.url } } };
      await say(JSON.stringify(config));
      await say('yes, both');
      expect(await enabled(world)).toEqual({ one: true, two: true });
      await say('turn off one and remove two');
      expect(await enabled(world)).toEqual({ one: false, two: true });
      await say('yes');
      expect(await enabled(world)).toEqual({ one: false });
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'a key for a server that is there goes into the vault, and the server is started with it',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub, folder, transcript } = world;
      const pasted = await say(keyedConfig(folder, KEY));
      await hub.plans.install({ plan: installIn(pasted.proposals).plan.plan });
      await hub.secrets.set({ name: 'weather/WEATHER_API_KEY', value: 'wrong-key-123456' });
      await hub.servers.stop({ id: 'weather' });
      world.anew();
      const why = await say("why doesn't weather work?");
      expect(why.text).toContain('weather does not work:');
      const { text } = await say(`the new weather key is ${KEY}`);
      expect(text).toMatch(/weather works/);
      expect(await hub.servers.get({ id: 'weather' })).toMatchObject({ state: { kind: 'ready' } });
      expect(transcript()).not.toContain(KEY);
      const asked = await say('I have a new key for weather');
      expect(asked.proposals).toEqual([
        { kind: 'key', server: 'weather', secret: 'weather/WEATHER_API_KEY' },
      ]);
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'a key that a new server rejects is not kept, and another one can be given',
  async () => {
    await using server = await startHttpFixture('unauthorized', { token: KEY });
    await withConfiguring(PLAIN, async ({ say, hub }) => {
      await hub.servers.add({ definition: remote('acme', server.url), test: false });
      await say('give acme a new key');
      await say('my key is acme_live_wrong_00000001');
      expect(await hub.secrets.list()).toEqual([]);
      await say(`sorry, my key is ${KEY}`);
      expect(await hub.secrets.list()).toHaveLength(1);
      expect(await hub.servers.get({ id: 'acme' })).toMatchObject({ state: { kind: 'ready' } });
    });
  },
  40_000,
);

verifies(
  ['A5'],
  '“why doesn’t github work?” tells the cause with its remedy, and “yes” does what can be done',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub } = world;
      await hub.servers.add({ definition: local('github', 'exits-at-once'), test: false });
      const { text, proposals } = await say('why doesn’t github work?');
      expect(text).toContain('github does not work:');
      expect(proposals).toMatchObject([{ kind: 'remedy', server: 'github', error: { remedy: {} } }]);
      await say('turn it off');
      const off = await say("why doesn't it work?");
      expect(off.proposals).toEqual([{ kind: 'switch', server: 'github', on: true }]);
      await say('yes');
      expect(await enabled(world)).toEqual({ github: true });
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'what a click on a card has done is not done again by a yes, and can be undone',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub, fact } = world;
      await have(world, 'notes', 'files');
      await say('remove notes and files');
      await hub.servers.remove({ id: 'notes' });
      fact('notes is removed.', { kind: 'removed', server: 'notes' });
      const { text } = await say('yes');
      expect(text).not.toContain('notes');
      expect(await enabled(world)).toEqual({});
      await say('undo');
      expect(Object.keys(await enabled(world))).toEqual(['files']);
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'a server that is there is not added twice: off, it is turned on; “don’t” does nothing',
  async () => {
    await withConfiguring(PLAIN, async (world) => {
      const { say, hub } = world;
      await have(world, 'linear');
      await hub.servers.disable({ id: 'linear' });
      expect((await say('connect linear')).proposals).toEqual([]);
      expect(await enabled(world)).toEqual({ linear: true });
      expect((await say("please don't remove linear")).proposals).toEqual([]);
      expect((await say('turn off everthing')).proposals).toEqual([]);
      expect(await enabled(world)).toEqual({ linear: false });
    });
  },
  40_000,
);
