import { expect } from 'vitest';
import { calls, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { verifies } from '../requirements.ts';
import { writing } from '../scenarios/calls-played.ts';
import { seriousViolations } from './axe.ts';
import { addAsking, LONG_MS, openChat } from './chat-world.ts';
import { answerFromMenu } from './world.ts';

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
    await answerFromMenu(card, 'Edit arguments…');
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
    await answerFromMenu(page.getByRole('main'), 'Deny with a note…');
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

verifies(
  ['W4', 'P5'],
  'an answered card becomes the row of its call: one line that says how it was allowed, also after a reload',
  async () => {
    const { page, model, notes, hub, say } = await openChat();
    model.answer(calls({ name: 'notes__create_note', args: { title: 'Milk' } }), text('It is written.'));
    await say('Write it down');
    const card = page.getByRole('region', { name: /notes wants to create note/ });
    await card.waitFor();
    expect(await card.locator('footer > button').count()).toBe(3);
    expect(await page.getByRole('button', { name: /notes\/create_note/ }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await answerFromMenu(card, 'Allow for this session');
    await page.getByText('It is written.').waitFor();
    const rows = page.getByRole('button', { name: /notes\/create_note/ });
    await page.getByRole('button', { name: /^notes\/create_note · allowed for this session · / }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: /^notes\/create_note · allowed for this session · / }).waitFor();
    expect([await rows.count(), await card.count()]).toEqual([1, 0]);

    // A server that does not answer: after the yes nothing says that it waits for the person.
    notes.offer(writing('send_note', { silent: true }));
    await hub().servers.restart({ id: 'notes' });
    model.answer(calls({ name: 'notes__send_note', args: {} }), text('Sent.'));
    await say('Send it');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByRole('button', { name: 'Using notes/send_note … · allowed once' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped this answer.').waitFor();
  },
  LONG_MS,
);

verifies(
  ['W4', 'P3'],
  'the server is trusted from the card, and its reads no longer ask',
  async () => {
    const { page, model, notes, hub, say } = await openChat();
    const getting = calls({ name: 'notes__get_note', args: {} });
    model.answer(getting, text('Milk.'), getting, text('Still milk.'));
    await say('Read it');
    const card = page.getByRole('region', { name: /notes wants to get note/ });
    await answerFromMenu(card, 'Trust notes and allow');
    await page.getByText('Milk.', { exact: true }).waitFor();
    await say('Again');
    await page.getByText('Still milk.').waitFor();
    expect(notes.calls()).toHaveLength(2);
    expect((await hub().servers.get({ id: 'notes' })).trust).not.toBe('none');
  },
  LONG_MS,
);
