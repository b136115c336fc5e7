import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { patience } from '../suite/patience.ts';
import { shared } from '../suite/run-resources.ts';

let opened: Promise<Browser> | undefined;

/** A context of the test's own in the one browser of the run; it goes when the test ends. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  opened ??= shared('chromium').then((address) => chromium.connect(address));
  const context = await (await opened).newContext(options);
  context.setDefaultTimeout(patience(15_000));
  onTestFinished(() => context.close());
  return context;
}
