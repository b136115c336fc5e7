import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { ACME, versionedPackage } from '../scenarios/versioned-package.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage, type PageWorld } from './world.ts';

const SLOW = 90_000;

/** A page of a hub with `acme` at 1.0.0, of which npm knows 2.0.0. */
async function openAcme(): Promise<PageWorld> {
  const { bin } = versionedPackage(temporaryFolder(), '2.0.0');
  const env = { PATH: `${bin}:${process.env['PATH']}`, PLUG_NO_KEYRING: '1', SHELL: '/bin/false' };
  const world = await openPage({ env });
  await world.hub.servers.add({ definition: ACME });
  return world;
}

verifies(
  ['W1', 'S21'],
  'the page shows the version that runs and what a newer one changes, updates to it, and goes back',
  async () => {
    const { page, hub, go } = await openAcme();
    const runs = async (): Promise<string> => (await hub.servers.get({ id: 'acme' })).target;
    await go('/servers/acme/config');
    const version = page.getByRole('region', { name: 'Version' });
    // Looked for by itself once the server has run; the button asks at once.
    await version
      .getByText('2.0.0 is available')
      .or(version.getByText('Check for updates'))
      .first()
      .waitFor();
    const check = version.getByRole('button', { name: 'Check for updates' });
    if (await check.isVisible()) await check.click();
    await version.getByRole('button', { name: 'Compare with 2.0.0' }).click();
    const update = page.getByRole('region', { name: 'Update to 2.0.0' });
    await update.waitFor();
    const shown = await update.innerText();
    for (const part of ['1.0.0 → 2.0.0', '+ fresh', '− old', 'look', 'inputSchema.properties.at.type'])
      expect(shown).toContain(part);
    expect(await runs()).toContain('@acme/tool@1.0.0');
    expect(await seriousViolations(page)).toEqual([]);

    await update.getByRole('button', { name: 'Update to 2.0.0' }).click();
    await version.getByText('Updated from 1.0.0 to 2.0.0.').waitFor();
    expect(await runs()).toContain('@acme/tool@2.0.0');
    await version.getByText('This is the newest').waitFor();
    await version.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('is at 1.0.0 again').waitFor();
    expect(await runs()).toContain('@acme/tool@1.0.0');
  },
  SLOW,
);

verifies(
  ['W1', 'S20'],
  'the last change is shown with what undoing it does, and is undone only after a yes',
  async () => {
    const { page, hub, go } = await openAcme();
    await hub.servers.disable({ id: 'acme' });
    const isOn = async (): Promise<boolean> => (await hub.servers.get({ id: 'acme' })).enabled;
    await go('/activity?tab=changes');
    const list = page.getByRole('list', { name: 'Changes' });
    await list.waitFor();
    expect(await list.getByRole('listitem').count()).toBe(2);
    expect(await list.getByRole('button', { name: 'Undo…' }).count()).toBe(1);
    await list.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('region', { name: 'Server acme' }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await isOn()).toBe(false);

    await list.getByRole('button', { name: 'Undo…' }).click();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText(/^Undone: /).waitFor();
    await soon(isOn).toBe(true);
    await soon(() => list.getByRole('listitem').count()).toBe(1);

    // A removed server comes back the same way.
    await hub.servers.remove({ id: 'acme' });
    await soon(() => list.getByRole('listitem').count()).toBe(2);
    await list.getByRole('button', { name: 'Undo…' }).click();
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await soon(async () => (await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['acme']);
  },
  SLOW,
);
