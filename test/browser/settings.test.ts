import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { openClientFiles } from '../../src/editors/client-files.ts';
import { startScriptedModel } from '../models/scripted-model.ts';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { verifies } from '../requirements.ts';
import { seriousViolations } from './axe.ts';
import { openPage } from './world.ts';

const LONG_MS = 60_000;

verifies(
  ['W5'],
  'a model is added by asking its provider what it has, and its key is in the vault and nowhere on the page',
  async () => {
    const model = await startScriptedModel({ models: ['tiny', 'large-9'], key: 'sk-canary-314159' });
    onTestFinished(() => model.close());
    const { page, hub } = await openPage({ place: '/settings/models' });
    await page.getByRole('button', { name: 'Add a model' }).click();
    await page
      .getByRole('combobox', { name: 'Provider' })
      .selectOption({ label: 'Another, or on this machine' });
    await page.getByLabel('Address').fill(model.url);
    await page.getByLabel('Key (if needed)').fill('sk-canary-314159');
    await page.getByRole('button', { name: 'Ask which models it has' }).click();
    await page.getByRole('combobox', { name: 'Models of the provider' }).selectOption({ label: 'large-9' });
    await page.getByLabel('Your name for it').fill('big');
    await page.getByRole('button', { name: 'Save model' }).click();
    await page.getByRole('list', { name: 'Models' }).getByText('key in the vault').waitFor();
    expect(await hub.models.list()).toMatchObject([{ name: 'big', model: 'large-9', hasKey: true }]);
    expect(await page.content()).not.toContain('sk-canary');
    await page.getByRole('button', { name: 'Remove big' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('No model yet').waitFor();
    expect(await hub.models.list()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a profile is made by choosing servers, changed, and removed with a way back',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await hub.servers.add({ definition: played('other', reading()).definition });
    await go('/settings/profiles');
    await page.getByRole('button', { name: 'Create a profile' }).click();
    await page.getByLabel('Name').fill('work');
    await page.getByRole('switch', { name: /^All servers/ }).click();
    await page.getByRole('checkbox', { name: 'notes' }).check();
    await page.getByLabel('Without these tools').fill('*/delete_*');
    await page.getByRole('button', { name: 'Save profile' }).click();
    const made = { name: 'work', servers: ['notes'], tools: { deny: ['*/delete_*'] } };
    await expect.poll(() => hub.profiles.list()).toEqual([made]);
    await page.getByRole('button', { name: 'Edit work' }).click();
    await page.getByRole('switch', { name: 'Read-only tools' }).click();
    await page.getByRole('button', { name: 'Save profile' }).click();
    await expect.poll(() => hub.profiles.list()).toEqual([{ ...made, readOnly: true }]);
    await page.getByRole('button', { name: 'Remove work' }).click();
    await expect.poll(() => hub.profiles.list()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => hub.profiles.list()).toEqual([{ ...made, readOnly: true }]);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'what is kept and for how long, which registries are searched, and a secret are changed on the page',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.secrets.set({ name: 'notes/TOKEN', value: 'canary' });
    await go('/settings/retention');
    await page.getByLabel('Keep calls for (days)').fill('0');
    await page.getByText(/^Give whole days/).waitFor();
    await page.getByLabel('Keep calls for (days)').fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await hub.settings.get()).retention.callDays).toBe(12);
    await go('/settings/registries');
    await page.getByRole('switch', { name: 'Search smithery' }).click();
    await expect
      .poll(async () => (await hub.registries.list()).find(({ name }) => name === 'smithery')?.enabled)
      .toBe(false);
    await go('/settings/vault');
    await page.getByRole('button', { name: 'Remove notes/TOKEN' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Forget it' }).click();
    await expect.poll(() => hub.secrets.list()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a backup is downloaded, and another hub shows what it would bring before it does',
  async () => {
    const first = await openPage({ place: '/settings/backup' });
    await first.hub.servers.add({ definition: played('notes', reading()).definition });
    await first.hub.secrets.set({ name: 'notes/TOKEN', value: 'canary-271828' });
    await first.page.getByLabel('Passphrase (optional)').fill('correct horse battery');
    const coming = first.page.waitForEvent('download');
    await first.page.getByRole('button', { name: 'Download with keys' }).click();
    const file = join(temporaryFolder(), 'backup.json');
    await (await coming).saveAs(file);
    expect(readFileSync(file, 'utf8')).not.toContain('canary-271828');
    const { page, hub } = await openPage({ place: '/settings/backup' });
    await page.getByLabel('Backup file').setInputFiles(file);
    await page.getByLabel('Passphrase of the backup').fill('correct horse battery');
    await page.getByRole('button', { name: 'Show changes' }).click();
    await page.getByText(/would come back$/).waitFor();
    expect((await hub.servers.list()).servers).toEqual([]);
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText(/came back$/).waitFor();
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['notes']);
    expect(await hub.secrets.list()).toEqual(['notes/TOKEN']);
    const other = join(temporaryFolder(), 'not-a-backup.json');
    writeFileSync(other, 'hello');
    await page.getByLabel('Backup file').setInputFiles(other);
    await page.getByText('This file can’t be restored. It is not JSON.').waitFor();
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'the doctor says what is wrong, whose move it is, and where to go',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({
      definition: {
        ...played('gone').definition,
        endpoint: { kind: 'stdio', command: 'no-such-program', args: [], env: {} },
      },
      test: false,
    });
    await go('/settings/doctor');
    await page.getByRole('button', { name: 'Check everything' }).click();
    const finding = page
      .getByRole('list', { name: 'Findings' })
      .getByRole('listitem')
      .filter({ hasText: 'gone' });
    await finding.first().waitFor();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await finding.first().getByRole('link', { name: 'gone' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/servers/gone');
  },
  LONG_MS,
);

verifies(
  ['W5', 'G7'],
  'a host is added with a token that is shown once, and revoked again',
  async () => {
    const { page, hub, url, go } = await openPage();
    await hub.profiles.save({ name: 'look', readOnly: true });
    await go('/settings/hosts');
    await page.getByLabel('Name').fill('cursor');
    await page.getByLabel('What it sees').selectOption('look');
    await page.getByRole('button', { name: 'Add host' }).click();
    const shown = page.getByRole('region', { name: 'Token of cursor' });
    await shown.waitFor();
    const token = /plughost_[\w-]{43}/.exec(await shown.innerText())?.[0] ?? '';
    const statusOf = async (): Promise<number> =>
      (await fetch(`${url}/mcp`, { method: 'DELETE', headers: { authorization: `Bearer ${token}` } })).status;
    expect(await statusOf()).toBe(400);
    expect(await hub.hosts.list()).toMatchObject([{ name: 'cursor', profile: 'look' }]);
    await page.reload();
    const row = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem');
    await row.getByText('Profile look').waitFor();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke cursor' }).click();
    await row.waitFor({ state: 'detached' });
    expect([await statusOf(), await hub.hosts.list()]).toEqual([401, []]);
  },
  LONG_MS,
);

verifies(
  ['W5', 'P9'],
  'read-only mode is switched on the page, and every page says that it is on',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', writing());
    await hub.servers.add({ definition: notes.definition });
    await go('/settings/read-only');
    await page.getByRole('switch', { name: 'Read-only mode' }).click();
    await page.getByText('Read-only mode is on').waitFor();
    await expect(hub.tools.call({ tool: 'notes/create_note', requester: 'person' })).rejects.toThrow(
      /Read-only mode is on/,
    );
    await go('/servers/notes/tools');
    await page.getByText('Read-only mode is on: tools that write are hidden and can’t run.').waitFor();
    await page.getByText('Read-only mode is on, and this tool is one that writes.').waitFor();
    // Switched off elsewhere, it is off here.
    await hub.settings.change({ readOnly: false });
    await page.getByText('Read-only mode is on: tools that write').waitFor({ state: 'detached' });
    expect(notes.calls()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'light or dark is kept on this browser, and other apps are told how to come in',
  async () => {
    const { page, go, url } = await openPage({ place: '/settings/appearance', hub: WRITES_FILES });
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByLabel('Dark').check();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole('navigation', { name: 'Plugboard' }).waitFor();
    expect(await paper()).toBe(dark);
    await go('/settings/apps');
    await page.getByText(`${url}/mcp`).waitFor();
    expect(await page.getByRole('main').innerText()).not.toMatch(/plug [a-z]/);
  },
  LONG_MS,
);

verifies(
  ['W5', 'S20'],
  'another app is connected from the page: with the diff of its file before, and undo after',
  async () => {
    const home = temporaryFolder();
    vi.stubEnv('HOME', home);
    const { page, hub, go } = await openPage({ hub: WRITES_FILES });
    const file = `${home}/.cursor/mcp.json`;
    mkdirSync(`${home}/.cursor`);
    const before = '{\n  // mine\n  "mcpServers": {}\n}\n';
    writeFileSync(file, before);
    await go('/settings/apps');
    // By hand it is the very command that this machine has.
    await page.getByLabel('Connect an app by hand').getByText('/opt/plug/bin/plug').waitFor();
    await page.getByRole('button', { name: 'Connect Cursor', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' });
    await dialog.getByText('"command": "/opt/plug/bin/plug"').waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('button', { name: 'Disconnect Cursor' }).waitFor();
    expect(readFileSync(file, 'utf8')).toContain('/opt/plug/bin/plug');
    expect((await hub.clients.list()).clients).toMatchObject([{ client: 'cursor', connected: true }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Connect Cursor', exact: true }).waitFor();
    expect(readFileSync(file, 'utf8')).toBe(before);
  },
  LONG_MS,
);

const WRITES_FILES = {
  openClientFiles: () =>
    Promise.resolve(openClientFiles({ command: '/opt/plug/bin/plug', args: ['gateway'] })),
};
