import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { published } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { played, writing, type PlayedTool } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { seriousViolations } from './axe.ts';
import { answerFromMenu, openPage } from './world.ts';
import { LOCAL } from '../../src/hub/principal.ts';

const LONG_MS = 90_000;

const TITLED: PlayedTool = {
  ...writing(),
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string' }, count: { type: 'integer' } },
    required: ['title'],
  },
};

verifies(
  ['P5', 'W5'],
  'a waiting call is announced on every page, and runs with the arguments as edited in a form',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', TITLED);
    await hub.servers.add({ definition: notes.definition });
    const waiting = hub.tools.call({
      tool: 'notes/create_note',
      args: { title: 'Milk', count: 2 },
      approval: 'wait',
    });
    await go('/servers');
    await page.getByRole('link', { name: /1 approval waiting/ }).click();
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await card.getByText('writes data', { exact: true }).waitFor();
    await card.getByText(/Auto-denies in \d min/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await answerFromMenu(card, 'Edit arguments…');
    await card.getByLabel(/title/).fill('Oat milk');
    await card.getByRole('button', { name: 'Allow with these' }).click();
    await waiting;
    expect(notes.calls().map(({ args }) => args)).toEqual([{ title: 'Oat milk', count: 2 }]);
    await page.getByText('No pending approvals').waitFor();

    // The next card marks what is new since the last yes.
    const second = hub.tools.call({
      tool: 'notes/create_note',
      args: { title: 'Eggs', count: 2 },
      approval: 'wait',
    });
    await card.getByText('changed', { exact: true }).waitFor();
    await card.getByText('was Oat milk').waitFor();
    await answerFromMenu(card, 'Always allow this tool');
    await second;
    expect(await hub.grants.list()).toHaveLength(1);
  },
  LONG_MS,
);

verifies(
  ['P5', 'W5'],
  'lines of an argument survive its editing and a paste, and what was edited is shown before it is allowed',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', TITLED);
    await hub.servers.add({ definition: notes.definition });
    const call = (title: string): Promise<unknown> =>
      hub.tools.call({ tool: 'notes/create_note', args: { title }, approval: 'wait' });
    const edited = call('milk\n\n  eggs');
    await go('/approvals');
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await answerFromMenu(card, 'Edit arguments…');
    await card.getByLabel(/title/).press('Control+End');
    await page.keyboard.type('!');
    const changes = card.getByRole('table', { name: 'Changes of title' });
    await changes.getByText('eggs!').waitFor();
    await card.getByRole('button', { name: 'Allow with these' }).click();
    await edited;

    const pasted = call('one line');
    await answerFromMenu(card, 'Edit arguments…');
    await card.getByLabel(/title/).selectText();
    await card.getByLabel(/title/).evaluate((field) => {
      const data = new DataTransfer();
      data.setData('text', 'first\r\nsecond\n');
      field.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    });
    await page.keyboard.type(' and more');
    await card.getByRole('button', { name: 'Allow with these' }).click();
    await pasted;
    expect(notes.calls().map(({ args }) => args)).toEqual([
      { title: 'milk\n\n  eggs!' },
      { title: 'first\nsecond and more' },
    ]);
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'a call that would change a file shows the difference, offers no “always”, and a no leaves the file alone',
  async () => {
    const { page, hub, go } = await openPage();
    const folder = temporaryFolder();
    const path = `${folder}/plan.txt`;
    writeFileSync(path, 'one\nthe old line\nthree\n');
    const { command, args } = published('filesystem', folder);
    await hub.servers.add({
      definition: defineServer({ id: 'files', endpoint: { kind: 'stdio', command, args, env: {} } }),
    });
    const waiting = hub.tools.call({
      tool: 'files/write_file',
      args: { path, content: 'one\nthe new line\nthree\n' },
      approval: 'wait',
    });
    const denied = expect(waiting).rejects.toMatchObject({ code: 'denied' });
    await go('/approvals');
    const card = page.getByRole('region', { name: /files wants to write file/ });
    await card.getByText('-the old line').waitFor();
    await card.getByText('+the new line').waitFor();
    await card.getByText('destructive', { exact: true }).waitFor();
    await card.getByRole('button', { name: 'More answers' }).click();
    await card.getByRole('menuitem', { name: 'Edit arguments…' }).waitFor();
    expect(await card.getByRole('menuitem', { name: /Always/ }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await card.getByRole('button', { name: 'Deny', exact: true }).click();
    await denied;
    expect(readFileSync(path, 'utf8')).toContain('the old line');
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'the first answer wins: whoever looks at the page is told where somebody else answered',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', TITLED);
    await hub.servers.add({ definition: notes.definition });
    const waiting = hub.tools.call({ tool: 'notes/create_note', args: { title: 'A' }, approval: 'wait' });
    await go('/approvals');
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await card.waitFor();
    const [approval] = await hub.approvals.list();
    expect(approval).toBeDefined();
    const person = hub.as({ id: 'terminal.somebody', kind: 'terminal', principal: LOCAL });
    await person.approvals.answer({
      id: approval?.id ?? '',
      effect: 'allow',
      argsHash: approval?.argsHash ?? '',
    });
    await waiting;
    await page.getByText('Allowed in a terminal.').first().waitFor();
    await page.getByText('No pending approvals').waitFor();
  },
  LONG_MS,
);

verifies(
  ['P5'],
  'calls that were asked for together are answered together, or for arguments like these from now on',
  async () => {
    const { page, hub, go } = await openPage({ width: 375, height: 812 });
    const notes = played('notes', TITLED);
    await hub.servers.add({ definition: notes.definition });
    const both = ['A', 'B'].map((title) =>
      hub.tools.call({ tool: 'notes/create_note', args: { title }, approval: 'wait' }),
    );
    await go('/approvals');
    await page.getByText('2 calls were asked for together.').waitFor();
    await page.getByRole('button', { name: 'Allow all once' }).click();
    await Promise.all(both);
    expect(notes.calls()).toHaveLength(2);

    const third = hub.tools.call({ tool: 'notes/create_note', args: { title: 'Shop: C' }, approval: 'wait' });
    await answerFromMenu(page.getByRole('main'), 'Allow arguments like these…');
    await page.getByRole('checkbox', { name: 'title' }).check();
    await page.getByLabel('Pattern of title').fill('Shop: *');
    await page.getByRole('button', { name: 'Always allow these' }).click();
    await third;
    // From now on it does not ask for such a one.
    await hub.tools.call({ tool: 'notes/create_note', args: { title: 'Shop: D' } });
    await expect(
      hub.tools.call({ tool: 'notes/create_note', args: { title: 'Else' } }),
    ).rejects.toMatchObject({ code: 'approval_required' });
  },
  LONG_MS,
);
