import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { remote } from '../scenarios/lifecycle-hub.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 60_000;

verifies(
  ['W1', 'O1'],
  'signing in opens the other side in a window of its own, ends with “Connected as …”, and a second account can be the default',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    const { page, context, hub, go } = await openPage();
    await hub.servers.apply({ definitions: [remote('crm', server.url)] });
    await Promise.allSettled([hub.servers.start({ id: 'crm' })]);
    await go('/servers');
    await page.getByRole('link', { name: 'Sign in' }).click();
    const popup = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const other = await popup;
    // It goes from page to page by itself, and none can be asked in between; at the end it may be closed.
    await soon(() => (other.isClosed() ? null : other.evaluate(() => window.opener))).toBeNull();
    await page.getByText(/alice/).first().waitFor();
    await soon(async () => (await hub.servers.get({ id: 'crm' })).state.kind).toBe('ready');

    await as.post('/_person?name=bob');
    await page.getByRole('button', { name: 'Add another account' }).click();
    await page.getByLabel('Name').fill('work');
    await page.getByRole('button', { name: 'Sign in as work' }).click();
    await page.getByRole('button', { name: 'Use by default' }).click();
    await soon(
      async () => (await hub.accounts.list({ server: 'crm' })).find(({ isDefault }) => isDefault)?.account,
    ).toBe('work');
    await page.getByRole('button', { name: 'Sign out' }).first().click();
    await soon(
      async () => (await hub.accounts.list({ server: 'crm' })).filter(({ signedIn }) => signedIn).length,
    ).toBe(1);
  },
  SLOW,
);

verifies(
  ['W1', 'O1'],
  'where no program may register by itself, the page says what to register, and its id and secret sign in',
  async () => {
    await using as = await startAuthorizationServer({ registration: 'none' });
    await using server = await startProtectedServer({ issuer: as.url });
    const { page, hub, go } = await openPage({ mayComplain: /status of 4/ });
    await hub.servers.apply({ definitions: [remote('crm', server.url)] });
    await go('/servers/crm/accounts');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Client id').waitFor();
    const redirect = (await page.locator('form code').textContent()) ?? '';
    expect(redirect).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    await as.post(`/_client?id=mine&secret=kept&redirect=${encodeURIComponent(redirect)}`);
    await page.getByLabel('Client id').fill('mine');
    await page.getByLabel('Client secret').fill('kept');
    await page.getByRole('button', { name: 'Sign in with it' }).click();
    await soon(async () =>
      (await hub.accounts.list({ server: 'crm' })).map(({ signedIn }) => signedIn),
    ).toEqual([true]);
    await page.getByText('✓ signed in').waitFor();
  },
  SLOW,
);
