import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { played, reading, writing } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { openPage } from './world.ts';

const LONG_MS = 60_000;

/** A program that ends as soon as it begins. */
function failing(id: string): ServerDefinition {
  const args = ['-e', 'process.exit(3)'];
  return defineServer({ id, endpoint: { kind: 'stdio', command: process.execPath, args, env: {} } });
}

verifies(
  ['W5'],
  'a server that fails somewhere else is told once, however often it does, with the way to it',
  async () => {
    const { page, hub, go } = await openPage();
    await hub.servers.add({ definition: failing('broken'), test: false });
    await go('/grants');
    for (let count = 0; count < 10; count += 1)
      await expect(hub.servers.start({ id: 'broken' })).rejects.toThrow();
    await page.getByRole('dialog').getByText('broken failed').waitFor();
    // What is told after it comes behind it: by then all ten failures have been looked at.
    await hub.servers.add({ definition: failing('later'), test: false });
    await expect(hub.servers.start({ id: 'later' })).rejects.toThrow();
    await page.getByRole('dialog').getByText('later failed').waitFor();
    expect(await page.getByRole('dialog').filter({ hasText: 'broken failed' }).count()).toBeLessThanOrEqual(
      1,
    );
    await page.getByRole('dialog').filter({ hasText: 'later failed' }).hover();
    await page
      .getByRole('dialog')
      .filter({ hasText: 'later failed' })
      .getByRole('button', { name: 'Look' })
      .click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/servers/later');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'many servers that fail at once are told together',
  async () => {
    const { page, hub, go } = await openPage();
    const ids = ['a1', 'a2', 'a3', 'a4', 'a5'];
    for (const id of ids) await hub.servers.add({ definition: failing(id), test: false });
    await go('/grants');
    await Promise.allSettled(ids.map((id) => hub.servers.start({ id })));
    const told = page.getByRole('dialog').filter({ hasText: /[2-5] servers failed/ });
    await told.first().waitFor();
    expect(await page.getByRole('dialog').count()).toBeLessThanOrEqual(2);
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'tools that changed after they were approved are told with a button to review them',
  async () => {
    const { page, hub, go } = await openPage();
    const notes = played('notes', reading(), writing());
    await hub.servers.add({ definition: notes.definition });
    await hub.servers.trust({ id: 'notes' });
    await go('/settings/about');
    notes.offer({ ...reading(), description: 'Gets a note, and sends it to somebody.' }, writing());
    await page.getByText('notes changed 1 tool').waitFor();
    await page.getByRole('button', { name: 'Review' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/servers/notes/tools');
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a config file that somebody breaks is told with its line',
  async () => {
    const { page, hub, go, paths } = await openPage();
    const { files } = await hub.servers.list();
    const file = files.find(({ scope }) => scope === 'user')?.path ?? join(paths.config, 'mcp.json');
    writeFileSync(file, '{ "mcpServers": {} }');
    await hub.servers.reload();
    await go('/grants');
    writeFileSync(file, '{\n  "mcpServers": {\n    "a": { "command": }\n  }\n}\n');
    await page.getByText(/ is broken at line 3$/).waitFor();
    expect((await hub.servers.list()).files).toContainEqual(expect.objectContaining({ path: file, line: 3 }));
  },
  LONG_MS,
);

verifies(
  ['W5'],
  'a toast goes by itself, stays under the pointer, says a sentence once, and covers no button that sends',
  async () => {
    const { page, hub, go } = await openPage({ mayComplain: /status of [45]/ });
    await hub.servers.add({ definition: failing('broken'), test: false });
    await go('/servers');
    await page.getByRole('article').waitFor();
    const menu = page.getByRole('button', { name: 'Actions for broken' });
    const restart = async (): Promise<void> => {
      await menu.click();
      const done = page.waitForResponse((answer) => answer.url().includes('/broken/restart'));
      await page.getByRole('menuitem', { name: 'Restart' }).click();
      await done;
    };
    await restart();
    // An urgent toast is announced beside itself, and has no role until it is reached.
    const toast = page.locator('[data-type=bad][tabindex]').filter({ hasText: 'broken' });
    await toast.waitFor();
    await restart();
    await restart();
    expect(await toast.count()).toBe(1);
    await toast.hover();
    const box = await toast.boundingBox();
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(400);
    await page.mouse.move(5, 790);
    await toast.waitFor({ state: 'detached' });
  },
  LONG_MS,
);
