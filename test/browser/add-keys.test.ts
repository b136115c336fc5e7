import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { yesToAll } from '../yes-to-all.ts';
import { openAdd } from './add-world.ts';
import { seriousViolations } from './axe.ts';

const LONG_MS = 90_000;
const KEY = 'weather-0123456789abcdef';

/** A server that ends at once unless it gets its key. */
function keyServer(): { readonly command: string; readonly args: readonly string[] } {
  const file = join(temporaryFolder(), 'right-key');
  writeFileSync(file, KEY);
  const script = fileURLToPath(new URL('../scenarios/seen-key-server.ts', import.meta.url));
  return { command: process.execPath, args: [script, file] };
}

verifies(
  ['W2', 'S15', 'S17'],
  'a wrong key is refused with whose move it is, nothing is kept, and the right one goes into the vault unseen',
  async () => {
    const { page, hub, goOn, plan } = await openAdd();
    await goOn(
      JSON.stringify({ mcpServers: { weather: { ...keyServer(), env: { WEATHER_API_KEY: '<key>' } } } }),
    );
    const card = plan('weather');
    const field = card.getByLabel('Weather API key', { exact: true });
    expect(await field.getAttribute('type')).toBe('password');
    expect(await field.getAttribute('autocomplete')).toBe('off');
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await card.getByText('Paste it here.').waitFor();
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);

    await field.fill('wrong-key-1234567');
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    const alert = card.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toMatch(/401|key/i);
    expect(await page.getByRole('main').innerText()).not.toContain('wrong-key-1234567');
    expect((await hub.servers.list()).servers).toEqual([]);
    expect(await hub.secrets.list()).toEqual([]);

    // What was typed is still there, and can be shown.
    await card.getByRole('button', { name: 'Show Weather API key' }).click();
    expect(await field.inputValue()).toBe('wrong-key-1234567');
    await field.fill(KEY);
    await card.getByRole('button', { name: 'Test', exact: true }).click();
    await card.getByText(/Connected to .*1 tool.*Nothing is saved yet/).waitFor();
    expect(await hub.secrets.list()).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 key went into the vault.').waitFor();
    expect(await hub.secrets.list()).toEqual(['weather/WEATHER_API_KEY']);
    expect(
      await page.evaluate(() =>
        JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
      ),
    ).not.toContain(KEY);
  },
  LONG_MS,
);

verifies(
  ['W2', 'S15', 'S17'],
  'a server that wants a sign-in is added, and the sign-in in a window of its own ends with “Connected as”',
  async () => {
    await using authorization = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: authorization.url });
    const { page, hub, goOn } = await openAdd({ hub: { approve: yesToAll } });
    await goOn(server.url);
    await page.getByText('You will sign in after adding.').waitFor();
    await page.getByLabel('Name').fill('site');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in to' }).click();
    await page.getByText('Connected as @alice').waitFor();
    expect(await hub.accounts.list({ server: 'site' })).toMatchObject([
      { signedIn: true, displayName: '@alice' },
    ]);
    const answer = await hub.tools.call({ tool: 'site/echo', args: { message: 'from the page' } });
    expect(JSON.stringify(answer)).toContain('from the page');
    expect(
      (await server.seen()).some(({ subject, method }) => subject === 'alice' && method === 'tools/call'),
    ).toBe(true);
  },
  LONG_MS,
);

verifies(
  ['W2'],
  'the hub going away in the middle loses nothing that was typed, and only what is no secret is written down',
  async () => {
    const { page, hub, goOn, plan, stop, start } = await openAdd({
      mayComplain: /Failed to load|ERR_|net::/,
    });
    const { command, args } = stdioFixture('dual');
    const text = JSON.stringify({
      mcpServers: { kept: { command, args, env: { API_KEY: '<key>', FOLDER: '<folder>' } } },
    });
    await goOn(text);
    const card = plan('kept');
    await card.getByLabel('Name').fill('my-server');
    await card.getByLabel('API key', { exact: true }).fill(KEY);
    await card.getByLabel('Folder', { exact: true }).fill('/boats');
    expect((await hub.servers.list()).servers).toEqual([]);
    await stop();
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await card.getByRole('alert').waitFor();
    expect(await card.getByLabel('Name').inputValue()).toBe('my-server');
    expect(await card.getByLabel('API key', { exact: true }).inputValue()).toBe(KEY);
    const again = await start();
    expect(await card.getByLabel('API key', { exact: true }).inputValue()).toBe(KEY);
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(KEY);
    expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).toContain('/boats');
    // A hub that was restarted does not know the plan any more: it is looked at again, with what was typed.
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await card.getByText(/was created again/).waitFor();
    await card.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('region', { name: /is added$/ }).waitFor();
    expect((await again.servers.list()).servers.map(({ id }) => id)).toEqual(['my-server']);
    expect(await again.secrets.list()).toEqual(['my-server/API_KEY']);
  },
  LONG_MS,
);
