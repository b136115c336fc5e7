import { expect } from 'vitest';
import { waitFor } from '../servers/start.ts';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { played, reading } from '../scenarios/calls-played.ts';
import { seriousViolations } from './axe.ts';
import { addAsking, LONG_MS, openChat } from './chat-world.ts';
import { openPage } from './world.ts';

verifies(
  ['W4'],
  'Auto shows the servers that it may use, leaves one out with a click, and another is added without leaving the chat',
  async () => {
    const { page, model, hub, say } = await openChat();
    await hub().servers.add({ definition: played('other', reading('get_weather')).definition });
    const chips = page.getByRole('list', { name: 'Servers for this message' });
    const other = chips.getByRole('button', { name: 'other' });
    await other.waitFor();
    const box = page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    // What could be asked of a server is put into the box, and not sent.
    await page.getByRole('button', { name: 'Get weather with other' }).click();
    expect(await box.inputValue()).toBe('Get weather with other: ');
    expect(model.requests).toEqual([]);
    expect(await chips.getByRole('button').count()).toBe(2);
    await other.click();
    expect(await other.getAttribute('aria-pressed')).toBe('false');
    model.answer(text('One.'), text('Two.'));
    const shown = (): string => JSON.stringify(model.requests.at(-1)?.body['tools'] ?? []);
    await say('Hello');
    await page.getByText('One.').waitFor();
    expect([shown().includes('get_note'), shown().includes('get_weather')]).toEqual([true, false]);
    // It is of the conversation, and stays over a reload.
    await page.reload();
    expect(await other.getAttribute('aria-pressed')).toBe('false');
    await other.click();
    await say('Again');
    await page.getByText('Two.').waitFor();
    expect(shown()).toContain('get_weather');

    await box.fill('half a thought');
    await page.getByRole('button', { name: 'Add server' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a server' });
    await dialog.getByRole('button', { name: 'Memory', exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await box.inputValue()).toBe('half a thought');
  },
  LONG_MS,
);

verifies(
  ['W4', 'G6'],
  'a picture goes with a message, code has colors, and a server uses the model only for what its person has seen',
  async () => {
    const { page, model, hub, say } = await openChat();
    await page.getByRole('textbox', { name: 'Message' }).evaluate((box, data) => {
      const bytes = Uint8Array.from(window.atob(data), (letter) => letter.charCodeAt(0));
      const given = new DataTransfer();
      given.items.add(new File([bytes], 'point.png', { type: 'image/png' }));
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true }),
      );
    }, PIXEL);
    await page.getByRole('button', { name: 'Remove picture 1' }).waitFor();
    model.answer(
      text(
        'Red, $\\lambda = 700$ nm, for $5.\n\n$$\nE = \\frac{hc}{\\lambda}\n$$\n\n',
        '```ts\nconst red = 1; // a point\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      ),
    );
    await say('What is this?');
    const formulas = page.getByRole('article').locator('math');
    await formulas.nth(1).waitFor();
    expect(await formulas.count()).toBe(2);
    expect(await formulas.nth(1).locator('mfrac').count()).toBe(1);
    await page.getByText('nm, for $5.').waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.body['messages'])).toContain(PIXEL);
    await page
      .getByRole('article')
      .getByRole('img', { name: /^Picture/ })
      .waitFor();
    const code = page.getByRole('article').locator('pre code');
    expect(await code.locator('span').allTextContents()).toEqual(['const', '1', '// a point']);
    await page.getByRole('region', { name: 'Table' }).getByRole('cell', { name: '2' }).waitFor();

    const { log } = await addAsking(hub());
    await hub().grants.add({ tool: 'asking/think' });
    model.answer(
      calls({ name: 'asking__think', args: { text: 'blue' } }),
      text('Blue, says the model.'),
      text('All told.'),
    );
    await say('Let it ask the model');
    const card = page.getByRole('region', { name: 'asking wants to use the model' });
    await card.getByRole('button', { name: 'Let the model answer' }).click();
    await card.getByText('Blue, says the model.').waitFor();
    expect(log()).not.toContain('Blue');
    expect(await seriousViolations(page)).toEqual([]);
    await card.getByRole('button', { name: 'Send answer' }).click();
    await waitFor(() => log().includes('Blue, says the model.'));
    await page.getByText('All told.').waitFor();
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'without a model the chat finds one that runs on this machine, and one click sets it up',
  async () => {
    await using model = await startScriptedModel({ models: ['llama3.2', 'qwen3'] });
    const { host } = new URL(model.url);
    const { page, hub } = await openPage({ env: { OLLAMA_HOST: host }, place: '/chat' });
    const found = page.getByRole('list', { name: 'Found on this machine' });
    await found.getByText('Ollama').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await found.getByRole('combobox', { name: 'Models of Ollama' }).selectOption({ label: 'qwen3' });
    await found.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await hub.models.list()).toMatchObject([
      { model: 'qwen3', provider: 'compatible', url: model.url },
    ]);
  },
  LONG_MS,
);

/** One red point. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
