import { fileURLToPath } from 'node:url';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { scriptedServer, toolNamed } from '../scenarios/catalog-server.ts';
import { startKeyedServer } from '../scenarios/keyed-server.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { seriousViolations } from './axe.ts';
import { soon } from './servers-soon.ts';
import { openPage } from './world.ts';

const SLOW = 90_000;

verifies(
  ['W1'],
  'a start that names a missing variable is mended by one field on its card, and a wrong value stays typed',
  async () => {
    const { page, hub, go } = await openPage({ mayComplain: /status of [45]/ });
    await hub.servers.apply({ definitions: [needy('weather', 'key')] });
    await Promise.allSettled([hub.servers.start({ id: 'weather' })]);
    await go('/servers');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    const field = cardOf(page, 'weather').getByRole('textbox', { name: 'Weather API key' });
    await field.fill('wrong-key');
    await field.press('Enter');
    await cardOf(page, 'weather').getByRole('alert').waitFor();
    expect(await field.inputValue()).toBe('wrong-key');
    expect(await hub.secrets.list()).toEqual([]);
    expect(await seriousViolations(page)).toEqual([]);
    await field.fill('right-key');
    await field.press('Enter');
    await soon(async () => (await hub.servers.get({ id: 'weather' })).state.kind).toBe('ready');
    await field.waitFor({ state: 'detached' });
    expect(await hub.secrets.list()).toEqual(['weather/WEATHER_API_KEY']);
    expect(JSON.stringify(await hub.servers.definition({ id: 'weather' }))).not.toContain('right-key');
  },
  SLOW,
);

verifies(
  ['W1', 'O1'],
  'a 401 of a server without a sign-in asks for a key, and never for a sign-in',
  async () => {
    const keyed = await startKeyedServer({ header: 'Authorization', value: 'Bearer right-key', status: 401 });
    const { page, hub, go } = await openPage({ mayComplain: /status of [45]/ });
    const endpoint = { kind: 'http', url: keyed.url } as const;
    await hub.servers.apply({ definitions: [defineServer({ id: 'notes', name: 'Notes', endpoint })] });
    await Promise.allSettled([hub.servers.start({ id: 'notes' })]);
    await go('/servers');
    const card = cardOf(page, 'Notes');
    await card.getByText('◐ needs a key').waitFor();
    expect(await card.getByText('Sign in', { exact: true }).count()).toBe(0);
    await card.getByRole('textbox', { name: 'API key' }).fill('right-key');
    await card.getByRole('button', { name: 'Save' }).click();
    await soon(async () => (await hub.servers.get({ id: 'notes' })).state.kind).toBe('ready');
    expect(keyed.seen).toContain('Bearer right-key');
  },
  SLOW,
);

verifies(
  ['W1'],
  'a folder that is not there and a port that is taken are replaced in place, and the drawer moves nothing',
  async () => {
    const there = temporaryFolder();
    const { page, hub, go } = await openPage();
    await hub.servers.apply({
      definitions: [needy('files', 'folder', `${there}/gone`), needy('proxy', 'port', '3000')],
    });
    await Promise.allSettled(['files', 'proxy'].map((id) => hub.servers.start({ id })));
    await go('/servers');
    const proxy = cardOf(page, 'proxy');
    await proxy.waitFor();
    const before = await proxy.boundingBox();
    await page.evaluate(watchShifts);
    await cardOf(page, 'files').getByRole('link', { name: 'Choose folder' }).click();
    const drawer = page.getByRole('complementary', { name: 'Server files' });
    await drawer.getByRole('textbox', { name: 'Folder' }).fill(there);
    expect(await proxy.boundingBox()).toEqual(before);
    expect(await page.evaluate(shiftsSeen)).toEqual([]);
    await drawer.getByRole('button', { name: 'Save and start' }).click();
    await soon(async () => (await hub.servers.get({ id: 'files' })).state.kind).toBe('ready');

    await go('/servers/proxy/config');
    const port = page.getByRole('region', { name: 'State' }).getByLabel('Port');
    expect(await port.inputValue()).toBe('3001');
    await page.getByRole('button', { name: 'Save and start' }).click();
    await soon(async () => (await hub.servers.get({ id: 'proxy' })).state.kind).toBe('ready');
    const { endpoint } = await hub.servers.definition({ id: 'proxy' });
    expect(endpoint.kind === 'stdio' ? endpoint.args.at(-1) : '').toBe('3001');
  },
  SLOW,
);

verifies(
  ['W1'],
  'a command that is not installed shows how to install it, without the folders of the PATH',
  async () => {
    const { page, hub, go } = await openPage();
    const endpoint = { kind: 'stdio', command: 'deno', args: ['run', 'x'] } as const;
    await hub.servers.apply({ definitions: [defineServer({ id: 'tides', name: 'Tides', endpoint })] });
    await Promise.allSettled([hub.servers.start({ id: 'tides' })]);
    await go('/servers');
    await cardOf(page, 'Tides').getByRole('link', { name: 'How to install' }).click();
    const state = page.getByRole('region', { name: 'State' });
    await state.getByText('deno', { exact: false }).first().waitFor();
    await state.getByRole('button', { name: 'Copy' }).waitFor();
    await state.getByRole('button', { name: 'Retry' }).waitFor();
    expect(await state.textContent()).not.toContain('/usr/');
    expect(await seriousViolations(page)).toEqual([]);
  },
  SLOW,
);

verifies(
  ['W1', 'T4'],
  'a changed tool is on top of the page in amber, and one click shows its diff',
  async () => {
    const { page, hub, go } = await openPage();
    const shop = scriptedServer('shop', [toolNamed('get_price'), toolNamed('get_stock')]);
    await hub.servers.apply({ definitions: [needy('weather', 'port', '1'), shop.definition] });
    await hub.servers.start({ id: 'weather' });
    await hub.servers.start({ id: 'shop' });
    await hub.servers.trust({ id: 'shop' });
    shop.write([toolNamed('get_price'), toolNamed('get_stock', { description: 'Something else.' })]);
    await hub.servers.restart({ id: 'shop' });
    await go('/servers');
    await cardOf(page, 'shop').getByText('▲ 1 tool to review').waitFor();
    expect(await page.locator('article h2').allTextContents()).toEqual(['shop', 'weather']);
    expect(await page.getByText('1 needs you').count()).toBe(1);
    await cardOf(page, 'shop').getByRole('link', { name: 'Review' }).click();
    await page.getByRole('table', { name: 'Changes of description' }).waitFor();
    await page.getByText('1 changed tool needs review').waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('1 changed tool needs review').waitFor({ state: 'detached' });
  },
  SLOW,
);

interface Shifts {
  shifts?: PerformanceObserver;
  shifted?: string[];
}

/** Runs in the page: notes what of the page behind the drawer has moved, as the browser itself says. */
function watchShifts(): void {
  const seen = globalThis as Shifts;
  const shifted: string[] = [];
  seen.shifted = shifted;
  seen.shifts = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { sources = [] } = entry as { sources?: readonly { readonly node?: Node }[] };
      for (const { node } of sources) {
        const element = node instanceof Element ? node : node?.parentElement;
        if (element?.closest('main')) shifted.push(element.outerHTML.slice(0, 200));
      }
    }
  });
  seen.shifts.observe({ type: 'layout-shift' });
}

function shiftsSeen(): readonly string[] | undefined {
  return (globalThis as Shifts).shifted;
}

function cardOf(page: Page, name: string): Locator {
  return page.locator('article').filter({ has: page.getByRole('link', { name, exact: true }) });
}

function needy(id: string, ...args: readonly string[]): ServerDefinition {
  const script = fileURLToPath(new URL('needy-server.ts', import.meta.url));
  const endpoint = { kind: 'stdio', command: process.execPath, args: [script, ...args] } as const;
  return defineServer({ id, name: id, endpoint });
}
