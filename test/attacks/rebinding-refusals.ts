import { expect } from 'vitest';
import type { ForeignPage, Try } from './rebinding-browser.ts';

const REFUSAL = /The Host header does not name this hub\.|under another name than 127\.0\.0\.1/;
const REFUSAL_CHARS_MAX = 500;
const OUT_OF_REACH = 'out of reach';

/** Follows a link to each address as the whole page; answers those that were not refused. */
export async function notRefused({ page }: ForeignPage, urls: readonly string[]): Promise<readonly string[]> {
  const open: string[] = [];
  const visitor = await page.context().newPage();
  for (const url of urls) {
    const response = await visitor.goto(url);
    if (response?.status() !== 403 || learned({ text: await response.text() })) open.push(url);
  }
  await visitor.close();
  return open;
}

/** Whether a page got to know anything but the refusal, or that there is something it may not see. */
function learned(seen: unknown): boolean {
  const { status, text = '' } = seen as { readonly status?: number; readonly text?: string };
  if (seen === OUT_OF_REACH || (status === 0 && text === '')) return false;
  return !REFUSAL.test(text) || text.length > REFUSAL_CHARS_MAX;
}

/** Lets the page try all of it; answers what it should not have got out of it. */
export async function leaks(page: ForeignPage, tries: readonly Try[]): Promise<readonly unknown[]> {
  const seen = await page.attack(tries);
  return tries.flatMap(([way, url], index) =>
    // A beacon tells only that it is on its way.
    learned(seen[index]) && way !== 'beacon' ? [[way, url, seen[index]]] : [],
  );
}

/** Whatever the page was told: the browser itself was answered nothing but refusals, to all of it. */
export async function expectRefusals(page: ForeignPage, port: number, tries: readonly Try[]): Promise<void> {
  // A beacon is on its way for a while, and so is what the browser tells.
  await expect.poll(() => unanswered(page.answered(port), tries)).toEqual([]);
  expect(page.answered(port).filter((each) => !each.startsWith('403 '))).toEqual([]);
}

function unanswered(answers: readonly string[], tries: readonly Try[]): readonly string[] {
  const paths = tries.map(([, url]) => new URL(url).pathname);
  for (const answer of answers) {
    const at = paths.indexOf(answer.split(' ')[2] ?? '');
    if (at >= 0) paths.splice(at, 1);
  }
  return paths;
}
