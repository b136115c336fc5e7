import { expect, onTestFinished } from 'vitest';
import { startScriptedModel, text } from '../models/scripted-model.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startKeyedServer } from '../scenarios/keyed-server.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { yesToAll } from '../yes-to-all.ts';
import { openAdd } from './add-world.ts';
import { soon } from './servers-soon.ts';

const KEY = 'sk-walk-0123456789abcdef';

verifies(
  ['W1', 'W3', 'W4', 'A5'],
  'one conversation takes an address and its key, a sign-in after a yes, and damaged JSON; then chips choose what a message uses',
  async () => {
    const keyed = await startKeyedServer({ header: 'Authorization', value: `Bearer ${KEY}`, status: 401 });
    await using as = await startAuthorizationServer();
    await using site = await startProtectedServer({ issuer: as.url });
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    const { page, hub, go } = await openAdd({
      place: '/setup',
      hub: { approve: yesToAll },
      mayComplain: /status of [45]/,
    });
    const log = page.getByRole('log');
    const list = page.getByRole('region', { name: 'List of servers' });
    const say = async (words: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Message' }).fill(words);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
    };
    const ids = async (): Promise<readonly string[]> =>
      (await hub.servers.list()).servers.map(({ id }) => id);

    // An empty conversation says what it takes.
    await page.getByText('What do you want to connect?').waitFor();
    await say(keyed.url);
    const card = log.getByRole('region').filter({ has: page.getByLabel('API key', { exact: true }) });
    await card.getByLabel('Name', { exact: true }).fill('boat');
    await card.getByLabel('API key', { exact: true }).fill(KEY);
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await soon(ids).toEqual(['boat']);
    await list.getByText('boat').waitFor();
    await list.getByText('● ready').waitFor();
    expect(await log.textContent()).not.toContain(KEY);

    await say(site.url);
    await log.getByText('You will sign in after adding.').waitFor();
    await say('yes');
    await soon(async () => (await ids()).length).toBe(2);
    await log
      .getByRole('button', { name: /^Sign in/ })
      .last()
      .click();
    await log
      .getByText(/@alice/)
      .first()
      .waitFor();

    await say(
      '{\n  "mcpServers": {\n    "tides": { "command": "npx", "args": ["-y", "acme-tides",] }\n  }\n}',
    );
    await log
      .getByText(/^Line 3:/)
      .first()
      .waitFor();
    await log.getByRole('button', { name: 'Use the corrected text' }).click();
    await log.getByRole('heading', { name: 'tides', level: 2 }).waitFor();
    await say('yes');
    await soon(async () => (await ids()).includes('tides')).toBe(true);

    // Each of the four states of a server, told by a symbol and a word.
    await hub.servers.disable({ id: 'tides' });
    await hub.servers.add({ definition: at('gone', 'GitHub', 'http://127.0.0.1:9/mcp'), test: false });
    await Promise.allSettled([hub.servers.start({ id: 'gone' })]);
    for (const words of ['● ready', '– off', '✖ failed']) await list.getByText(words).first().waitFor();

    // A brand is shown of what is contacted, not of what calls itself so.
    const notion = { ...at('team-notes', 'Team notes', 'https://mcp.notion.com/mcp'), enabled: false };
    await hub.servers.add({ definition: notion, test: false });
    await go('/servers');
    const cards = page.locator('article');
    const brand = cards.filter({ hasText: 'Team notes' }).locator('[data-brand=notion] img');
    await brand.evaluate((picture: HTMLImageElement) => picture.decode());
    expect(await cards.filter({ hasText: 'GitHub' }).locator('[data-brand]').count()).toBe(0);

    // Above a message: what it may use, each to be left out, and the way to add another.
    await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
    await go('/chat');
    const chips = page.getByRole('list', { name: 'Servers for this message' });
    const boat = chips.getByRole('button', { name: 'boat' });
    await boat.click();
    expect(await boat.getAttribute('aria-pressed')).toBe('false');
    model.answer(text('Without the boat.'));
    await say('What can you do?');
    await page.getByText('Without the boat.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body['tools'] ?? [])).not.toContain('boat');
    await page.getByRole('button', { name: 'Add server' }).click();
    await page.getByRole('dialog', { name: 'Add a server' }).waitFor();
  },
  240_000,
);

function at(id: string, name: string, url: string): ServerDefinition {
  return defineServer({ id, name, endpoint: { kind: 'http', url, headers: {} } });
}
