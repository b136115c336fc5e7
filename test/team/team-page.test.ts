import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { runTeam } from '../../src/team/run-team.ts';
import { newContext } from '../browser/chromium.ts';
import { asOrdinaryRole } from '../contracts/ordinary-role.ts';
import { verifies } from '../requirements.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { shared } from '../suite/run-resources.ts';
import { KEYS, PASSWORD } from './team-world.ts';

const pageFolder = process.env['PLUG_TEST_PAGE'] ?? fileURLToPath(new URL('../../dist/web', import.meta.url));

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Plugboard' });

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await navigation(page).waitFor();
}

/** As somebody who was sent a link opens it in a browser of their own. */
async function joinAs(link: string, name: string): Promise<Page> {
  const context = await newContext({ acceptDownloads: true });
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel(/^Password/).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await signIn(page, `${name.toLowerCase()}@team.test`);
  return page;
}

async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Role', { exact: true }).selectOption(role);
  await page.getByRole('button', { name: 'Invite' }).click();
  const said = page.getByRole('status').filter({ hasText: email });
  return (await said.locator('code').textContent()) ?? '';
}

/** Opens the server's sign-in, whose page agrees by itself, and waits until it has come back. */
async function signInTo(page: Page, server: string, as: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/servers/${server}/accounts`);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText(new RegExp(as)).first().waitFor();
}

async function accounts(context: BrowserContext, url: string): Promise<readonly object[]> {
  return (await (await context.request.get(`${url}/v1/accounts`)).json()) as readonly object[];
}

verifies(
  ['M1', 'M2', 'M6'],
  'a team begins with a link, and goes on in the browser: invite, add, sign in, share, use as oneself, approve, export',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    const folder = await mkdtemp(join(tmpdir(), 'plug-team-page-'));
    const database = await asOrdinaryRole(await shared('database'));
    await using team = await runTeam({
      version: '0.0.0-test',
      clock: systemClock,
      ids: systemIds,
      logger: silentLogger,
      database,
      pageFolder,
      paths: { config: folder, data: folder, state: folder },
      env: { ...KEYS, PLUG_AUDIT_EXPORT_FOLDER: folder },
      guard: (ip) => (ip === '127.0.0.1' ? undefined : 'not in a test'),
    });
    const { url, setUpLink = '' } = team;
    const owner = await (await newContext()).newPage();
    // Without a session there is the sign-in and nothing else.
    await owner.goto(`${url}/servers`);
    expect(new URL(owner.url()).pathname).toBe('/sign-in');
    await owner.goto(setUpLink);
    await owner.getByLabel('Name').fill('Olga');
    await owner.getByLabel('Email').fill('olga@team.test');
    await owner.getByLabel(/^Password/).fill(PASSWORD);
    await owner.getByRole('button', { name: 'Create team' }).click();
    await signIn(owner, 'olga@team.test');
    await owner.goto(`${url}/team`);
    const mira = await joinAs(await invite(owner, 'mira@team.test', 'member'), 'Mira');
    const omar = await joinAs(await invite(owner, 'omar@team.test', 'member'), 'Omar');
    const udo = await joinAs(await invite(owner, 'udo@team.test', 'auditor'), 'Udo');

    await mira.goto(`${url}/add`);
    // A program is declined; the same text with an address is a plan, and added.
    const paste = async (entry: object): Promise<void> => {
      await mira.getByLabel('What to add').fill(JSON.stringify({ mcpServers: { crm: entry } }));
      await mira.getByRole('button', { name: 'Continue' }).click();
    };
    await paste({ command: 'npx', args: ['-y', 'acme-crm'] });
    await mira.getByText('it would run a program on the hub').waitFor();
    await paste({ url: server.url });
    await mira.getByRole('button', { name: 'Add', exact: true }).click();
    await mira.getByRole('region', { name: 'crm is added' }).waitFor();
    await signInTo(mira, 'crm', 'alice');
    // Nobody else has it yet.
    expect((await omar.context().request.get(`${url}/v1/servers/crm`)).status()).toBe(404);
    await mira.goto(`${url}/team`);
    await mira.getByRole('button', { name: 'Propose to the team' }).click();
    await mira.getByRole('list', { name: 'Waiting to be shared' }).getByText('crm').waitFor();
    expect(await mira.getByRole('button', { name: 'Share crm' }).count()).toBe(0);

    await owner.goto(`${url}/team`);
    await owner.getByRole('button', { name: 'Share crm' }).click();
    await owner.getByText('Nothing waits to be shared').waitFor();

    await as.post('/_person?name=bob');
    await signInTo(omar, 'crm', 'bob');
    expect(await accounts(omar.context(), url)).toMatchObject([{ server: 'crm', displayName: '@bob' }]);
    expect(await accounts(mira.context(), url)).toMatchObject([{ server: 'crm', displayName: '@alice' }]);
    const rule =
      '{ "name": "two people", "when": { "tool": "crm/*" }, "then": "ask", "approvers": "admins" }';
    const rules = { '': `{ "rules": [${rule}] }` };
    const headers = { origin: url };
    expect(
      (await owner.context().request.put(`${url}/v1/team/rules`, { headers, data: { rules } })).status(),
    ).toBe(200);
    const data = { tool: 'crm/echo', args: { message: 'for the admin' }, approval: 'wait' };
    const called = omar.context().request.post(`${url}/v1/calls`, { headers, data, timeout: 100_000 });
    await owner.goto(`${url}/team`);
    await owner.getByText('Asked by Omar (omar@team.test)').waitFor();
    await owner.getByText('for the admin').waitFor();
    await omar.goto(`${url}/approvals`);
    await omar.getByText('asks an admin of the team').waitFor();
    expect(await omar.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    await owner.getByRole('button', { name: 'Approve crm/echo' }).click();
    expect((await called).status()).toBe(200);
    await owner.getByText('No calls wait for you').waitFor();

    await udo.goto(`${url}/team`);
    const exported = udo.getByRole('link', { name: 'Export CSV' });
    const download = udo.waitForEvent('download');
    await exported.click();
    expect((await download).suggestedFilename()).toBe('plugboard-audit.csv');
    const address = `${url}${(await exported.getAttribute('href')) ?? ''}`;
    const records = async (): Promise<string> => (await udo.context().request.get(address)).text();
    await expect.poll(records, { timeout: 20_000 }).toMatch(/,omar@team\.test,crm,/);
    expect((await owner.context().request.get(`${url}/v1/team/audit`)).status()).toBe(403);
    // And from now on by itself.
    await udo.getByLabel('Export to').selectOption('folder');
    await udo.getByRole('button', { name: 'Save export' }).click();
    await udo.getByText(/^plugboard-audit-.*jsonl: \d+ records/).waitFor();
    await udo.getByText('with arguments, set by Udo').waitFor();
    await rm(folder, { recursive: true, force: true });
  },
  120_000,
);
