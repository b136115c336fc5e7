import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { scriptedServer, toolNamed } from '../scenarios/catalog-server.ts';
import { local } from '../scenarios/lifecycle-hub.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 90_000;

verifies(
  ['W1', 'T4'],
  'a tool that changed shows old and new side by side with hidden characters, and is approved just as shown',
  async () => {
    const { page, hub, go } = await openPage();
    const shop = scriptedServer('shop', [toolNamed('get_price'), toolNamed('get_stock')]);
    await hub.servers.add({ definition: shop.definition });
    await hub.servers.trust({ id: 'shop' });
    shop.write([
      toolNamed('get_price', { description: 'Does get_price.\u200b And more.' }),
      toolNamed('get_stock'),
    ]);
    await hub.servers.restart({ id: 'shop' });
    await go('/servers/shop/tools');
    const diff = page.getByRole('table', { name: 'Changes of description' });
    await diff.getByText('Does get_price.<U+200B> And more.').waitFor();
    expect(await diff.textContent()).toContain('− Does get_price.');
    const { withheld } = await hub.tools.list({ server: 'shop' });
    await page.getByText(withheld[0]?.hash?.slice(0, 12) ?? 'no hash').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('shop/get_price is approved as it is now.').waitFor();
    expect((await hub.tools.list({ server: 'shop' })).withheld).toEqual([]);
  },
  SLOW,
);

verifies(
  ['W1'],
  'a tool is switched off, gets another risk, and a read-only server says which tools it keeps back and why',
  async () => {
    const { page, hub, go } = await openPage();
    const shop = scriptedServer('shop', [toolNamed('get_price'), toolNamed('set_price')]);
    await hub.servers.add({ definition: shop.definition });
    await go('/servers/shop/tools');
    const enabled = async (): Promise<readonly boolean[]> =>
      (await hub.tools.audit({ server: 'shop' })).servers.flatMap(({ tools }) =>
        tools.map((tool) => tool.enabled),
      );
    await page.getByRole('switch', { name: 'get_price is on' }).click();
    await soon(enabled).toEqual([false, true]);
    await page.getByText('It is disabled.').waitFor();
    await page.getByRole('switch', { name: 'get_price is on' }).click();
    await soon(enabled).toEqual([true, true]);

    await page.getByRole('button', { name: /^set_price/ }).click();
    await page
      .getByRole('combobox', { name: 'When set_price is called' })
      .selectOption({ label: 'Always allow' });
    await soon(async () => (await hub.grants.list({ server: 'shop' })).length).toBe(1);
    await page.getByText('it runs without asking').waitFor();
    await page
      .getByRole('combobox', { name: 'Risk of set_price' })
      .selectOption({ label: 'Always: destructive' });
    await soon(async () =>
      (await hub.tools.list({ server: 'shop' })).tools.find(({ name }) => name === 'set_price'),
    ).toMatchObject({ risk: 'destructive', riskFrom: 'override' });

    await page.getByRole('switch', { name: 'Read-only' }).click();
    await page.getByText('shop is read-only, and this tool is destructive.').first().waitFor();
    await page.getByRole('button', { name: 'Turn read-only off' }).click();
    await soon(async () => (await hub.servers.get({ id: 'shop' })).readOnly).toBe(false);
  },
  SLOW,
);

verifies(
  ['W1', 'T4'],
  'tools are ordered by use and by cost, those that were never used are turned off together, and undo turns them on',
  async () => {
    const { page, hub, go } = await openPage({ place: '/servers' });
    const long = { ...writing('write_page'), description: 'Writes a page. '.repeat(60) };
    const notes = played('notes', reading('get_note'), writing('create_note'), long);
    await hub.servers.add({ definition: notes.definition });
    await hub.servers.trust({ id: 'notes' });
    await hub.tools.call({ tool: 'notes/get_note', args: {} });
    await go('/servers/notes/tools');
    const rows = page.getByRole('tabpanel').getByRole('listitem');
    const names = async (): Promise<readonly string[]> =>
      (await rows.getByRole('button').allTextContents()).map((words) => /^[a-z_]+/.exec(words)?.[0] ?? '');
    const order = page.getByRole('combobox', { name: 'Order of the tools' });
    await order.selectOption({ label: 'Most tokens first' });
    await soon(async () => (await names())[0]).toBe('write_page');
    await order.selectOption({ label: 'Least used first' });
    await soon(names).toEqual(['write_page', 'create_note', 'get_note']);
    await rows
      .nth(2)
      .getByText(/^1 call, last .* tokens$/)
      .waitFor();
    await rows
      .first()
      .getByText(/^Never used · .* tokens$/)
      .waitFor();
    await page.getByRole('tabpanel').getByRole('button', { name: 'Select', exact: true }).click();
    const bar = page.getByRole('toolbar', { name: 'Selected tools' });
    await bar.getByRole('button', { name: 'Never used' }).click();
    await bar.getByText(/^2 selected/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await bar.getByRole('button', { name: 'Turn off' }).click();
    const offered = async (): Promise<readonly string[]> =>
      (await hub.tools.list({ server: 'notes' })).tools.map(({ name }) => name).toSorted();
    await soon(offered).toEqual(['get_note']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await soon(offered).toEqual(['create_note', 'get_note', 'write_page']);
  },
  SLOW,
);

verifies(
  ['W1', 'P5'],
  'a tool is tried from its form: sending the form is the yes, and what came back is shown',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.apply({ definitions: [local('one', 'modern')] });
    await hub.servers.start({ id: 'one' });
    await go('/servers/one/tools');
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('echo');
    await page.getByRole('button', { name: /^echo/ }).first().click();
    await page.getByRole('button', { name: 'Try it' }).click();
    const trying = page.getByRole('region', { name: 'Try echo' });
    await trying.getByRole('textbox', { name: 'message' }).fill('hello from the page');
    await trying.getByRole('button', { name: 'Run it' }).click();
    await trying.getByText(/✓/).waitFor();
    await trying.locator('pre').getByText('hello from the page').waitFor();
    const { records } = await hub.audit.query({ limit: 5 });
    expect(records).toMatchObject([
      { server: 'one', tool: 'echo', effect: 'allow', by: { kind: 'consent', consent: { kind: 'form' } } },
    ]);
  },
  SLOW,
);

verifies(
  ['W1', 'P2'],
  'a destructive tool is asked about also from its form, and a no leaves it alone',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', {
      ...writing('delete_note'),
      annotations: { destructiveHint: true },
    });
    await hub.servers.add({ definition: notes.definition });
    await go('/servers/notes/tools');
    await page.getByRole('button', { name: /^delete_note/ }).click();
    await page.getByRole('button', { name: 'Try it' }).click();
    const trying = page.getByRole('region', { name: 'Try delete_note' });
    await trying.getByRole('button', { name: 'Run it' }).click();
    await trying.getByRole('button', { name: 'Deny', exact: true }).click();
    await trying.getByText(/was not allowed/).waitFor();
    expect(notes.calls()).toEqual([]);
    await trying.getByRole('button', { name: 'Run it' }).click();
    await trying.getByRole('button', { name: 'Allow', exact: true }).click();
    await trying.getByRole('button', { name: /^notes\/delete_note · allowed once · / }).waitFor();
    expect(notes.calls()).toHaveLength(1);
  },
  SLOW,
);

verifies(
  ['W1'],
  'five hundred servers and ten thousand tools: only what can be seen exists, and the last one is reached',
  async () => {
    const { page, hub, go } = await openPage();
    const tools = Array.from({ length: 10_000 }, (_, index) =>
      toolNamed(`get_${String(index).padStart(5, '0')}`),
    );
    const many = scriptedServer('a-many', tools);
    await hub.servers.apply({
      definitions: [
        many.definition,
        ...Array.from({ length: 499 }, (_, index) => local(`s${String(index).padStart(3, '0')}`, 'modern')),
      ],
    });
    await hub.servers.start({ id: 'a-many' });
    await go('/servers');
    await page.getByRole('link', { name: 'a-many' }).waitFor();
    expect(await page.locator('article').count()).toBeLessThan(60);
    await page.locator('article').first().hover();
    await page.evaluate(() => {
      const scroller = document.querySelector('main')?.closest('div[class*=main]');
      scroller?.scrollTo(0, scroller.scrollHeight);
    });
    await page.getByRole('link', { name: 's498' }).waitFor();
    expect(await page.locator('article').count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search servers' }).fill('a-many');
    await page.getByRole('link', { name: 'a-many' }).click();

    await page
      .getByText('10,000 of 10,000 tools offered')
      .or(page.getByText('10000 of 10,000 tools offered'))
      .waitFor();
    const rows = page.getByRole('tabpanel').getByRole('listitem');
    expect(await rows.count()).toBeLessThan(60);
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('09999');
    await page.getByRole('button', { name: /^get_09999/ }).waitFor();
    await soon(() => rows.count()).toBe(1);
  },
  SLOW,
);
