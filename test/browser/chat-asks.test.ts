import { expect } from 'vitest';
import { calls, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { verifies } from '../requirements.ts';
import { addAsking, LONG_MS, openChat } from './chat-world.ts';

verifies(
  ['W4', 'P5'],
  'a call of the model asks in place, without taking the focus, and runs with the arguments as edited',
  async () => {
    const { page, model, notes, say } = await openChat();
    model.answer(calls({ name: 'notes__create_note', args: { title: 'Milk' } }), text('It is written.'));
    await say('Write it down');
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.focus();
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await card.waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await card.getByText('Milk').waitFor();
    await card.getByText('asked by the model in your chat').waitFor();
    expect(notes.calls()).toEqual([]);
    await card.getByRole('button', { name: 'Edit' }).click();
    await card.getByLabel(/Arguments/).fill('{"title": "Oat milk"}');
    await card.getByRole('button', { name: 'Allow with these' }).click();
    await page.getByText('It is written.').waitFor();
    expect(notes.calls().map(({ args }) => args)).toEqual([{ title: 'Oat milk' }]);
  },
  LONG_MS,
);

verifies(
  ['W4', 'P5'],
  'a denial with a note reaches the model, and nothing is called',
  async () => {
    const { page, model, notes, say } = await openChat();
    model.answer(calls({ name: 'notes__create_note', args: { title: 'Milk' } }), text('Understood.'));
    await say('Write it down');
    await page.getByRole('button', { name: 'Deny with a note' }).click();
    await page.getByLabel(/Why not/).fill('Ask me for the shop first');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Understood.').waitFor();
    await page.getByText(/notes\/create_note was not allowed/).waitFor();
    expect(notes.calls()).toEqual([]);
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('Ask me for the shop first');
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a server that asks in the midst of a call gets what the person typed, or a no',
  async () => {
    const { page, model, hub, say } = await openChat();
    const { log } = await addAsking(hub());
    for (const tool of ['form', 'page']) await hub().grants.add({ tool: `asking/${tool}` });
    model.answer(calls({ name: 'asking__form', args: {} }), text('Thank you.'));
    await say('Ask me');
    const card = page.getByRole('region', { name: 'asking asks you' });
    await card.waitFor();
    await card.getByRole('radio', { name: 'Oslo' }).check();
    await card.getByLabel(/Count/).fill('3');
    await card.getByRole('button', { name: 'Answer' }).click();
    await page.getByText('Thank you.').waitFor();
    await waitFor(() => log().includes('Oslo'));
    expect(log()).toMatch(/"count":3/);

    model.answer(calls({ name: 'asking__page', args: {} }), text('As you like.'));
    await say('Show me');
    await card.waitFor();
    await card.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('As you like.').waitFor();
    await waitFor(() => log().includes('decline'));
  },
  LONG_MS,
);

verifies(
  ['A4', 'W4'],
  'a request that needs a server which is not there offers it, with the button that adds it',
  async () => {
    const { page, model, say } = await openChat();
    model.answer(
      calls({ name: 'suggest_server', args: { need: 'notion pages' } }),
      text('Notion would do it.'),
    );
    await say('Read my Notion pages');
    const offer = page.getByRole('list', { name: 'Servers that would help' }).getByRole('link').first();
    await offer.waitFor();
    expect(await offer.getAttribute('href')).toMatch(/^\/add\?text=/);
  },
  LONG_MS,
);
