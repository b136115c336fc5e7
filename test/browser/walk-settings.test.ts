import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import {
  listen,
  officialApi,
  registriesAt,
  smitheryApi,
  type ListedServer,
} from '../scenarios/registry-listener.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { openAdd } from './add-world.ts';
import { soon } from './servers-soon.ts';
import { yesToAll } from '../yes-to-all.ts';

const KEY = 'weather-0123456789abcdef';

/** One package, and what it asks for. */
const entry = (name: string, description: string, more: object): ListedServer => ({
  name: `io.github.acme/${name}`,
  description,
  packages: [
    {
      registryType: 'npm',
      identifier: `acme-${name}`,
      version: '1.2.3',
      transport: { type: 'stdio' },
      ...more,
    },
  ],
});
const WEATHER = entry('weather', 'Weather for sailors', {
  environmentVariables: [{ name: 'WEATHER_API_KEY', isRequired: true, isSecret: true }],
});
const FILES = entry('weather-files', 'Weather in files', {
  packageArguments: [
    { type: 'positional', valueHint: 'folders', format: 'filepath', isRepeated: true, isRequired: true },
  ],
});
const USED = {
  qualifiedName: 'acme/weather',
  displayName: 'Weather',
  description: 'Weather for sailors',
  useCount: 1_240,
  verified: true,
};

verifies(
  ['W1', 'W2', 'W4', 'S13', 'S15', 'S17'],
  'from the list of servers through search, key, key file, sign-in and folders to the call in a chat, and to removing it',
  async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'key.txt');
    writeFileSync(file, KEY);
    const official = await listen(officialApi([WEATHER, FILES]));
    const smithery = await listen(smitheryApi([USED]));
    await using as = await startAuthorizationServer();
    await using site = await startProtectedServer({ issuer: as.url });
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    const { page, hub, go, goOn, box, plan } = await openAdd({
      env: registriesAt({ official: official.url, smithery: smithery.url }),
      place: '/servers',
      hub: { approve: yesToAll },
    });
    const added = page.getByRole('region', { name: /is added$/ });
    const add = async (card: Locator, name: string): Promise<void> => {
      await card.getByLabel('Name', { exact: true }).fill(name);
      await card.getByRole('button', { name: 'Add', exact: true }).click();
      await added.waitFor();
    };
    const state = async (id: string): Promise<string> => (await hub.servers.get({ id })).state.kind;

    // The list is empty, and offers to add; nothing continues before there is something.
    await page.getByRole('main').getByRole('link', { name: 'Add', exact: true }).click();
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await box.fill('npx -y acme-weather');
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(false);

    // Searched in all registries or in one, each result with its badges.
    await page.getByRole('tab', { name: 'Registries' }).click();
    const words = page.getByLabel('Search for');
    await words.fill('weather');
    await words.press('Enter');
    const result = page.getByRole('listitem').filter({ hasText: 'Weather for sailors' });
    await result.getByText('verified').waitFor();
    await result.getByText('official registry').first().waitFor();
    await result.getByText('smithery').first().waitFor();

    // A key, pasted.
    await result.getByRole('button', { name: /^Add / }).click();
    const card = plan(/weather/i);
    await card.getByLabel('Weather API key', { exact: true }).fill(KEY);
    await add(card, 'pasted');
    // The same from a file, which stays where it is.
    await go('/add');
    await goOn(WEATHER.name);
    await plan(/weather/i)
      .getByLabel('Where Weather API key is kept')
      .selectOption({ label: 'Key file' });
    await plan(/weather/i)
      .getByLabel('Weather API key', { exact: true })
      .fill(file);
    await add(plan(/weather/i), 'from-file');
    expect(await hub.secrets.list()).toEqual(['pasted/WEATHER_API_KEY']);

    // Folders, one a line, to add and to take away.
    await go('/add');
    await goOn(FILES.name);
    const folders = plan(/files/i);
    await folders.getByRole('textbox', { name: /path 1$/ }).fill(folder);
    await folders.getByRole('button', { name: 'Add a path' }).click();
    await folders.getByRole('textbox', { name: /path 2$/ }).fill('/gone');
    await folders.getByRole('button', { name: /^Remove path 2/ }).click();
    await add(folders, 'files');
    expect(JSON.stringify(await hub.servers.definition({ id: 'files' }))).toContain(folder);

    // A sign-in, and afterwards who is signed in.
    await go('/add');
    await goOn(site.url);
    await page.getByText('You will sign in after adding.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('site');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in to' }).click();
    await page.getByText('Connected as @alice').waitFor();

    // The list: each with its state, and a switch.
    await go('/servers');
    const cards = page.locator('article');
    expect((await cards.locator('h2').allTextContents()).toSorted()).toEqual([
      'files',
      'from-file',
      'pasted',
      'site',
    ]);
    await page.getByRole('switch', { name: 'files is on' }).click();
    await soon(() => state('files')).toBe('disabled');
    await cards.filter({ hasText: 'files' }).getByText('– off').waitFor();

    // In a chat, the call has a row of its own, with what was sent and what came back.
    await hub.servers.trust({ id: 'pasted' });
    await hub.models.save({ name: 'fast', provider: 'compatible', model: 'scripted', url: model.url });
    model.answer(calls({ name: 'pasted__echo', args: { message: 'Force 7' } }), text('Stay at home.'));
    await go('/chat');
    await page.getByRole('textbox', { name: 'Message' }).fill('@pasted Can I sail?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Stay at home.').waitFor();
    await page.getByRole('button', { name: /^pasted\/echo · / }).click();
    await page.getByRole('tabpanel').getByText('Force 7').waitFor();

    // Removing asks once, and says what goes with it.
    await go('/servers');
    await page.getByRole('button', { name: 'Actions for pasted' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove pasted?' });
    await question.getByText('pasted/WEATHER_API_KEY').waitFor();
    await question.getByRole('button', { name: 'Remove pasted' }).click();
    await soon(async () => (await hub.servers.list()).servers.length).toBe(3);
    expect(await hub.secrets.list()).toEqual([]);
  },
  240_000,
);
