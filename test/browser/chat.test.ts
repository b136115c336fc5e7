import { expect } from 'vitest';
import { broken, calls, fail, text } from '../models/scripted-model.ts';
import { played, reading } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { seriousViolations } from './axe.ts';
import { LONG_MS, openChat } from './chat-world.ts';

verifies(
  ['W4'],
  'a question is answered with two tools at once, each with a row that unfolds to all about it',
  async () => {
    const { page, model, notes, hub, say } = await openChat();
    await hub().servers.trust({ id: 'notes' });
    model.answer(
      calls({ name: 'notes__get_note', args: { id: 1 } }, { name: 'notes__get_note', args: { id: 2 } }),
      text(
        'You need **milk** and ',
        '<img src=x onerror=alert(1)> eggs. [More](javascript:alert(1)) [Web](https://example.com/a)',
      ),
    );
    await say('What do I need?');
    await page.getByText('milk', { exact: true }).waitFor();
    const rows = page.getByRole('button', { name: /^notes\/get_note · / });
    expect(await rows.count()).toBe(2);
    expect(notes.calls().map(({ args }) => args)).toEqual(expect.arrayContaining([{ id: 1 }, { id: 2 }]));
    await rows.first().click();
    await page.getByText('Milk, eggs.').waitFor();
    await page.getByText(/^Allowed: /).waitFor();
    await page.getByRole('tab', { name: 'Arguments' }).click();
    await page.getByText('"id": 1').waitFor();
    // What the model wrote as markup is text, and its links lead to the web alone.
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Web' }).getAttribute('rel')).toBe('noopener noreferrer');
    expect(await page.getByRole('link', { name: 'More' }).count()).toBe(0);
    await page.getByText(/tokens in · .* 2 calls/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.getByText('Conversations are kept in this browser only.').isVisible()).toBe(true);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'the chosen servers are the only ones that the model is shown, and Backspace takes one away',
  async () => {
    const { page, model, hub, say } = await openChat();
    await hub().servers.add({ definition: played('other', reading('get_weather')).definition });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.pressSequentially('@no');
    await page.getByRole('option', { name: /notes/ }).waitFor();
    await box.press('Enter');
    const chips = page.getByRole('list', { name: 'Servers for this message' });
    await chips.getByText('notes').waitFor();
    expect(await box.inputValue()).toBe('');
    model.answer(text('One.'), text('Two.'));
    await say('Hello');
    await page.getByText('One.').waitFor();
    const shown = JSON.stringify(model.requests.at(-1)?.body['tools'] ?? []);
    expect(shown).toContain('get_note');
    expect(shown).not.toContain('get_weather');
    // Backspace in an empty box takes the last one away: then it is Auto again.
    await box.focus();
    await page.keyboard.press('Backspace');
    await chips.getByText('Auto').waitFor();
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a busy provider is asked again, a broken stream is told with its retry, and nothing said is lost',
  async () => {
    const { page, model, say } = await openChat();
    model.answer(fail(429, { 'retry-after': '1' }), text('After the wait.'));
    await say('First');
    await page.getByText(/Retrying in/).waitFor();
    await page.getByText('After the wait.').waitFor();
    let isBroken = true;
    const step = (): ReturnType<typeof text> =>
      isBroken ? broken('drop', text('Half of it ')) : text('Whole now.');
    model.answer(...Array.from({ length: 10 }, () => step));
    await say('Second');
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    await page.getByText('Half of it').first().waitFor();
    isBroken = false;
    await retry.click();
    await page.getByText('Whole now.').waitFor();
    expect(await page.getByRole('article').count()).toBe(2);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a picture of a result is shown as a picture, and one that could hold a script only by its name',
  async () => {
    const { page, model, notes, hub, say } = await openChat();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
    const content = [
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'image', mimeType: 'image/svg+xml', data: svg },
      { type: 'resource', resource: { uri: 'notes://one', mimeType: 'text/plain', text: 'inside' } },
    ];
    notes.offer(reading('get_note', { result: { content } }));
    await hub().servers.restart({ id: 'notes' });
    await hub().servers.trust({ id: 'notes' });
    model.answer(calls({ name: 'notes__get_note', args: {} }), text('Look.'));
    await say('Show me');
    await page.getByText('Look.').waitFor();
    // The picture is seen at once; the rest of the result is in the row.
    const picture = page.getByRole('img', { name: /Picture: image\/png/ });
    await picture.waitFor();
    await page.getByRole('button', { name: /^notes\/get_note · / }).click();
    expect(await picture.getAttribute('src')).toMatch(/^blob:/);
    expect(await page.locator('img').count()).toBe(1);
    await page.getByText('Picture that is not shown').waitFor();
    await page.getByRole('button', { name: /Resource: text\/plain/ }).click();
    await page.getByText('inside', { exact: true }).waitFor();
  },
  LONG_MS,
);

/** One red point. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
