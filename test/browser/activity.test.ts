import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { destroying, played, reading, writing } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { openPage } from './world.ts';

const LONG_MS = 60_000;

verifies(
  ['W5'],
  'a call is found by its server and outcome, and opens to who asked, what was sent and why it was refused',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading(), destroying()).definition });
    await hub.servers.add({
      definition: played('other', reading('get_note', { text: 'Milk, eggs.' })).definition,
    });
    await hub.servers.trust({ id: 'notes' });
    await hub.servers.trust({ id: 'other' });
    await hub.tools.call({ tool: 'notes/get_note', args: { id: 'n1' } });
    await hub.tools.call({ tool: 'other/get_note', args: {}, requester: 'person' });
    const refused = hub.tools.call({ tool: 'notes/delete_note', args: { id: '<b>n2</b>' } });
    await expect(refused).rejects.toThrow('needs approval');
    await go('/activity');
    const list = page.getByRole('list', { name: 'Calls', exact: true });
    await list.getByRole('listitem').nth(2).waitFor();
    const app = page.getByRole('combobox', { name: 'App' });
    await app.selectOption({ label: 'You' });
    await expect
      .poll(() => list.getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('other · you')]);
    // The figures are those of the same app: the other server has none.
    await page.getByRole('heading', { name: 'All servers · You' }).waitFor();
    const figures = page.getByRole('region', { name: /^All servers/ });
    await expect.poll(() => figures.getByRole('button', { name: /notes/ }).count()).toBe(0);
    await list.getByRole('button').first().click();
    await list.getByText('Milk, eggs.').waitFor();
    await app.selectOption({ label: 'library' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2);
    await app.selectOption({ label: 'All apps' });
    await figures.getByRole('button', { name: /notes/ }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Tool, by exact name' }).fill('notes/get_note');
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await page.getByRole('searchbox', { name: 'Tool, by exact name' }).fill('');
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption({ label: '▲ refused' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    await list.getByRole('button').first().click();
    await list.getByText('It needed approval').waitFor();
    await list.getByText('"<b>n2</b>"').waitFor();
    await list.getByText('destructive', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Server' }).selectOption({ label: 'other' });
    await page.getByText('No calls here').waitFor();
    expect(new URL(page.url()).searchParams.get('server')).toBe('other');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a call that waits for an answer stands on top while it does, and in the list when it is over',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', writing()).definition });
    await go('/activity');
    await page.getByText('No calls here').waitFor();
    const call = hub.tools.call({
      tool: 'notes/create_note',
      args: {},
      requester: 'person',
      approval: 'wait',
    });
    const ended = call.catch((error: unknown) => error);
    await page.getByRole('list', { name: 'Calls under way' }).getByText('waits for you').waitFor();
    const [approval] = await hub.approvals.list();
    await hub.approvals.answer({
      id: approval?.id ?? '',
      effect: 'deny',
      argsHash: approval?.argsHash ?? '',
    });
    await ended;
    const row = page.getByRole('list', { name: 'Calls', exact: true }).getByRole('listitem');
    await row.getByText('refused').waitFor();
    await row.getByRole('button').first().click();
    // The time of the person is not the call's.
    await row.getByText('Waited for an answer').waitFor();
    const [record] = (await hub.audit.query()).records;
    expect(record?.waitedMs).toBeGreaterThan(0);
    expect(record?.durationMs).toBeLessThan((record?.waitedMs ?? 0) + 60_000);
    await expect.poll(() => page.getByRole('list', { name: 'Calls under way' }).count()).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'the charts count calls and failures for each server, and say the same as a table',
  async () => {
    const { page, hub, go } = await openPage();
    const failing = reading('get_page', {
      result: { content: [{ type: 'text', text: 'no' }], isError: true },
    });
    await hub.servers.add({ definition: played('notes', reading(), failing).definition });
    await hub.servers.add({ definition: played('other', reading()).definition });
    await hub.servers.trust({ id: 'notes' });
    await hub.servers.trust({ id: 'other' });
    for (let count = 0; count < 3; count += 1) await hub.tools.call({ tool: 'notes/get_note', args: {} });
    await hub.tools.call({ tool: 'notes/get_page', args: {} });
    await hub.tools.call({ tool: 'other/get_note', args: {} });
    await go('/activity');
    await page.getByRole('img', { name: 'Calls 5 in all' }).waitFor();
    await page.getByRole('img', { name: 'Failures 1 in all' }).waitFor();
    await page
      .getByRole('region', { name: 'Figures by server' })
      .getByRole('button', { name: 'notes' })
      .click();
    await page.getByRole('img', { name: 'Calls 4 in all' }).waitFor();
    const tools = page.getByRole('region', { name: 'Figures by tool' }).getByRole('row');
    expect(await tools.allTextContents()).toEqual([
      expect.stringMatching(/^Tool/),
      expect.stringMatching(/^get_note30/),
      expect.stringMatching(/^get_page11/),
    ]);
    const calls = page.getByRole('figure').first();
    await calls.getByRole('img').hover({ position: { x: 2, y: 30 } });
    await calls.getByText(/^\d\d:\d\d 0$/).waitFor();
    await page.mouse.move(0, 0);
    await calls.getByText('4', { exact: true }).waitFor();
    await page.getByRole('switch', { name: 'As a table' }).click();
    const row = page.getByRole('region', { name: 'Figures as a table' }).getByRole('row').nth(1);
    expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['4', '1']));
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'calls are saved as JSON and as CSV, and nothing in the CSV is a formula',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await hub.servers.trust({ id: 'notes' });
    await hub.tools.call({ tool: 'notes/get_note', args: { id: 'a "b"' }, requester: 'person' });
    await go('/activity');
    await page.getByRole('list', { name: 'Calls', exact: true }).waitFor();
    const json = JSON.parse(await saved(page, 'Save as JSON')) as readonly { readonly args: unknown }[]; // as it is saved
    expect(json.map(({ args }) => args)).toEqual([{ id: 'a "b"' }]);
    const csv = (await saved(page, 'Save as CSV')).split('\r\n');
    expect(csv[0]).toMatch(/^at,callId,/);
    expect(csv[1]).toContain('"{""id"":""a \\""b\\""""}"');
    expect(csv[1]).not.toMatch(/(^|,)"?[=+@]/);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'what became of the servers is listed, newest first, and comes by itself',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading()).definition });
    await go('/activity?tab=events');
    const events = page.getByRole('list', { name: 'Events' });
    await events.getByText('connected').first().waitFor();
    await hub.servers.stop({ id: 'notes' });
    await events.getByText('disconnected').first().waitFor();
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'failed' });
    await page.getByText('No events').waitFor();
    expect(await events.count()).toBe(0);
  },
  LONG_MS,
);

async function saved(page: Page, as: string): Promise<string> {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save these calls' }).click();
  await page.getByRole('menuitem', { name: as }).click();
  // The browser is another process's: a download is fetched from it, not found on its disk.
  return await text(await (await coming).createReadStream());
}
