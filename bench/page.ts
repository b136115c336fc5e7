import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../test/browser/launch.ts';
import { report } from './figure.ts';
import { writeKnownServers } from './known-servers.ts';
import { plug, temporaryHome } from './product.ts';

/** What the page weighs, how soon it is there with many servers, and how soon it answers a person. */
const SERVERS = 500;
const TOOLS = 10_000;
const VISITS = 5;
/** Twenty keys a second: nobody is faster, and without it keys would wait for each other. */
const AS_FAST_AS_PEOPLE = { delay: 50 };
const ASSETS = fileURLToPath(new URL('../dist/web/assets/', import.meta.url));

await using browser = await launchChromium();
const few = await measure(browser, 1, 20);
const many = await measure(browser, SERVERS, TOOLS);
report([
  {
    name: 'JavaScript until the first card, gzip',
    unit: 'kB',
    measured: many.scriptKb,
    target: { max: 200 },
  },
  { name: 'JavaScript of all places together, gzip', unit: 'kB', measured: allScriptsKb() },
  {
    name: `first cards, ${SERVERS} servers and ${TOOLS} tools (floor: one server)`,
    unit: 'ms',
    measured: median(many.firstMs),
    floor: median(few.firstMs),
    target: { max: 1_500 },
  },
  ...[...many.slowest].map(([name, measured]) => ({
    name: `slowest answer to ${name}, until it is painted`,
    unit: 'ms' as const,
    measured,
    target: { max: 100 },
  })),
]);

interface Measured {
  /** Of the scripts that were loaded until the first card was there. */
  readonly scriptKb: number;
  readonly firstMs: readonly number[];
  /** By what was done. */
  readonly slowest: ReadonlyMap<string, number>;
}

async function measure(within: Browser, servers: number, tools: number): Promise<Measured> {
  using home = temporaryHome();
  await writeKnownServers(home.path, { servers, tools });
  plug(home.path, 'hub', 'start');
  try {
    const context = await within.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(noteFirstCard);
    const { url } = JSON.parse(plug(home.path, 'open', '--print', '--json')) as { url: string }; // documented
    await page.goto(url);
    await firstCardMs(page);
    const scripts = await page.evaluate(
      () => (globalThis as { firstScripts?: readonly string[] }).firstScripts,
    );
    const scriptKb = kbOf((scripts ?? []).map((url) => new URL(url).pathname.replace('/assets/', '')));
    const firstMs: number[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      await page.reload();
      firstMs.push(await firstCardMs(page));
    }
    const slowest = servers > 1 ? await useIt(page) : new Map<string, number>();
    await context.close();
    return { scriptKb, firstMs, slowest };
  } finally {
    plug(home.path, 'hub', 'stop');
  }
}

/** Runs in the page: when the first card of a server was painted, counted from the visit's beginning. */
function noteFirstCard(): void {
  const noted = globalThis as { firstCardMs?: number; firstScripts?: readonly string[] };
  new MutationObserver((_, observer) => {
    if (document.querySelector('article[data-state]') === null) return;
    observer.disconnect();
    noted.firstScripts = performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js'));
    requestAnimationFrame(() => setTimeout(() => (noted.firstCardMs = performance.now())));
  }).observe(document, { childList: true, subtree: true });
}

async function firstCardMs(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => (globalThis as { firstCardMs?: number }).firstCardMs);
  return (await found.jsonValue()) ?? Number.NaN;
}

/** Does what people do, and asks the browser itself how long each took until the next frame. */
async function useIt(page: Page): Promise<ReadonlyMap<string, number>> {
  const steps: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'typing into the search',
      () => page.getByLabel('Search servers').pressSequentially('server-42', AS_FAST_AS_PEOPLE),
    ],
    ['emptying it', () => page.getByLabel('Search servers').fill('')],
    ['opening a server', () => page.locator('[data-card="server-0"]').click()],
    ['another tab of it', () => page.getByRole('tab', { name: 'Config' }).click()],
    ['closing it', () => page.keyboard.press('Escape')],
    ['opening the palette', () => page.keyboard.press('Control+k')],
    ['typing into it', () => page.keyboard.type('thing', AS_FAST_AS_PEOPLE)],
    ['leaving it', () => page.keyboard.press('Escape')],
  ];
  const slowest = new Map<string, number>();
  for (const [name, act] of steps) {
    await page.evaluate(beginTiming);
    await act();
    await page.waitForTimeout(600);
    slowest.set(name, await page.evaluate(slowestMs));
  }
  return slowest;
}

interface Timed {
  timed?: { observer: PerformanceObserver; longest: number };
}

function beginTiming(): void {
  const timed = { longest: 0, observer: new PerformanceObserver(() => undefined) };
  timed.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) timed.longest = Math.max(timed.longest, duration);
  });
  // 16 ms is the least that browsers tell.
  timed.observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  (globalThis as Timed).timed = timed;
}

function slowestMs(): number {
  const { timed } = globalThis as Timed;
  timed?.observer.disconnect();
  return timed?.longest ?? Number.NaN;
}

/** As if somebody visited every place. */
function allScriptsKb(): number {
  return kbOf(readdirSync(ASSETS).filter((name) => name.endsWith('.js')));
}

function kbOf(scripts: readonly string[]): number {
  const bytes = scripts.map((name) => gzipSync(readFileSync(`${ASSETS}${name}`)).length);
  return bytes.reduce((sum, each) => sum + each, 0) / 1_000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
