import { mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import type { Paths } from '../../src/base/paths.ts';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { local } from '../scenarios/lifecycle-hub.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 60_000;

verifies(
  ['W1', 'W5'],
  'the keyboard alone finds a server, goes from card to card, opens one, its menu, and leaves again',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.apply({
      definitions: [local('alpha', 'modern'), local('beta', 'modern'), local('gamma', 'exits-at-once')],
    });
    await Promise.allSettled([hub.servers.start({ id: 'gamma' })]);
    await go('/servers');
    const focused = (): Promise<string | undefined> =>
      page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['card']);
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await page.keyboard.press('j');
    await soon(focused).toBe('gamma');
    await page.keyboard.press('j');
    await soon(focused).toBe('alpha');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await soon(focused).toBe('alpha');
    await page.keyboard.press('.');
    await page.getByRole('menuitem', { name: 'Restart' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Restart' }).waitFor({ state: 'hidden' });
    await soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Actions for alpha',
    );
    await page.getByRole('link', { name: 'beta' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Server beta' }).waitFor();
    expect(page.url()).toMatch(/\/servers\/beta\/tools$/);
    await page.keyboard.press('Escape');
    await page.getByRole('complementary', { name: 'Server beta' }).waitFor({ state: 'hidden' });
    await soon(focused).toBe('beta');

    await page.keyboard.press('/');
    await page.keyboard.type('gam');
    await page.getByRole('link', { name: 'alpha' }).waitFor({ state: 'hidden' });
    expect(await page.locator('article').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'alpha' }).waitFor();
    await page.getByRole('combobox', { name: 'Show servers by state' }).selectOption({ label: 'Failed' });
    await soon(() => page.locator('article').count()).toBe(1);
  },
  SLOW,
);

verifies(
  ['W1'],
  'removing a server asks first, names the keys that go with it, then both are gone, and undo brings them back',
  async () => {
    const { page, hub, go } = await openPage();
    await addWithKey(hub);
    await go('/servers/notes/tools');
    const remove = async (): Promise<void> => {
      await page.locator('article').getByRole('button', { name: 'Actions for notes' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
    };
    await remove();
    const question = page.getByRole('alertdialog', { name: 'Remove notes?' });
    await question.getByText('notes/API_TOKEN').waitFor();
    await question.getByRole('button', { name: 'Keep' }).click();
    expect((await hub.servers.list()).servers).toHaveLength(1);

    await remove();
    await question.getByRole('button', { name: 'Remove notes' }).click();
    await page.getByText('notes is removed.').waitFor();
    expect((await hub.servers.list()).servers).toEqual([]);
    expect(await hub.secrets.list()).toEqual([]);
    expect(page.url()).toMatch(/\/servers$/);
    await page.getByRole('heading', { name: 'Connect your first server' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'notes', exact: true }).waitFor();
    expect(await hub.secrets.list()).toEqual(['notes/API_TOKEN']);
  },
  SLOW,
);

verifies(
  ['W1'],
  'a server is edited in place: it is tried first, a new key goes into the vault, and no value comes back',
  async () => {
    const { page, hub, paths, go } = await openPage({ mayComplain: /status of 424/ });
    await addWithKey(hub);
    const sealedBefore = await sealedKey(paths);
    await go('/servers');
    await page.getByRole('button', { name: 'Actions for notes' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const form = page.getByRole('form', { name: 'Edit notes' });
    await form.getByLabel('Name', { exact: true }).fill('My notes');
    await form.getByRole('button', { name: 'Replace' }).click();
    await form.getByLabel('Variable 1, value').fill('another staple altogether');
    const command = form.getByLabel('Command');
    const good = await command.inputValue();
    await command.fill('no-such-command-here');
    await form.getByRole('button', { name: 'Test and save' }).click();
    await form.getByRole('alert').waitFor();
    expect((await hub.servers.get({ id: 'notes' })).name).toBe('notes');
    expect(await hub.secrets.list()).toEqual(['notes/API_TOKEN']);
    expect(await sealedKey(paths)).toEqual(sealedBefore);

    await command.fill(good);
    await form.getByRole('button', { name: 'Test and save' }).click();
    await page.getByText('Saved').waitFor();
    const { name, endpoint } = await hub.servers.definition({ id: 'notes' });
    expect(name).toBe('My notes');
    expect(JSON.stringify(endpoint)).toContain('${vault:notes/API_TOKEN}');
    expect(await hub.secrets.list()).toEqual(['notes/API_TOKEN']);
    expect(await sealedKey(paths)).not.toEqual(sealedBefore);
    expect(await page.content()).not.toContain('another staple');
    await page.getByText('${vault:notes/API_TOKEN}').waitFor();
    // The name that its user gave is its name everywhere; the server's own stands beneath.
    const drawer = page.getByRole('complementary', { name: 'Server My notes' });
    await drawer.getByRole('heading', { name: 'My notes Fixture server' }).waitFor();
    await page.locator('article').getByRole('link', { name: 'My notes', exact: true }).waitFor();
    await go('/activity');
    const servers = page.getByRole('combobox', { name: 'Server' }).getByRole('option');
    expect(await servers.allTextContents()).toEqual(['All servers', 'My notes']);
  },
  SLOW,
);

verifies(
  ['W1'],
  'the drawer shows what happened, how a server is reached and its switches, and passes axe on every tab',
  async () => {
    const { page, hub, go } = await openPage({ width: 375, height: 812 });
    await hub.servers.apply({ definitions: [local('one', 'modern')] });
    await hub.servers.start({ id: 'one' });
    await hub.servers.stop({ id: 'one' });
    for (const tab of ['tools', 'accounts', 'events', 'config', 'logs', 'check']) {
      await go(`/servers/one/${tab}`);
      await page.getByRole('tab', { selected: true }).waitFor();
      expect(await page.getByRole('tab', { selected: true }).textContent()).toMatch(new RegExp(tab, 'i'));
      expect(await seriousViolations(page), tab).toEqual([]);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide, tab).toBeLessThanOrEqual(375);
    }
    await go('/servers/one/events');
    await page.getByText('connected', { exact: false }).first().waitFor();
    expect(await page.getByRole('tabpanel').getByRole('listitem').count()).toBe(2);
    await go('/servers/one/config');
    await page.getByRole('switch', { name: 'Keep the arguments of its calls in Activity' }).click();
    await soon(async () => (await hub.servers.get({ id: 'one' })).recorded).toBe(false);
    await page.getByRole('switch', { name: 'Show the server’s own UI' }).click();
    await soon(async () => (await hub.servers.get({ id: 'one' })).apps).toBe(true);
    await page.getByRole('button', { name: 'Trust…' }).click();
    await page.getByRole('button', { name: 'Trust one' }).click();
    await soon(async () => (await hub.servers.get({ id: 'one' })).trust).toBe('kept');
    await page.getByRole('button', { name: 'Stop trusting' }).click();
    await soon(async () => (await hub.servers.get({ id: 'one' })).trust).toBe('none');
    // What it writes comes by itself, by the events: nothing is asked for again and again.
    await go('/servers/one/logs');
    await page.getByRole('switch', { name: 'Follow' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void (/\/logs/.test(request.url()) && asked.push(request.url())));
    await hub.tools.setRisk({ ref: 'one/crash', risk: 'read' });
    await hub.servers.trust({ id: 'one' });
    await Promise.allSettled([hub.tools.call({ tool: 'one/crash', args: {} })]);
    await page.getByRole('log').getByText('the disk is on fire').waitFor();
    expect(asked.length).toBeLessThan(10);
  },
  SLOW,
);

verifies(
  ['W1', 'S11'],
  'an empty page teaches one thing, and says what other clients on this machine already have',
  async () => {
    const { page, paths, go } = await openPage();
    mkdirSync(`${paths.state}/.cursor`);
    const { endpoint } = local('any', 'modern');
    const entry = endpoint.kind === 'stdio' ? { command: endpoint.command, args: endpoint.args } : {};
    writeFileSync(
      `${paths.state}/.cursor/mcp.json`,
      JSON.stringify({ mcpServers: { notes: entry, mail: { url: 'https://mail.example/mcp' } } }),
    );
    await go('/servers');
    await page.getByRole('heading', { name: 'Connect your first server' }).waitFor();
    await page.getByText(/Found 2 servers in cursor/i).waitFor();
    expect(await page.getByRole('link', { name: 'Import them' }).getAttribute('href')).toBe(
      '/add?from=clients',
    );
    await page.getByRole('textbox', { name: 'What to add' }).fill('npx -y @acme/boats');
    await page.getByText('npx command').waitFor();
    expect(await page.getByRole('link', { name: 'Browse the catalog' }).getAttribute('href')).toBe('/setup');
    expect(await seriousViolations(page)).toEqual([]);
  },
  SLOW,
);

/** The server `notes`, whose key is in the vault. */
async function addWithKey(hub: Hub): Promise<void> {
  const { endpoint, ...plain } = local('notes', 'modern');
  await hub.secrets.set({ name: 'notes/API_TOKEN', value: 'correct horse battery' });
  const env = { API_TOKEN: '${vault:notes/API_TOKEN}' };
  await hub.servers.apply({ definitions: [{ ...plain, endpoint: { ...endpoint, env } as typeof endpoint }] });
}

/** Its key as the database holds it: sealed, and another one as soon as the key is. */
async function sealedKey({ data }: Paths): Promise<unknown> {
  await using storage = await openStorage({ kind: 'sqlite', file: `${data}/plugboard.db` });
  const record = await storage.vault.getRecord({ owner: 'local', kind: 'secret', name: 'notes/API_TOKEN' });
  expect(record).toBeDefined();
  return record;
}
