import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { openAgent } from '../../src/agent/open-agent.ts';
import type { Paths } from '../../src/base/paths.ts';
import { openHub, type HubOptions, type RootHub } from '../../src/hub/open-hub.ts';
import { startHub, temporaryPaths } from '../contracts/running-hub.ts';
import { newContext } from './chromium.ts';

export interface PageWorld {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The hub behind the page, as a program in the same process sees it. */
  readonly hub: RootHub;
  readonly paths: Paths;
  /** The address of the hub. */
  readonly url: string;
  /** Goes to a place of the page, as a person who types the address. */
  readonly go: (place: string) => Promise<void>;
  /** What the page wrote to the console as an error, or threw. */
  readonly complaints: readonly string[];
  /** Stops the hub as `plug hub stop` does. */
  readonly stop: () => Promise<void>;
  /** Starts it again in the same home and at the same port. */
  readonly start: () => Promise<RootHub>;
}

export interface PageOptions {
  readonly paths?: Paths;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly hub?: Partial<HubOptions>;
  readonly scheme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Where the page begins. */
  readonly place?: string;
  /** What the page may complain about; else a complaint fails the test. */
  readonly mayComplain?: RegExp;
}

/** Tests run on the page as it is built; a build elsewhere is named by PLUG_TEST_PAGE. */
const pageFolder = process.env['PLUG_TEST_PAGE'] ?? fileURLToPath(new URL('../../dist/web', import.meta.url));

/** A hub with real listeners, and a browser that came in by a link as a person does. */
export async function openPage(options: PageOptions = {}): Promise<PageWorld> {
  if (!existsSync(`${pageFolder}/index.html`)) {
    throw new Error('The page is not built: run npm run build first.');
  }
  const { paths = temporaryPaths(), width = 1280, height = 800, scheme = 'light' } = options;
  const begin = (): ReturnType<typeof startHub> =>
    startHub(
      () =>
        openHub({
          paths,
          cwd: paths.state,
          env: options.env ?? { PATH: process.env['PATH'], HOME: paths.state },
          version: '1.0.0',
          openAgent,
          ...options.hub,
        }),
      { paths, pageFolder },
    );
  // The very hub that was opened; a running hub tells less of it.
  const rootHub = (): RootHub => running.hub as RootHub;
  let running = await begin();
  const { url } = running.address;
  const viewport = { width, height };
  const context = await newContext({ viewport, colorScheme: scheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const link = running.pageLink?.().url ?? '';
  await page.goto(link);
  await page.getByRole('navigation', { name: 'Plugboard' }).waitFor();
  const go = async (place: string): Promise<void> => {
    await page.goto(`${url}${place}`);
    // Places are loaded after the frame: until then an event that a test sends to one meets nobody.
    await page.locator('main').waitFor();
  };
  if (options.place !== undefined) await go(options.place);
  onTestFinished(() => {
    const unexpected = complaints.filter((text) => !(options.mayComplain?.test(text) ?? false));
    expect(unexpected).toEqual([]);
  });
  return {
    page,
    context,
    get hub() {
      return rootHub();
    },
    paths,
    url,
    go,
    complaints,
    stop: () => running.close(),
    start: async () => {
      running = await begin();
      return rootHub();
    },
  };
}

/** One of the further answers of an approval's card. */
export async function answerFromMenu(card: Locator, name: string): Promise<void> {
  await card.getByRole('button', { name: 'More answers' }).click();
  await card.getByRole('menuitem', { name }).click();
}
