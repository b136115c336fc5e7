import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { calls, text } from '../models/scripted-model.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { verifies } from '../requirements.ts';
import { LONG_MS, openChat, type ChatPageWorld } from './chat-world.ts';

const program = fileURLToPath(new URL('apps-server.ts', import.meta.url));

/** The server `board`, whose tool has a page of its own. */
async function addBoard({ hub, url }: ChatPageWorld): Promise<{ readonly calls: () => string }> {
  const file = join(temporaryFolder(), 'calls.txt');
  const env = { HUB_PORT: new URL(url).port };
  const endpoint = { kind: 'stdio', command: process.execPath, args: [program, file], env } as const;
  await hub().servers.add({ definition: defineServer({ id: 'board', endpoint }) });
  await hub().grants.add({ tool: 'board/show_board' });
  return { calls: () => (existsSync(file) ? readFileSync(file, 'utf8') : '') };
}

verifies(
  ['W4'],
  'a page that a server brings along is not shown until its user wants such pages',
  async () => {
    const world = await openChat();
    const { page, model, say, hub } = world;
    const board = await addBoard(world);
    expect((await hub().servers.get({ id: 'board' })).apps).toBe(false);
    model.answer(calls({ name: 'board__show_board', args: {} }), text('There it is.'));
    await say('Show the board');
    await page.getByText('There it is.').waitFor();
    expect(board.calls()).toContain('show_board');
    expect(await page.locator('iframe').count()).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['W4'],
  'a page of a server reaches neither the page around it nor the hub, and asks before it does anything',
  async () => {
    // What it tries in vain is in the console.
    const world = await openChat({
      mayComplain: /Content Security Policy|Blocked|cookie|sandbox|Failed to|ERR_/i,
    });
    const { page, model, say, hub } = world;
    const board = await addBoard(world);
    await hub().servers.setApps({ id: 'board', shown: true });
    model.answer(calls({ name: 'board__show_board', args: { card: 'A' } }), text('There it is.'));
    await say('Show the board');
    await page.getByText('There it is.').waitFor();
    const lines = await logOf(page.frames.bind(page));
    await waitFor(() => /script link=/.test(lines.text()), 20_000);
    const said = lines.text();
    expect(said).toContain('parent=refused');
    expect(said).toContain('top=refused');
    expect(said).toContain('cookie=refused');
    expect(said).toContain('storage=refused');
    expect(said).toContain('fetch 127.0.0.1=refused');
    expect(said).toContain('fetch localhost=refused');
    expect(said).toContain('input={"card":"A"}');
    expect(said).toContain('result={"cards":["A","B"]}');
    expect(said).toContain('ping={}');
    expect(said).toContain('model tool=-32602');
    expect(said).toContain('other server=-32602');
    expect(said).toContain('sampling=-32601');
    expect(said).toContain('script link={"isError":true}');

    // Its call is a call like any other: it waits for the person.
    const card = page.getByRole('region', { name: /board wants to move card/ });
    await page.getByRole('link', { name: /1 approval waiting/ }).waitFor();
    expect(board.calls()).not.toContain('move_card');
    await card.getByRole('button', { name: 'Allow', exact: true }).click();
    await waitFor(() => lines.text().includes('move=move_card done'), 20_000);
    expect(board.calls()).toContain('move_card');

    // It puts words into the box only when the person agrees, and never sends them.
    await page.getByRole('button', { name: 'Put it into the box' }).click();
    await waitFor(() => lines.text().includes('message={}'), 20_000);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Card A has moved.');
    expect(await page.locator('iframe').evaluate((frame) => frame.clientHeight)).toBeLessThanOrEqual(720);
  },
  LONG_MS,
);

/** What the page of the server has written into itself so far, read again and again. */
async function logOf(frames: () => Frame[]): Promise<{ readonly text: () => string }> {
  let latest = '';
  const read = async (): Promise<void> => {
    for (const frame of frames()) {
      const log = frame.locator('#log');
      try {
        if ((await log.count()) > 0) latest = (await log.textContent()) ?? latest;
      } catch {
        // It has gone in the meantime.
      }
    }
  };
  await read();
  const timer = setInterval(() => void read(), 200);
  timer.unref();
  return { text: () => latest };
}
