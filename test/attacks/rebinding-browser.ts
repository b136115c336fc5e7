import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchChromium } from '../browser/launch.ts';
import { patience } from '../suite/patience.ts';

/** One way of the page, and what it is given: see rebinding-page.html. */
export type Try = readonly [way: string, url: string, ...given: readonly unknown[]];

/** A web page of somebody who lets its name mean this machine once it is loaded. */
export interface ForeignPage {
  readonly page: Page;
  /** The port from which it was loaded, where nobody listens any more. */
  readonly port: number;
  /** Lets the page try these; answers what the page knows afterwards of each. */
  attack(tries: readonly Try[]): Promise<readonly unknown[]>;
  /** What the browser was answered at a port, whether it told the page or not: “403 GET /path”. */
  answered(port: number): readonly string[];
}

export const EVIL = 'evil.test';

/** Other names under which a browser finds this machine without asking anybody. */
export const NAMES: readonly string[] = [
  EVIL,
  `${EVIL}.`,
  `localhost.${EVIL}`,
  `127.0.0.1.${EVIL}`,
  `user:127.0.0.1@${EVIL}`,
  'localhost.',
  'page.localhost',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
];

const RULES = [`*${EVIL}`, `*${EVIL}.`].map((name) => `MAP ${name} 127.0.0.1`).join(',');
// How long the page waits for an answer is a limit of time like any other.
const HTML = readFileSync(new URL('rebinding-page.html', import.meta.url), 'utf8').replace(
  'TIME_MS = 10_000',
  `TIME_MS = ${patience(10_000)}`,
);

/** A browser of its own, for which every name of the attacker is this machine. */
export async function rebindingBrowser(): Promise<Browser> {
  const browser = await launchChromium([`--host-resolver-rules=${RULES}`]);
  onTestFinished(() => browser.close());
  return browser;
}

/**
 * Loads the page from a port that is free afterwards. Who listens there next is of the same origin to
 * the browser: that is all that rebinding a name does.
 */
export async function loadForeignPage(browser: Browser): Promise<ForeignPage> {
  const listener = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', connection: 'close' }).end(HTML);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // it listens on TCP
  const context = await browser.newContext();
  context.setDefaultTimeout(patience(15_000));
  const page = await context.newPage();
  await page.goto(`http://${EVIL}:${port}/`);
  const answered = await hearAnswers(page);
  listener.close();
  listener.closeAllConnections();
  await once(listener, 'close');
  return {
    page,
    port,
    attack: (tries) => page.evaluate(`attack(${JSON.stringify(tries)})`),
    answered,
  };
}

/** From the browser's network itself: what a page may not see shows there too, preflights included. */
async function hearAnswers(page: Page): Promise<ForeignPage['answered']> {
  const network = await page.context().newCDPSession(page);
  const asked = new Map<string, { readonly url: URL; readonly method: string }>();
  const answers: { readonly id: string; readonly status: number }[] = [];
  network.on('Network.requestWillBeSent', ({ requestId, request }) => {
    asked.set(requestId, { url: new URL(request.url), method: request.method });
  });
  network.on('Network.webSocketCreated', ({ requestId, url }) => {
    asked.set(requestId, { url: new URL(url), method: 'GET' });
  });
  network.on('Network.responseReceivedExtraInfo', ({ requestId: id, statusCode: status }) => {
    answers.push({ id, status });
  });
  network.on('Network.webSocketHandshakeResponseReceived', ({ requestId: id, response: { status } }) => {
    answers.push({ id, status });
  });
  // “… Unexpected response code: 403” is all that it says of a refused one.
  network.on('Network.webSocketFrameError', ({ requestId: id, errorMessage }) => {
    answers.push({ id, status: Number(/response code: (\d+)/.exec(errorMessage)?.[1] ?? 0) });
  });
  await network.send('Network.enable');
  return (port) =>
    answers.flatMap(({ id, status }) => {
      const to = asked.get(id);
      return to?.url.port === String(port) ? [`${status} ${to.method} ${to.url.pathname}`] : [];
    });
}
