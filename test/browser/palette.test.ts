import { expect } from 'vitest';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { seriousViolations } from './axe.ts';
import { openPage } from './world.ts';

const LONG_MS = 60_000;

verifies(
  ['W5'],
  'places, servers and tools are reached by the keyboard alone, by a few letters of their name',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading(), writing()).definition });
    await go('/grants');
    const box = page.getByRole('combobox', { name: 'Go to or do anything' });
    const choose = async (typed: string, option: RegExp, path: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.type(typed);
      await page.getByRole('option', { name: option, selected: true }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).pathname).toBe(path);
      await expect.poll(() => box.count()).toBe(0);
    };
    await choose('actvty', /^Activity/, '/activity');
    await choose('vault', /Vault/, '/settings/vault');
    await choose('open notes', /^Open notes/, '/servers/notes');
    await choose('create_note', /create_note/, '/servers/notes/tools');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a server is stopped from the palette, and the focus returns to where it was',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading()).definition });
    const arrives = Promise.withResolvers<void>();
    await page.route(/palette-dialog/, async (route) => {
      await arrives.promise;
      await route.continue();
    });
    await go('/grants');
    await page.getByRole('button', { name: 'Add a grant' }).first().focus();
    await page.keyboard.press('Control+k');
    // The script is still on its way: letters are kept, and none is a shortcut.
    await page.keyboard.type('stop notess');
    await page.keyboard.press('Backspace');
    arrives.resolve();
    await page.getByRole('option', { name: /^Stop notes/, selected: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await hub.servers.get({ id: 'notes' })).state.kind).toBe('asleep');
    await page.getByText('notes is stopped').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toBe('Add a grant');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'single keys lead somewhere, are shown by ?, never work while one types, and can be switched off',
  async () => {
    const { page, go } = await openPage({ place: '/grants' });
    const path = (): string => new URL(page.url()).pathname;
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('a');
    await expect.poll(path).toBe('/activity');
    await page.getByLabel('Tool, by exact name', { exact: true }).fill('');
    await page.getByLabel('Tool, by exact name', { exact: true }).pressSequentially('ga?');
    expect(path()).toBe('/activity');
    expect(await page.getByLabel('Tool, by exact name', { exact: true }).inputValue()).toBe('ga?');
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard' });
    await dialog.getByText('Add a server').waitFor();
    await dialog.getByRole('switch', { name: 'Keyboard shortcuts' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.keyboard.press('a');
    await page.waitForTimeout(200);
    expect(path()).toBe('/activity');
    await go('/grants');
    await page.keyboard.press('a');
    await page.waitForTimeout(200);
    expect(path()).toBe('/grants');
  },
  LONG_MS,
);
