import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { programFile } from '../suite/program-file.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 90_000;
const FIRST = 'first-canary-7f3a9b2c5d8e1f40';
const SECOND = 'second-canary-5d8e1f407f3a9b2c';
const THIRD = 'third-canary-1f407f3a9b2c5d8e';

verifies(
  ['W1', 'V8'],
  'a second account with a key of its own is added on the page: tried first, kept if it works, replaced and removed',
  async () => {
    const { page, hub, go } = await openPage({ mayComplain: /status of [45]/ });
    const args = [programFile('scenarios/asking-server')];
    const env = { ACME_API_KEY: '${vault:acme/ACME_API_KEY}' };
    await hub.servers.add({
      definition: { id: 'acme', endpoint: { kind: 'stdio', command: process.execPath, args, env } },
      secrets: { 'acme/ACME_API_KEY': FIRST },
    });
    await hub.servers.trust({ id: 'acme' });
    const called = async (account?: string): Promise<string> =>
      JSON.stringify(await hub.tools.call({ tool: 'acme/whoami', ...(account ? { account } : {}) }));
    await go('/servers/acme/accounts');
    await page.getByRole('button', { name: 'Add another account' }).click();
    await page.getByLabel('Name').fill('work');
    const field = page.getByLabel('Acme API key', { exact: true });
    await field.fill('wrong-key-0123456789');
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByRole('alert').waitFor();
    expect(await hub.accounts.list()).toEqual([]);
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY']);

    await field.fill(SECOND);
    await page.getByRole('button', { name: 'Test and save' }).click();
    await page.getByText('The key of work works and is in the vault.').waitFor();
    await soon(async () => (await hub.accounts.list()).map(({ account }) => account)).toEqual([
      'default',
      'work',
    ]);
    expect(await hub.secrets.list()).toEqual(['acme/ACME_API_KEY', 'acme/work/ACME_API_KEY']);
    expect(await called()).toContain(FIRST.slice(-4));
    expect(await called('work')).toContain(SECOND.slice(-4));
    expect(await seriousViolations(page)).toEqual([]);

    const work = page.getByRole('listitem').filter({ hasText: 'work' });
    await work.getByRole('button', { name: 'Use by default' }).click();
    await soon(() => called()).toContain(SECOND.slice(-4));
    await work.getByRole('button', { name: 'Replace key' }).click();
    await work.getByLabel('Acme API key', { exact: true }).fill(THIRD);
    await work.getByRole('button', { name: 'Test and save' }).click();
    await soon(() => called('work')).toContain(THIRD.slice(-4));
    await work.getByRole('button', { name: 'Remove' }).click();
    await soon(() => hub.secrets.list()).toEqual(['acme/ACME_API_KEY']);
    expect(await called()).toContain(FIRST.slice(-4));
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
    );
    expect([SECOND, THIRD].filter((key) => kept.includes(key))).toEqual([]);
  },
  SLOW,
);
