import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { local } from '../scenarios/lifecycle-hub.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 90_000;
const KEY = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzA1';

verifies(
  ['W1'],
  'the messages of a server are shown as they come, without secrets, once somebody asks for it, and copied as a test',
  async () => {
    const { page, context, hub, go, url } = await openPage();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    await hub.servers.add({ definition: local('box', 'modern', {}, { name: 'My box' }) });
    const echo = (message: string): Promise<unknown> =>
      hub.tools.call({ tool: 'box/echo', args: { message } });
    await hub.servers.trust({ id: 'box' });
    await hub.grants.add({ tool: 'box/echo' });
    await echo('before');
    await go('/servers/box/traffic');
    const start = page.getByRole('button', { name: 'Start recording' });
    await start.waitFor();
    expect(await hub.servers.traffic({ id: 'box' })).toEqual({ server: 'box', messages: [], dropped: 0 });
    await start.click();
    await page.getByText('Recording · 0 messages').waitFor();
    await echo(`hello, Bearer ${KEY}`);
    const rows = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await rows.nth(1).waitFor();
    const answer = rows.filter({ hasText: 'result' }).first();
    await answer.getByRole('button').first().click();
    await answer.getByText('hello, Bearer').first().waitFor();
    expect(await page.content()).not.toContain(KEY);
    expect(JSON.stringify(await hub.servers.traffic({ id: 'box' }))).not.toContain(KEY);
    await answer.getByRole('switch', { name: 'Raw' }).click();
    await answer.getByText(/"jsonrpc":"2.0"/).waitFor();
    await answer.getByRole('button', { name: 'Copy as test' }).click();
    const test = await page.evaluate(() => navigator.clipboard.readText());
    expect(test).toContain('hub.tools.call({ tool: "box/echo", args: {');
    expect(test).toContain('expect(result.content).toEqual([');
    // What does not fit the words or the kind is left out.
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('nothing like it');
    await soon(() => rows.count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('');
    await page.getByRole('combobox', { name: 'Kind of message' }).selectOption({ label: 'Errors' });
    await soon(() => rows.count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await start.waitFor();
    await echo('after');
    expect((await hub.servers.traffic({ id: 'box' })).messages).toEqual([]);
  },
  SLOW,
);

verifies(
  ['W1', 'C15'],
  'resources are read and prompts filled in from the drawer, and a card says what its server did today',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: local('box', 'modern', {}, { name: 'My box' }) });
    await hub.grants.add({ tool: 'box/echo' });
    await hub.tools.call({ tool: 'box/echo', args: { message: 'hi' } });
    await go('/servers/box/resources');
    await page.getByRole('button', { name: /^item/ }).click();
    await page.getByRole('textbox', { name: /^id/ }).fill('7');
    await page.getByRole('button', { name: 'Read', exact: true }).click();
    await page.getByRole('list', { name: 'Resources' }).getByText('{"id":"7"}').waitFor();
    await page.getByRole('tab', { name: 'Prompts' }).click();
    await page.getByRole('button', { name: /greet/ }).click();
    await page.getByRole('textbox', { name: /^who/ }).fill('Ada');
    await page.getByRole('button', { name: 'Show messages' }).click();
    await page.getByText('Greet Ada, friendly.').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    const card = page.locator('article[data-state]');
    await card.getByRole('img', { name: '1 call in the last 24 hours, none failed' }).waitFor();
    await card.getByText(/^Used .* by /).waitFor();
  },
  SLOW,
);

verifies(
  ['W1'],
  'several servers are selected, turned off at once and on again by undo, and removed after one question',
  async () => {
    const { page, hub, go } = await openPage();
    for (const id of ['one', 'two', 'three']) {
      await hub.servers.add({ definition: local(id, 'modern'), test: false });
    }
    const on = async (): Promise<readonly boolean[]> =>
      (await hub.servers.list()).servers.map(({ enabled }) => enabled);
    await go('/servers');
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const name of ['one', 'two']) await page.getByRole('checkbox', { name: `Select ${name}` }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected servers' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Turn off' }).click();
    // By name: one, three, two.
    await soon(on).toEqual([false, true, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await soon(on).toEqual([true, true, true]);
    await bar.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove 2 servers' }).click();
    await soon(async () => (await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['three']);
    await bar.waitFor({ state: 'detached' });
    await page
      .getByRole('dialog')
      .filter({ hasText: '2 servers removed' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await soon(async () => (await hub.servers.list()).servers.length).toBe(3);
  },
  SLOW,
);
