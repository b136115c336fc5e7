import { writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { openPage } from './world.ts';

const LONG_MS = 60_000;

verifies(
  ['W5'],
  'a grant is taken back at once, and undoing it grants the very same again',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading(), writing()).definition });
    await hub.grants.add({ tool: 'notes/create_note', args: { title: 'draft*' } });
    await go('/grants');
    const says = 'Calls of notes/create_note where title is draft*';
    await page.getByRole('button', { name: `Revoke: ${says}` }).click();
    await expect.poll(() => hub.grants.list()).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await hub.grants.list()).map((grant) => grant.says)).toEqual([says]);
    await page.getByRole('list', { name: 'Grants' }).getByText(says).waitFor();
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a grant that is given on the page lets just those calls through',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', reading(), writing());
    await hub.servers.add({ definition: notes.definition });
    await go('/grants');
    await page.getByRole('button', { name: 'Add a grant' }).first().click();
    await page.getByLabel('Tool', { exact: true }).fill('create');
    await page.getByRole('option', { name: /notes\/create_note/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Only with certain arguments' }).click();
    await page.getByLabel('Argument').fill('title');
    await page.getByLabel('looks like').fill('draft*');
    await page.getByLabel('Until the hub stops').check();
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await page.getByRole('list', { name: 'Grants' }).getByText('where title is draft*').waitFor();
    await hub.tools.call({ tool: 'notes/create_note', args: { title: 'draft 1' } });
    await expect(
      hub.tools.call({ tool: 'notes/create_note', args: { title: 'final' } }),
    ).rejects.toMatchObject({
      code: 'approval_required',
    });
    expect(notes.calls()).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a tool is taken only from the list for what was typed, however late that list comes',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: played('notes', reading(), writing()).definition });
    await go('/grants');
    const gate = Promise.withResolvers<void>();
    await page.getByRole('button', { name: 'Add a grant' }).first().click();
    await page.getByRole('option', { name: /notes\/get_note/ }).waitFor();
    await page.route(/tools.*create/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    const field = page.getByLabel('Tool', { exact: true });
    await field.fill('create');
    await field.press('Enter');
    expect(await field.inputValue()).toBe('create');
    expect(await hub.grants.list()).toEqual([]);
    gate.resolve();
    await page.getByRole('option', { name: /notes\/create_note/ }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('notes/create_note');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a grant that holds no more says why, and is not offered again when it is removed',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', writing());
    await hub.servers.add({ definition: notes.definition });
    await hub.grants.add({ tool: 'notes/create_note' });
    notes.offer({ ...writing(), description: 'Creates a note, and sends it to somebody.' });
    await expect.poll(async () => (await hub.grants.list())[0]?.stale).toBeDefined();
    await go('/grants');
    await page.getByText('The tool changed since this was granted.').waitFor();
    await page.getByRole('button', { name: /^Remove: / }).click();
    await expect.poll(() => hub.grants.list()).toEqual([]);
    await page.getByText('Grant removed').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'what happens by default is chosen on the page and holds for everybody',
  async () => {
    const { page, hub, go } = await openPage();
    await go('/grants');
    await page.getByRole('combobox', { name: 'Tools that write' }).selectOption({ label: 'Refuse' });
    await expect.poll(async () => (await hub.policy.defaults()).call.write).toBe('deny');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a rules file with a mistake is shown with its line',
  async () => {
    const { page, hub, go } = await openPage();
    const { file } = await hub.policy.rules();
    writeFileSync(file, '{\n  "rules": [\n    { "effect": "perhaps" }\n  ]\n}\n');
    await expect.poll(async () => (await hub.policy.rules()).problems.length).toBeGreaterThan(0);
    await go('/grants');
    await page
      .getByText(/^Line 3, column \d+: /)
      .first()
      .waitFor();
  },
  LONG_MS,
);
