import { expect, onTestFinished } from 'vitest';
import { calls, startScriptedModel, text, type ScriptedModel } from '../models/scripted-model.ts';
import { played, reading } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { openAdd, type AddWorld } from './add-world.ts';
import { seriousViolations } from './axe.ts';

const LONG_MS = 90_000;
const SECRET = 'wx_live_canary4f9a27c1d8';
const CONFIG = JSON.stringify({
  mcpServers: {
    weather: { command: 'npx', args: ['-y', 'acme-weather'], env: { WEATHER_KEY: 'YOUR_KEY' } },
  },
});

/** The place for setting up, and how to say something there. */
async function openSetup(options: { readonly width?: number } = {}): Promise<{
  readonly world: AddWorld;
  readonly say: (text: string) => Promise<void>;
}> {
  const world = await openAdd({ place: '/setup', ...options });
  const { page } = world;
  return {
    world,
    say: async (words) => {
      await page.getByLabel('Message').fill(words);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
    },
  };
}

async function withModel({ world }: { readonly world: AddWorld }): Promise<ScriptedModel> {
  const model = await startScriptedModel();
  onTestFinished(() => model.close());
  await world.hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
  await world.go('/setup');
  return model;
}

verifies(
  ['W3', 'A2'],
  'without a model, what is pasted becomes a card; the key is typed into its field, and the server stands beside the conversation',
  async () => {
    const { world, say } = await openSetup();
    const { page, hub } = world;
    await page.getByText('Works without a model.').waitFor();
    await say(CONFIG);
    expect((await hub.servers.list()).servers).toEqual([]);
    await page.getByRole('textbox', { name: 'Weather key' }).fill(SECRET);
    await page.getByRole('log').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('log').getByText('weather is added as weather.').waitFor();
    await page.getByRole('region', { name: 'List of servers' }).getByText('weather').waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['weather']);
    expect(await hub.secrets.list()).toEqual([expect.stringContaining('WEATHER_KEY')]);
    expect(await page.getByRole('log').textContent()).not.toContain(SECRET);
  },
  LONG_MS,
);

verifies(
  ['W3', 'A2'],
  'a model proposes and is told what became of it, and never hears the key that was typed into the card',
  async () => {
    const setup = await openSetup();
    const model = await withModel(setup);
    const { page, hub } = setup.world;
    model.answer(calls({ name: 'save_server', args: { paste: 1 } }), text('It is ', 'on the card.'));
    await setup.say(CONFIG);
    await page.getByText('It is on the card.').waitFor();
    await page.getByText('answered by fast').waitFor();
    expect((await hub.servers.list()).servers).toEqual([]);
    await page.getByRole('textbox', { name: 'Weather key' }).fill(SECRET);
    await page.getByRole('log').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('weather is added as weather.').waitFor();
    model.answer(text('Good.'));
    await setup.say('Thanks');
    await page.getByText('Good.').waitFor();
    const heard = JSON.stringify(model.requests.map(({ body }) => body));
    expect(heard).not.toContain(SECRET);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('weather is added as weather.');
    expect(await hub.secrets.list()).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['W3', 'A2'],
  'a key that is said in plain words is hidden in the conversation, and the model does not get it',
  async () => {
    const setup = await openSetup();
    const model = await withModel(setup);
    const { page } = setup.world;
    model.answer(text('Type it into the card.'));
    await setup.say(`connect me to the weather, my token is ${SECRET}`);
    await page.getByText('The key in it is hidden. No model sees it.').waitFor();
    expect(await page.getByRole('log').textContent()).not.toContain(SECRET);
    await page.getByText('Type it into the card.').waitFor();
    expect(model.requests).toHaveLength(1);
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain(SECRET);
    await setup.say('connect me to the weather');
    await expect.poll(() => page.getByText('The key in it is hidden.').count()).toBe(1);
  },
  LONG_MS,
);

verifies(
  ['W3', 'A2'],
  'damaged JSON is explained with its line and put right when one agrees',
  async () => {
    const { world, say } = await openSetup();
    const { page } = world;
    await say(
      '{\n  "mcpServers": {\n    "weather": { "command": "npx", "args": ["-y", "acme-weather",] }\n  }\n}',
    );
    await page
      .getByText(/^Line 3:/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Use the corrected text' }).click();
    await page.getByRole('heading', { name: 'weather', level: 2 }).waitFor();
    expect((await world.hub.servers.list()).servers).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W3', 'A2'],
  'a server goes only after a card named what is forgotten with it and one agreed twice',
  async () => {
    const { world, say } = await openSetup();
    const { page, hub } = world;
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await hub.secrets.set({ name: 'notes/TOKEN', value: SECRET });
    await say('remove notes');
    const card = page.getByRole('region', { name: 'Remove notes' });
    await card.getByText('notes/TOKEN').waitFor();
    await card.getByRole('button', { name: 'Remove notes' }).click();
    expect((await hub.servers.list()).servers).toHaveLength(1);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove notes' }).click();
    await page.getByRole('log').locator('p').getByText('notes is removed.').waitFor();
    expect((await hub.servers.list()).servers).toEqual([]);
    await expect.poll(() => page.getByRole('region', { name: 'List of servers' }).textContent()).toBe('');
  },
  LONG_MS,
);

verifies(
  ['W3', 'W5'],
  'on a phone the conversation and the servers are two tabs, and what was typed survives the change',
  async () => {
    const { world } = await openSetup({ width: 375 });
    const { page, hub } = world;
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await page.getByLabel('Message').fill('half a thought');
    await page.getByRole('tab', { name: /^Servers/ }).click();
    await page.getByRole('link', { name: /notes/ }).waitFor();
    await page.getByRole('tab', { name: 'Conversation' }).click();
    expect(await page.getByLabel('Message').inputValue()).toBe('half a thought');
  },
  LONG_MS,
);

verifies(
  ['A5', 'W3'],
  'what is said is done: off, on again by “undo”, a key said to a card, removed by a yes and back with its key by “undo”',
  async () => {
    const { world, say } = await openSetup();
    const { page, hub } = world;
    const log = page.getByRole('log');
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await say('turn off notes');
    await log.getByText('notes is off.').waitFor();
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ enabled: false });
    await say('undo that');
    await log.getByText('notes is on again.').waitFor();
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ enabled: true });

    await say(CONFIG);
    await page.getByRole('textbox', { name: 'Weather key' }).waitFor();
    await say(`here's my key: ${SECRET}`);
    await log.getByText('weather is added.').waitFor();
    await log.getByText("here's my key: [secret]").waitFor();
    expect(await log.textContent()).not.toContain(SECRET);
    expect(await hub.secrets.list()).toEqual([expect.stringContaining('WEATHER_KEY')]);

    await hub.secrets.set({ name: 'notes/TOKEN', value: SECRET });
    const kept = await hub.secrets.list();
    await say('get rid of notes');
    await page.getByRole('region', { name: 'Remove notes' }).waitFor();
    await say('yes');
    await log.locator('p').getByText('notes is removed.').first().waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['weather']);
    expect(await hub.secrets.list()).not.toContain('notes/TOKEN');
    await say('undo');
    await log.getByText('notes is back').waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id).toSorted()).toEqual(['notes', 'weather']);
    expect(await hub.secrets.list()).toEqual(kept);
  },
  LONG_MS,
);

verifies(
  ['A5', 'W3'],
  'a server that is off says so, and its card turns it on with one click',
  async () => {
    const { world, say } = await openSetup();
    const { page, hub } = world;
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await hub.servers.disable({ id: 'notes' });
    await say("why doesn't notes work?");
    await page
      .getByRole('region', { name: 'Turn notes on' })
      .getByRole('button', { name: 'Turn on' })
      .click();
    await page.getByRole('log').locator('p').getByText('notes is on.').waitFor();
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject({ enabled: true });
  },
  LONG_MS,
);

verifies(
  ['A5', 'W3', 'V5'],
  'a key in a paste is never readable in the conversation, not even before the hub has answered; a yes adds the server',
  async () => {
    const { world } = await openSetup();
    const { page, hub } = world;
    const log = page.getByRole('log');
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/v1/configuring', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByLabel('Message').fill(CONFIG.replace('YOUR_KEY', SECRET));
    await page.getByRole('button', { name: 'Send' }).click();
    await log.getByText('WEATHER_KEY').waitFor();
    expect(await log.textContent()).toContain('[secret]');
    expect(await log.textContent()).not.toContain(SECRET);
    letGo();
    await page.getByRole('heading', { name: 'weather', level: 2 }).waitFor();
    await page.getByLabel('Message').fill('yes');
    await page.getByRole('button', { name: 'Send' }).click();
    await log.getByText('weather is added.').waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['weather']);
    expect(await hub.secrets.list()).toEqual([expect.stringContaining('WEATHER_KEY')]);
    expect(await page.content()).not.toContain(SECRET);
    const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
    expect(stored).not.toContain(SECRET);
  },
  LONG_MS,
);

verifies(
  ['W3', 'W2'],
  'a catalog stands beside the conversation: by category or words, offline, and what is chosen is proposed there',
  async () => {
    const { world } = await openSetup();
    const { page, hub } = world;
    const rows = page.getByRole('list', { name: 'Well-known servers' }).getByRole('listitem');
    await rows.first().waitFor();
    const all = await rows.count();
    await page.getByRole('combobox', { name: 'Category' }).selectOption({ label: 'This machine' });
    await expect.poll(() => rows.count()).toBeLessThan(all);
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('step by step');
    await expect.poll(() => rows.count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search the catalog' }).fill('knowledge graph');
    await page.getByRole('button', { name: 'Add Memory' }).click();
    await page.getByRole('log').getByText('server-memory').first().waitFor();
    expect((await hub.servers.list()).servers).toEqual([]);
  },
  LONG_MS,
);
