import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { reading, played, writing } from '../scenarios/calls-played.ts';
import { verifies } from '../requirements.ts';
import { seriousViolations } from './axe.ts';
import { openPage } from './world.ts';

const PLACES = [
  '/servers',
  '/servers/notes/tools',
  '/servers/notes/accounts',
  '/servers/notes/events',
  '/servers/notes/config',
  '/servers/notes/logs',
  '/add',
  '/add?from=clients',
  '/setup',
  '/chat',
  '/approvals',
  '/grants',
  '/activity',
  '/settings',
  '/settings/profiles',
  '/settings/models',
  '/settings/registries',
  '/settings/doctor',
  '/settings/hosts',
  '/settings/read-only',
];

/** The page chooses between the two with light-dark() alone, which can choose nothing but colors. */
const SCHEMES = { light: 'all', dark: 'colors' } as const;

test('dark and light differ in colors alone', () => {
  const folder = fileURLToPath(new URL('../../web/src', import.meta.url));
  const sheets = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  const text = sheets.map((name) => readFileSync(`${folder}/${name}`, 'utf8')).join('\n');
  expect(text).toContain('light-dark(');
  expect(text).not.toContain('prefers-color-scheme');
});

for (const width of [1280, 375]) {
  verifies(
    ['W5'],
    `axe finds nothing serious on any page, light and dark, ${width} px wide`,
    async () => {
      const { page, hub, go } = await openPage({ width, height: width === 375 ? 812 : 800 });
      await hub.servers.add({ definition: played('notes', reading(), writing()).definition });
      await hub.servers.add({ definition: played('broken').definition, test: false });
      await hub.servers.disable({ id: 'broken' });
      const waiting = hub.tools.call({
        tool: 'notes/create_note',
        args: {},
        requester: 'person',
        approval: 'wait',
      });
      const ended = waiting.catch((error: unknown) => error);
      await go('/');
      const found: Record<string, unknown> = {};
      const papers = new Set<string>();
      for (const place of PLACES) {
        await walkTo(page, place);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
          const violations = await seriousViolations(page, SCHEMES[colorScheme]);
          if (violations.length > 0) found[`${place}, ${colorScheme}`] = violations;
        }
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (over > 0) found[`${place} is too wide`] = over;
      }
      const [approval] = await hub.approvals.list();
      if (approval)
        await hub.approvals.answer({ id: approval.id, effect: 'deny', argsHash: approval.argsHash });
      await ended;
      expect(found).toEqual({});
      // The page really was seen in both.
      expect(papers.size).toBe(2);
    },
    360_000,
  );
}

/**
 * Goes to a place as a link of the page does: the document, and axe in it, are loaded once for all
 * places. Resolves when the place has drawn what it asked for.
 */
async function walkTo(page: Page, place: string): Promise<void> {
  await page.evaluate((to) => window.history.pushState(null, '', to), place);
  // The place before this one has a heading as well, until the new one is loaded.
  await untilQuiet(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await untilQuiet(page);
  const { pathname, search } = new URL(page.url());
  // The settings show their first part.
  expect(`${pathname}${search}`).toBe(place === '/settings' ? '/settings/models' : place);
}

/** Until nothing of the document has changed for a moment. */
async function untilQuiet(page: Page): Promise<void> {
  await page.evaluate(
    (quietMs) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          changes.disconnect();
          resolve();
        };
        let quiet = window.setTimeout(end, quietMs);
        const changes = new MutationObserver(() => {
          window.clearTimeout(quiet);
          quiet = window.setTimeout(end, quietMs);
        });
        changes.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
    QUIET_MS,
  );
}

const QUIET_MS = 150;
