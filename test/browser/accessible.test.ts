import { expect } from 'vitest';
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

const SCHEMES = ['light', 'dark'] as const;

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
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          papers.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
          const violations = await seriousViolations(page);
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
      expect(papers.size).toBe(SCHEMES.length);
    },
    360_000,
  );
}
