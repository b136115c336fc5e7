import { expect, onTestFinished } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import { connectHub } from '../../src/api/client.ts';
import type { ConfiguringEvent } from '../../src/hub/hub.ts';
import { openHub, type RootHub } from '../../src/hub/open-hub.ts';
import { startHub, temporaryPaths } from '../contracts/running-hub.ts';
import { QUICK, user } from '../models/agent-world.ts';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { yesToAll } from '../yes-to-all.ts';
import { verifies } from '../requirements.ts';
import { installIn, keyedConfig, rowsOf, withConfiguring } from './configuring-world.ts';

const CANARY = 'wx_live_canary4f9a27c1d8';

verifies(
  ['A2'],
  'a key in a pasted config never reaches the model, and the server works with it once the person agrees',
  async () => {
    await withConfiguring({}, async ({ hub, folder, model, say, heard }) => {
      model.answer(
        calls({ name: 'parse_config', args: { paste: 1 } }),
        calls({ name: 'save_server', args: { paste: 1 } }),
        text('Your weather server is on the card.'),
        text('You are welcome.'),
      );
      const { outcome, events, proposals } = await say(`Please add this:\n${keyedConfig(folder, CANARY)}`);
      expect(outcome).toMatchObject({ model: 'fast', text: 'Your weather server is on the card.' });
      expect((await hub.servers.list()).servers).toEqual([]);
      const { plan } = installIn(proposals);
      expect(plan).toMatchObject({ server: 'weather', needs: [] });
      expect(JSON.stringify([outcome, events])).not.toContain(CANARY);

      expect((await hub.plans.install({ plan: plan.plan })).summary).toContain('forecast');
      const { result } = await hub.tools.call({ tool: 'weather/forecast', args: {} });
      expect(JSON.stringify(result)).toContain('sunny');

      await say('Thank you!');
      expect(model.left()).toBe(0);
      expect(model.requests).toHaveLength(4);
      expect(heard()).toContain('WEATHER_API_KEY');
      expect(heard()).not.toContain(CANARY);
      expect(heard()).not.toContain(Buffer.from(CANARY).toString('base64'));
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'without a model a pasted config is proposed and installed just the same',
  async () => {
    await withConfiguring({ withModel: false }, async ({ hub, folder, say, model }) => {
      const { outcome, events, proposals, text: answer } = await say(keyedConfig(folder, CANARY));
      expect(outcome.model).toBeUndefined();
      expect(answer).toContain('I can set up **weather** for you.');
      expect(rowsOf(events)).toEqual([
        'save_server: Reading your paste',
        'completed: Ready for you to look at: weather',
      ]);
      expect((await hub.servers.list()).servers).toEqual([]);
      await hub.plans.install({ plan: installIn(proposals).plan.plan });
      const listed = await say('what do I have?');
      expect(listed.text).toContain('**weather** is connected, 1 tool');
      expect(model.requests).toHaveLength(0);
    });
  },
  30_000,
);

verifies(
  ['A2'],
  'over the hub’s socket it streams the same, keeps the key out, and installs what was agreed to',
  async () => {
    await using model = await startScriptedModel();
    const paths = temporaryPaths();
    const open = (): Promise<RootHub> =>
      openHub({
        paths,
        cwd: paths.state,
        env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
        version: '1.0.0',
        approve: yesToAll,
        openAgent: (hub) => openAgent(hub, { limits: QUICK }),
      });
    const { send } = await startHub(open, { paths });
    const hub = connectHub(send);
    onTestFinished(() => hub.close());
    await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
    model.answer(calls({ name: 'save_server', args: { paste: 1 } }), text('Look at ', 'the card.'));
    const events: ConfiguringEvent[] = [];
    const damaged = keyedConfig(paths.state, CANARY).replace(/"command": ("[^"]+"),/, '"command": $1');
    const first = [user(damaged)];
    const asked = await hub.configuring.turn(
      { messages: first },
      { onProgress: (event) => events.push(event) },
    );
    expect(events.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['tool-start', 'proposal', 'tool-end', 'text']),
    );
    expect(asked.proposals).toMatchObject([{ kind: 'repair' }]);
    expect(JSON.stringify([asked, events])).not.toContain(CANARY);

    const messages = [...first, ...asked.messages, user('yes')];
    const { proposals } = await hub.configuring.turn({ messages, model: 'none' });
    await hub.plans.install({ plan: installIn(proposals).plan.plan });
    expect(await hub.servers.get({ id: 'weather' })).toMatchObject({ state: { kind: 'ready' } });
    expect(JSON.stringify(model.requests.map(({ body }) => body))).not.toContain(CANARY);
  },
  30_000,
);
