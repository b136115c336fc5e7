import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchChromium } from './launch.ts';

let opened: Promise<Browser> | undefined;

afterAll(async () => {
  await (await opened)?.close();
});

/** One browser for all tests of a file. */
export function browser(): Promise<Browser> {
  return (opened ??= launchChromium());
}
