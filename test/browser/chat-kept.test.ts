import { expect } from 'vitest';
import { calls, stall, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { verifies } from '../requirements.ts';
import { LONG_MS, openChat } from './chat-world.ts';

verifies(
  ['W4'],
  'a conversation survives a reload, can be renamed and deleted, and is not kept when one does not want it',
  async () => {
    const { page, model, say } = await openChat();
    model.answer(text('Hello yourself.'), text('I remember.'));
    await say('Hello there');
    await page.getByText('Hello yourself.').waitFor();
    await page.waitForTimeout(700); // it is written a moment after the last word
    await page.reload();
    await page.getByText('Hello yourself.').waitFor();
    await say('Do you remember?');
    await page.getByText('I remember.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain('Hello yourself.');

    await page.getByRole('button', { name: 'Actions for Hello there' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name of the conversation').fill('Greetings');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Greetings/ }).waitFor();

    await page.getByRole('switch', { name: 'Keep conversations' }).click();
    await page.getByText('Conversations are deleted when you close this page.').waitFor();
    await page.reload();
    await page.getByText('How can I help?').waitFor();
    expect(await page.getByRole('link', { name: /Greetings/ }).count()).toBe(0);

    model.answer(text('Again.'));
    await say('Short-lived');
    await page.getByText('Again.').waitFor();
    await page.getByRole('button', { name: 'Actions for Short-lived' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('How can I help?').waitFor();
    expect(await page.getByRole('link', { name: /Short-lived/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: /Short-lived/ }).waitFor();
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'the hub goes away in the midst of an answer and of a sentence: both stay, and go on when it is back',
  async () => {
    const { page, model, say, stop, start } = await openChat({
      mayComplain: /ERR_|Failed to load|401|404|502/,
    });
    model.answer(stall(text('The first half')));
    await say('Tell me a story');
    await page.getByText('The first half').waitFor();
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('And then I wan');
    await stop();
    await page.getByText(/Reconnecting to the hub/).waitFor();
    await page.getByText('The first half').waitFor();
    expect(await box.inputValue()).toBe('And then I wan');
    await start();
    await page.getByText(/Reconnecting to the hub/).waitFor({ state: 'hidden' });
    expect(await box.inputValue()).toBe('And then I wan');
    model.answer(text('The whole story.'));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The whole story.').waitFor();
    expect(await box.inputValue()).toBe('And then I wan');
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'Stop ends the answer, what was said stays, and the message can be said differently',
  async () => {
    const { page, model, say } = await openChat();
    model.answer(stall(text('Once upon')));
    await say('Tell me a story');
    await page.getByText('Once upon').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('You stopped this answer.').waitFor();
    await page.getByText('Once upon').waitFor();
    await waitFor(() => model.requests.at(-1)?.gone() === true);
    // The last message can be said differently.
    await page.getByRole('button', { name: 'Edit this message' }).click();
    const box = page.getByRole('textbox', { name: 'Message' });
    expect(await box.inputValue()).toBe('Tell me a story');
    expect(await page.getByText('Once upon').count()).toBe(0);
    model.answer(text('A poem.'));
    await box.fill('Tell me a poem');
    await page.keyboard.press('Enter');
    await page.getByText('A poem.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).not.toContain('a story');
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a large result is shown by its beginning, read page by page, and searched without being sent whole',
  async () => {
    const { page, model, hub, notes, say } = await openChat();
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at} of the large result, needle-${at}`);
    notes.offer({
      name: 'get_note',
      description: 'Gets a note.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      plays: { text: lines.join('\n') },
    });
    await hub().servers.restart({ id: 'notes' });
    await hub().servers.trust({ id: 'notes' });
    model.answer(calls({ name: 'notes__get_note', args: {} }), text('That was long.'));
    await say('Get it all');
    await page.getByText('That was long.').waitFor();
    await page.getByRole('button', { name: /^notes\/get_note · / }).click();
    await page.getByRole('button', { name: 'View all' }).click();
    await page.getByText(/^Page 1 of \d+ · /).waitFor();
    await page.getByLabel('Search in this result').fill('needle-59999$');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /60000: line 59999/ }).click();
    await page.getByText(/^Page (\d+) of \1 · /).waitFor();
    await page
      .getByLabel(/^Page \d+$/)
      .getByText('needle-59999')
      .waitFor();
    // Only what is looked at is here.
    const chars = await page.evaluate(() => document.body.textContent?.length ?? 0);
    expect(chars).toBeLessThan(300_000);
  },
  LONG_MS,
);
