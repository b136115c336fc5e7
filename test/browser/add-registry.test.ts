import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { listen, officialApi, registriesAt, smitheryApi } from '../scenarios/registry-listener.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { openAdd } from './add-world.ts';
import { seriousViolations } from './axe.ts';

const LONG_MS = 90_000;
const KEY = 'weather-0123456789abcdef';

const packaged = (identifier: string, environmentVariables: readonly object[]): object => ({
  registryType: 'npm',
  identifier,
  version: '1.2.3',
  transport: { type: 'stdio' },
  environmentVariables,
});

const WEATHER = {
  name: 'io.github.acme/weather',
  description: 'Weather for sailors',
  repository: { url: 'https://github.com/acme/weather', source: 'github' },
  packages: [
    packaged('acme-weather', [
      { name: 'WEATHER_API_KEY', description: 'From your account page', isRequired: true, isSecret: true },
      { name: 'UNITS', choices: ['knots', 'km/h'], default: 'knots' },
    ]),
  ],
};

const SHEETS = {
  name: 'io.github.acme/weather-sheets',
  description: 'Weather in tables',
  packages: [
    packaged('acme-sheets', [{ name: 'SERVICE_ACCOUNT_FILE', format: 'filepath', isRequired: true }]),
  ],
};

const USED = {
  qualifiedName: 'acme/weather',
  displayName: 'Weather',
  description: 'Weather for sailors',
  useCount: 1_240,
  verified: true,
};

verifies(
  ['W2', 'S13', 'S14', 'S15', 'S17'],
  'a server is found in the registries with its badges, looked at, and installed with its key in the vault',
  async () => {
    const official = await listen(officialApi([WEATHER]));
    const smithery = await listen(smitheryApi([USED]));
    const { page, hub, plan, npxCalls } = await openAdd({
      env: registriesAt({ official: official.url, smithery: smithery.url }),
      place: '/add?from=registries',
    });
    await page.getByLabel('Search for').fill('weather');
    await page.getByLabel('Search for').press('Enter');
    const result = page.getByRole('listitem').filter({ hasText: 'Weather for sailors' });
    await result.getByText('verified').waitFor();
    expect(await result.innerText()).toMatch(/official registry[\s\S]*smithery[\s\S]*used 1\.2k times/);
    await result.getByRole('button', { name: 'Details' }).click();
    await result.getByText('acme on GitHub').waitFor();
    const link = result.getByRole('link', { name: 'https://github.com/acme/weather' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await result.innerText()).toContain('acme-weather 1.2.3 (npm)');
    expect(await seriousViolations(page)).toEqual([]);

    await result.getByRole('button', { name: /^Add / }).click();
    const card = plan(/weather/i);
    await card.getByText('From your account page').waitFor();
    await card.getByText(/Version 1\.2\.3, and no other/).waitFor();
    await card.getByRole('button', { name: 'Technical details' }).click();
    await card.getByText('sha512-c2FtcGxl').waitFor();
    await card.getByLabel('Weather API key', { exact: true }).fill(KEY);
    await card.getByLabel('km/h').check();
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: /is added$/ }).waitFor();
    const [server] = (await hub.servers.list()).servers;
    const definition = JSON.stringify(await hub.servers.definition({ id: server?.id ?? '' }));
    expect(definition).toContain('km/h');
    expect(definition).not.toContain(KEY);
    expect(await hub.secrets.list()).toEqual([`${server?.id}/WEATHER_API_KEY`]);
    expect(npxCalls().join('\n')).toContain('acme-weather@1.2.3');
  },
  LONG_MS,
);

verifies(
  ['W2', 'S15'],
  'a key file is asked for by its path, and the file stays where it is',
  async () => {
    const file = join(temporaryFolder(), 'account.json');
    writeFileSync(file, '{"private_key":"never-leaves-this-file"}');
    const official = await listen(officialApi([SHEETS]));
    const { page, hub, goOn, plan } = await openAdd({ env: registriesAt({ official: official.url }) });
    await goOn(SHEETS.name);
    const card = plan(/sheets/i);
    await card.getByText(/reads its credentials from a file/).waitFor();
    await card.getByLabel('Service account file', { exact: true }).fill(file);
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: /is added$/ }).waitFor();
    const [server] = (await hub.servers.list()).servers;
    const definition = JSON.stringify(await hub.servers.definition({ id: server?.id ?? '' }));
    expect(definition).toContain(file);
    expect(definition).not.toContain('never-leaves-this-file');
    expect(readFileSync(file, 'utf8')).toContain('never-leaves-this-file');
  },
  LONG_MS,
);

verifies(
  ['W2', 'S13'],
  'one registry that is down is named while the other answers; one may be picked; what is known answers without a network',
  async () => {
    const official = await listen(officialApi([WEATHER, SHEETS]));
    const smithery = await listen(() => ({ status: 500, text: '<html>oops</html>' }));
    const { page } = await openAdd({
      env: registriesAt({ official: official.url, smithery: smithery.url }),
      place: '/add?from=registries',
    });
    const words = page.getByLabel('Search for');
    await words.fill('weather');
    await page.getByRole('search').getByRole('button', { name: 'Search' }).click();
    await page.getByText('2 servers').waitFor();
    const silent = page.getByRole('list', { name: 'Registries that didn’t respond' });
    expect(await silent.innerText()).toContain('smithery');

    await page.getByRole('combobox', { name: 'Which registry' }).selectOption({ label: 'official' });
    await silent.waitFor({ state: 'detached' });
    const asked = official.asked.length + smithery.asked.length;
    await page.getByText('Offline results only').click();
    await page.getByText('2 servers').waitFor();
    expect(official.asked.length + smithery.asked.length).toBe(asked);

    await words.fill('nothing-like-this');
    await words.press('Enter');
    await page.getByText('Nothing found for “nothing-like-this”').waitFor();
    await page.getByRole('button', { name: 'Add by URL' }).click();
    await page.getByLabel('What to add').waitFor();
  },
  LONG_MS,
);

verifies(
  ['W2', 'S13'],
  'words that name no server that is known become a choice of those that registries list',
  async () => {
    const official = await listen(officialApi([WEATHER, SHEETS]));
    const { page, goOn, plan } = await openAdd({ env: registriesAt({ official: official.url }) });
    await goOn('weather');
    await page.getByRole('heading', { name: /Which one do you mean by “weather”/ }).waitFor();
    const result = page.getByRole('listitem').filter({ hasText: 'Weather in tables' });
    await result.getByRole('button', { name: /^Add / }).click();
    await plan(/sheets/i)
      .getByLabel('Service account file', { exact: true })
      .waitFor();
    expect(await page.getByLabel('What to add').inputValue()).toBe(`official:${SHEETS.name}`);
  },
  LONG_MS,
);
