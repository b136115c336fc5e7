import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startKeyedServer } from '../scenarios/keyed-server.ts';
import { startHttpFixture } from '../servers/start.ts';
import { openPage, type PageWorld } from './world.ts';

/**
 * What people take for an action on average, in seconds (Card, Moran and Newell's keystroke-level
 * model): to point and click, to type a character, and to think before each.
 */
const CLICK_S = 1.1 + 0.2;
const KEY_S = 0.28;
const THINK_S = 1.35;

/** Counts what a person does, and how long that would take them. */
class Person {
  readonly steps: string[] = [];
  seconds = 0;

  async click(what: string, target: Locator): Promise<void> {
    this.#did(what, CLICK_S);
    await target.click();
  }

  async type(target: Locator, text: string): Promise<void> {
    this.#did('type', CLICK_S + text.length * KEY_S);
    await target.click();
    await target.pressSequentially(text);
  }

  /** From wherever it was found: one look there, and two keys. */
  async paste(page: Page, target: Locator, text: string): Promise<void> {
    this.#did('paste', CLICK_S + 4 * KEY_S + 5);
    await target.click();
    await page.keyboard.insertText(text);
  }

  #did(step: string, seconds: number): void {
    this.steps.push(step);
    this.seconds += seconds + THINK_S;
  }
}

verifies(
  ['W2', 'W1'],
  'from an empty page to a first call it takes six steps, seven with a key, less than a minute, and no JSON',
  async () => {
    const open = await startHttpFixture('modern');
    const keyed = await startKeyedServer({ header: 'Authorization', value: `Bearer ${KEY}`, status: 401 });
    const world = await openPage({ place: '/servers', mayComplain: /status of [45]/ });
    const { page, hub } = world;
    const first = await tryFirst(world, { url: open.url, tool: 'echo', text: 'hello' });
    expect(first.steps).toEqual(['paste', 'Continue', 'Add', 'Try echo', 'type', 'Run it']);
    expect(first.seconds).toBeLessThan(60);
    expect((await hub.audit.query()).records).toMatchObject([{ tool: 'echo', outcome: 'ok' }]);

    const [server] = (await hub.servers.list()).servers;
    await hub.servers.remove({ id: server?.id ?? '' });
    await page.getByRole('link', { name: 'Servers', exact: true }).click();
    const second = await tryFirst(world, { url: keyed.url, key: KEY, tool: 'read' });
    expect(second.steps).toEqual(['paste', 'Continue', 'paste', 'Add', 'Try read', 'Run it']);
    expect(second.seconds).toBeLessThan(60);
    expect((await hub.audit.query()).records).toMatchObject([
      { tool: 'read', outcome: 'ok' },
      { tool: 'echo' },
    ]);
    expect(await page.content()).not.toContain(KEY);
  },
  120_000,
);

const KEY = 'sk-test-0123456789abcdef';

interface First {
  readonly url: string;
  readonly key?: string;
  readonly tool: string;
  readonly text?: string;
}

/** What a person does who has an address, and perhaps a key, on the clipboard and sees the page for the first time. */
async function tryFirst({ page }: PageWorld, { url, key, tool, text }: First): Promise<Person> {
  const me = new Person();
  await me.paste(page, page.getByRole('textbox', { name: 'What to add' }), url);
  await me.click('Continue', page.getByRole('button', { name: 'Continue' }));
  if (key !== undefined)
    await me.paste(page, page.getByRole('textbox', { name: 'API key', exact: true }), key);
  await me.click('Add', page.getByRole('button', { name: 'Add', exact: true }));
  await me.click(`Try ${tool}`, page.getByRole('link', { name: `Try ${tool}`, exact: true }));
  const trying = page.getByRole('region', { name: `Try ${tool}` });
  if (text !== undefined) await me.type(trying.getByRole('textbox').first(), text);
  await me.click('Run it', trying.getByRole('button', { name: 'Run it' }));
  await trying.getByText(/✓/).waitFor();
  if (text !== undefined) await trying.locator('pre').getByText(text).waitFor();
  return me;
}
