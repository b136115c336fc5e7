import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { openPage } from './world.ts';

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
    this.#did(`click ${what}`, CLICK_S);
    await target.click();
  }

  async type(what: string, target: Locator, text: string): Promise<void> {
    this.#did(`type ${what}`, CLICK_S + text.length * KEY_S);
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
  'from an empty page to the first successful call it takes nine steps, less than a minute, and no JSON',
  async () => {
    const server = await startHttpFixture('modern');
    const { page, hub } = await openPage({ place: '/servers' });
    const me = new Person();
    await me.click('Add a server', page.getByRole('main').getByRole('link', { name: /add/i }).first());
    await me.paste(page, page.getByRole('textbox').first(), server.url);
    await me.click('Go on', page.getByRole('button', { name: /^(Go on|Continue|Next)/ }));
    await me.click('Add', page.getByRole('button', { name: /^Add/ }).last());
    await me.click('Try a tool', page.getByRole('link', { name: 'Try a tool' }));
    await me.click('echo', page.getByRole('button', { name: /^echo/ }));
    await me.click('Try it', page.getByRole('button', { name: 'Try it' }));
    await me.type('a text', page.getByRole('textbox', { name: /text|message/i }), 'hello');
    await me.click('Run it', page.getByRole('button', { name: 'Run it' }));
    const answer = page.getByRole('region', { name: 'Try echo' }).getByText('hello', { exact: false });
    await answer.waitFor();
    await page
      .getByText(/✓|completed/)
      .first()
      .waitFor();
    const [record] = (await hub.audit.query()).records;
    expect(record).toMatchObject({ tool: 'echo', outcome: 'ok' });
    expect(me.steps.length).toBeLessThanOrEqual(9);
    expect(me.seconds).toBeLessThan(60);
    expect(me.steps.filter((step) => step.includes('{'))).toEqual([]);
  },
  60_000,
);
