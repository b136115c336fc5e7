import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { openPage, type PageWorld } from './world.ts';

const program = fileURLToPath(new URL('hostile-server.ts', import.meta.url));

/** A listener inside the machine that a hub must not be sent to. */
async function inside(): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const listener = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end();
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo; // a TCP listener has one
  return { url: `http://127.0.0.1:${port}/icon.png`, asked };
}

async function withHostile(): Promise<PageWorld & { readonly asked: readonly string[] }> {
  const { url, asked } = await inside();
  const world = await openPage();
  const endpoint = { kind: 'stdio', command: process.execPath, args: [program, url], env: {} } as const;
  await world.hub.servers.add({ definition: defineServer({ id: 'hostile', endpoint }) });
  const foreign: string[] = [];
  world.page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== world.url) {
      foreign.push(request.url());
    }
  });
  onTestFinished(() => expect(foreign).toEqual([]));
  return { ...world, hub: world.hub, asked };
}

/** Nothing that a server says has become anything but text. */
async function expectOnlyText(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: 'pwned' in globalThis,
    images: document.querySelectorAll('img[src="x"], img[src*="svg"], svg script, object, embed').length,
    scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin)).length,
    handlers: document.querySelectorAll('[onerror], [onload], [onclick]').length,
    links: [...document.links].filter(({ protocol }) => !/^https?:$/.test(protocol)).length,
  }));
  expect(found).toEqual({ ran: false, images: 0, scripts: 0, handlers: 0, links: 0 });
}

verifies(
  ['W1', 'W5', 'attack:B1', 'attack:B2', 'attack:B3'],
  'markup in names, descriptions, results, errors and icons of a server is shown as text and runs nowhere',
  async () => {
    const { page, go, asked } = await withHostile();
    await go('/servers');
    await page.locator('[data-card="hostile"]').waitFor();
    await expectOnlyText(page);
    for (const tab of ['tools', 'config', 'events', 'logs']) {
      await go(`/servers/hostile/${tab}`);
      await page.getByRole('tabpanel').waitFor();
      await expectOnlyText(page);
    }
    await go('/servers/hostile/tools');
    await expect.poll(() => page.getByText('onerror=').count()).toBeGreaterThan(0);
    expect(asked).toEqual([]);
  },
  60_000,
);

verifies(
  ['W1', 'W4', 'attack:B1', 'attack:B2'],
  'a hostile result and a hostile error are shown as text where a tool is tried',
  async () => {
    const { page, go, hub } = await withHostile();
    await hub.servers.trust({ id: 'hostile' });
    for (const tool of ['get_markup', 'get_error']) {
      await go('/servers/hostile/tools');
      await page.getByRole('button', { name: new RegExp(`^${tool}`) }).click();
      await page.getByRole('button', { name: 'Try it' }).click();
      await page.getByRole('button', { name: 'Run it' }).click();
      await page
        .getByRole('region', { name: `Try ${tool}` })
        .getByText('<img src=x')
        .first()
        .waitFor();
      await expectOnlyText(page);
    }
    await go('/activity');
    await page.getByText('get_error').first().waitFor();
    await expectOnlyText(page);
  },
  60_000,
);
