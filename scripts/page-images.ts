import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openAgent } from '../src/agent/open-agent.ts';
import { systemClock } from '../src/base/clock.ts';
import { systemIds } from '../src/base/ids.ts';
import { silentLogger } from '../src/base/logger.ts';
import { runHub } from '../src/daemon/run-hub.ts';
import type { Hub } from '../src/hub/hub.ts';
import { openHub } from '../src/hub/open-hub.ts';
import { defineServer, type Endpoint } from '../src/servers/definition.ts';
import { launchChromium } from '../test/browser/launch.ts';
import { calls, startScriptedModel, text, type ScriptedModel } from '../test/models/scripted-model.ts';

/**
 * `node scripts/page-images.ts [FOLDER]`: pictures of the page for the README and the documents, from
 * the page as it is built, with real servers and a scripted model. Default folder: docs/images.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] ?? `${root}docs/images`;
const home = realpathSync(mkdtempSync(join(tmpdir(), 'plug-images-')));
mkdirSync(folder, { recursive: true });
mkdirSync(`${home}/notes`);
writeFileSync(`${home}/notes/today.md`, '# Today\n\n- call the dentist\n- water the plants\n');
const paths = { config: home, data: home, state: home };

try {
  await using model = await startScriptedModel();
  await using browser = await launchChromium();
  await using running = await runHub({
    paths,
    version: '0.1.0',
    pageFolder: `${root}dist/web`,
    open: () =>
      openHub({
        paths,
        cwd: home,
        env: { PATH: process.env['PATH'], HOME: home },
        version: '0.1.0',
        openAgent,
      }),
    clock: systemClock,
    ids: systemIds,
    logger: silentLogger,
  });
  await furnish(running.hub, model);
  for (const scheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: scheme,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await page.goto(running.pageLink?.().url ?? '');
    await page.locator('article[data-state]').first().waitFor();
    await visit(page, running.address.url, model, scheme === 'light' ? '' : '-dark');
    await context.close();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** Servers in several states, some calls, and one that waits. */
async function furnish(hub: Hub, model: ScriptedModel): Promise<void> {
  const npm = (name: string, ...more: readonly string[]): Endpoint => ({
    kind: 'stdio',
    command: process.execPath,
    args: [`${root}node_modules/@modelcontextprotocol/${name}/dist/index.js`, ...more],
    env: {},
  });
  const add = (id: string, name: string, endpoint: Endpoint, test = true): Promise<unknown> =>
    hub.servers.add({ definition: defineServer({ id, name, endpoint }), test });
  await add('files', 'Files', npm('server-filesystem', `${home}/notes`));
  await add('memory', 'Memory', npm('server-memory'));
  await add('thinking', 'Sequential thinking', npm('server-sequential-thinking'));
  await add('everything', 'Everything', npm('server-everything'));
  await add('weather', 'Weather', { kind: 'stdio', command: 'weather-mcp', args: [], env: {} }, false);
  await add('tickets', 'Tickets', { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} }, false);
  await hub.servers.disable({ id: 'thinking' });
  await hub.servers.trust({ id: 'files' });
  await hub.servers.trust({ id: 'everything' });
  await hub.servers.waitUntilReady({ timeoutMs: 20_000 });
  const ask = (tool: string, args: Readonly<Record<string, string | number>>): Promise<unknown> =>
    hub.tools.call({ tool, args }).catch((error: unknown) => error);
  for (let turn = 0; turn < 12; turn += 1) {
    await ask('everything/echo', { message: `hello ${turn}` });
    if (turn % 2 === 0) await ask('files/list_directory', { path: `${home}/notes` });
    if (turn % 5 === 0) await ask('everything/get-sum', { a: 'two', b: 3 });
  }
  await hub.models.save({ name: 'local', provider: 'compatible', model: 'llama3.2', url: model.url });
}

async function visit(page: Page, url: string, model: ScriptedModel, suffix: string): Promise<void> {
  const shot = (name: string): Promise<unknown> =>
    page.screenshot({ path: `${folder}/${name}${suffix}.png` });
  const go = async (place: string): Promise<void> => {
    await page.goto(`${url}${place}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForTimeout(600);
  };
  await go('/servers');
  await shot('servers');
  await go('/servers/files/tools');
  await shot('tools');
  await go('/add');
  await page.getByRole('textbox').first().fill('npx -y @modelcontextprotocol/server-filesystem ~/notes');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Test' }).first().waitFor();
  await page.waitForTimeout(400);
  await shot('add');
  model.answer(
    calls({
      name: 'files__write_file',
      args: { path: `${home}/notes/today.md`, content: '# Today\n\n- rest\n' },
    }),
    text('Done. ', 'Your list for today now has **one** thing on it: rest.'),
  );
  await go('/chat');
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill('@files Replace my list for today: I only want to rest.');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('button', { name: 'Allow', exact: true }).first().waitFor();
  await shot('chat');
  await page.getByRole('button', { name: 'Deny', exact: true }).first().click();
  await page.waitForTimeout(800);
  for (const place of ['setup', 'activity', 'grants', 'settings']) {
    await go(`/${place}`);
    await shot(place);
  }
  await page.setViewportSize({ width: 375, height: 812 });
  await go('/servers');
  await shot('servers-phone');
}
