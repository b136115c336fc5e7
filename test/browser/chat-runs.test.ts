import { expect } from 'vitest';
import { calls, stall, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { LONG_MS, openChat } from './chat-world.ts';

const writing = calls({ name: 'notes__create_note', args: { title: 'Milk' } });

verifies(
  ['W4'],
  'a page that is reloaded in the midst of an answer shows what was said, asks again, and gets the rest',
  async () => {
    const { page, model, notes, say } = await openChat();
    model.answer({ ...writing, says: ['Let me write that.'] }, text('It is written.'));
    await say('Write it down');
    await page.getByText('Let me write that.').waitFor();
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await card.waitFor();
    await page.reload();
    await page.getByText('Let me write that.').waitFor();
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('It is written.').waitFor();
    expect(notes.calls().map(({ args }) => args)).toEqual([{ title: 'Milk' }]);
    expect(model.requests).toHaveLength(2);
    expect(await page.getByText('Let me write that.').count()).toBe(1);
    // It is kept as any other answer, and the next message knows of it.
    await page.reload();
    await page.getByText('It is written.').waitFor();
    model.answer(text('Yes.'));
    await say('Is it done?');
    await page.getByText('Yes.', { exact: true }).waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('It is written.');
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'two tabs see the same conversations as they go on, and either of them stops an answer',
  async () => {
    const { page, context, model, url, say } = await openChat();
    const other = await context.newPage();
    await other.goto(`${url}/chat`);
    await other.getByRole('textbox', { name: 'Message' }).waitFor();
    model.answer(stall(text('Once upon a time')));
    await say('Tell me a story');
    await page.getByText('Once upon a time').waitFor();
    await other.getByRole('link', { name: /Tell me a story/ }).click();
    await other.getByText('Once upon a time').waitFor();
    await other.getByRole('button', { name: 'Stop' }).click();
    for (const tab of [page, other]) await tab.getByText('You stopped this answer.').waitFor();
    await waitFor(() => model.requests.at(-1)?.gone() === true);

    await other.getByRole('button', { name: 'Actions for Tell me a story' }).click();
    await other.getByRole('menuitem', { name: 'Delete' }).click();
    const link = page.getByRole('link', { name: /Tell me a story/ });
    await link.waitFor({ state: 'detached' });
    expect(await link.count()).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'when the tab that began an answer is closed, another one shows the rest of it',
  async () => {
    const { page, context, model, url, say } = await openChat();
    const other = await context.newPage();
    await other.goto(`${url}/chat`);
    await other.getByRole('textbox', { name: 'Message' }).waitFor();
    model.answer(writing, text('It is written.'));
    await say('Write it down');
    await page.getByRole('region', { name: /notes wants to create note/ }).waitFor();
    await other.getByRole('link', { name: /Write it down/ }).click();
    await page.close();
    await other.getByRole('button', { name: 'Allow', exact: true }).click();
    await other.getByText('It is written.').waitFor();
    expect(model.requests).toHaveLength(2);
  },
  LONG_MS,
);
