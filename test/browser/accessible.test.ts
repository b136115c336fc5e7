import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
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
      const found: Record<string, unknown> = {};
      const papers = new Set<string>();
      for (const place of PLACES) {
        await go(place);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.waitForTimeout(150);
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
