import { once } from 'node:events';
import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newContext } from '../browser/chromium.ts';
import { verifies } from '../requirements.ts';
import { markedWorld, type WaitingCall } from './approval-link.ts';

const LONG_MS = 90_000;

async function openLink({ link }: WaitingCall): Promise<Page> {
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(link);
  return page;
}

/** Posts the page's form without the page. */
async function post(link: string, fields: Readonly<Record<string, string>>): Promise<string> {
  const { origin, pathname, port, searchParams } = new URL(link);
  const body = new URLSearchParams({ key: searchParams.get('key') ?? '', ...fields }).toString();
  const headers = {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: pathname, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }];
  let text = '';
  for await (const chunk of answer) text += chunk.toString();
  return `${answer.statusCode} ${text}`;
}

verifies(
  ['attack:2', 'P5', 'G4'],
  'Enter in the note of an approval page denies the call, and the caller hears the note',
  async () => {
    const { call, ran } = await markedWorld();
    const waiting = await call('add_note');
    const page = await openLink(waiting);
    await page.locator('input[name=note]').fill('not in this folder');
    await page.locator('input[name=note]').press('Enter');
    expect(await waiting.ended).toContain('not in this folder');
    expect(await page.locator('h1').textContent()).toBe('Denied');
    expect(ran()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:2', 'P5', 'G4'],
  'a yes with a note is refused with a clear answer, runs nothing, and the question still waits',
  async () => {
    const { call, ran } = await markedWorld();
    const waiting = await call('add_note');
    const page = await openLink(waiting);
    await page.locator('input[name=note]').fill('no, do not');
    await page.getByRole('button', { name: 'Yes, this call' }).click();
    expect(await page.locator('main').textContent()).toMatch(/Not answered.*note/s);
    for (const decision of ['once', 'session', 'tool']) {
      expect(await post(waiting.link, { decision, note: 'no' })).toMatch(/^409 .*note/s);
    }
    expect(ran()).toEqual([]);
    // The person can go back and say what they mean.
    await page.getByRole('link', { name: /question/ }).click();
    await page.getByRole('button', { name: 'Yes, this call' }).click();
    expect(await page.locator('h1').textContent()).toBe('Approved');
    expect(await waiting.ended).toContain('done');
    expect(ran()).toEqual(['add_note']);
  },
  LONG_MS,
);

verifies(
  ['attack:2', 'P5'],
  'a destructive call has no button that Enter presses: only a click answers it',
  async () => {
    const { call, ran } = await markedWorld();
    const waiting = await call('delete_all');
    const page = await openLink(waiting);
    await page.locator('input[name=note]').fill('never');
    await page.locator('input[name=note]').press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.locator('h1').textContent()).toContain('delete_all');
    expect(ran()).toEqual([]);
    expect(await post(waiting.link, { decision: 'once', note: 'never' })).toMatch(/^409 /);
    expect(ran()).toEqual([]);
    await page.getByRole('button', { name: 'No', exact: true }).click();
    expect(await waiting.ended).toContain('never');
    expect(ran()).toEqual([]);
  },
  LONG_MS,
);

verifies(
  ['attack:2', 'P5'],
  'nothing is pressed beforehand: Enter on an approval page that was just opened answers nothing',
  async () => {
    const { call, ran } = await markedWorld();
    const waiting = await call('add_note');
    const page = await openLink(waiting);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    expect(await page.locator('h1').textContent()).toContain('add_note');
    expect(ran()).toEqual([]);
    expect(await post(waiting.link, { decision: 'no' })).toMatch(/^200 .*Denied/s);
    expect(await waiting.ended).not.toContain('done');
    expect(ran()).toEqual([]);
  },
  LONG_MS,
);
