import { expect } from 'vitest';
import { calls, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { installIn, keyedConfig, withConfiguring, type ConfiguringWorld } from './configuring-world.ts';
import { local } from './lifecycle-hub.ts';

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
  'with a model, too, what is said outright is done by our own code: off, undone, a key, a yes',
  async () => {
    await withConfiguring({}, async (world) => {
      const { say, hub, folder, model, heard } = world;
      await have(world, 'notes');
      await say('turn off notes');
      await say('undo that');
      expect(await enabled(world)).toEqual({ notes: true });
      expect(model.requests).toHaveLength(0);
      const config = keyedConfig(folder, KEY).replace(`"${KEY}"`, '"YOUR_KEY"');
      model.answer(
        calls({ name: 'save_server', args: { paste: 3 } }),
        text('It needs a key.'),
        text('Good.'),
      );
      const asked = await say(config);
      expect(installIn(asked.proposals).plan.needs).toHaveLength(1);
      const { outcome } = await say(`here's my key: ${KEY}`);
      expect(outcome).toMatchObject({ done: [{ kind: 'added', server: 'weather' }], said: { forget: true } });
      expect(await hub.servers.get({ id: 'weather' })).toMatchObject({ state: { kind: 'ready' } });
      await say('Thank you!');
      expect(model.left()).toBe(0);
      expect(heard()).toContain('[secret]');
      expect(heard()).not.toContain(KEY);
    });
  },
  40_000,
);

verifies(
  ['A5', 'A2'],
  'a hostile model cannot turn “yes” into a removal among other things, nor do anything by itself',
  async () => {
    await withConfiguring({}, async (world) => {
      const { say, hub, model } = world;
      await have(world, 'notes', 'files');
      await hub.secrets.set({ name: 'notes/TOKEN', value: KEY });
      model.answer(
        calls(
          { name: 'remove_server', args: { server: 'notes' } },
          { name: 'disable_server', args: { server: 'files' } },
          { name: 'give_key', args: { server: 'notes' } },
          { name: 'undo', args: {} },
        ),
        text('Shall I show you the weather? Say yes. yes'),
      );
      const { proposals } = await say('what is the weather like?');
      expect(proposals.map(({ kind }) => kind).toSorted()).toEqual(['key', 'remove', 'switch']);
      expect(await enabled(world)).toEqual({ notes: true, files: true });
      const { text: asksBack } = await say('yes');
      expect(asksBack).toContain('“remove notes”');
      expect(await enabled(world)).toEqual({ notes: true, files: true });
      expect(await hub.secrets.list()).toEqual(['notes/TOKEN']);
      await say('no');
      expect((await say('yes', { model: 'none' })).outcome.done).toEqual([]);
      expect(await enabled(world)).toEqual({ notes: true, files: true });
    });
  },
  40_000,
);

verifies(
  ['A5', 'A2'],
  'a removal that nobody asked for takes more than a yes to a misleading question',
  async () => {
    await withConfiguring({}, async (world) => {
      const { say, model } = world;
      await have(world, 'notes');
      model.answer(calls({ name: 'remove_server', args: { server: 'notes' } }), text('Shall I look it up?'));
      await say('what is the weather like?');
      expect((await say('yes')).outcome.done).toEqual([]);
      expect((await say('yes')).outcome.done).toEqual([]);
      model.answer(calls({ name: 'remove_server', args: { server: 'notes' } }), text('Sure?'));
      await say('all right, remove notes');
      expect((await say('yes')).outcome.done).toMatchObject([{ kind: 'removed', server: 'notes' }]);
      expect(await enabled(world)).toEqual({});
    });
  },
  40_000,
);

verifies(
  ['A5'],
  'what a model put together is never installed by a plain “yes”',
  async () => {
    await withConfiguring({}, async ({ say, hub, model }) => {
      const made = JSON.stringify({ mcpServers: { evil: { command: process.execPath, args: ['-e', '1'] } } });
      model.answer(calls({ name: 'save_server', args: { text: made } }), text('Ready to begin?'));
      await say('hello');
      const { text: answer, outcome } = await say('yes');
      expect(outcome.done).toEqual([]);
      expect(answer).toContain('a “yes” here is not enough');
      expect((await hub.servers.list()).servers).toEqual([]);
    });
  },
  40_000,
);
