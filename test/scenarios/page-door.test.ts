import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { connectHub } from '../../src/api/client.ts';
import { fetchSend } from '../../src/api/fetch-send.ts';
import { operationNames, routes, usesQuery } from '../../src/api/routes.ts';
import { limits } from '../../src/base/limits.ts';
import { doorLimits } from '../../src/api/page-door/limits.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { modern, send } from '../contracts/http-host.ts';
import type { Answer } from '../contracts/knock.ts';
import { temporaryPaths } from '../contracts/running-hub.ts';
import { toyGateway } from '../contracts/toy-gateway.ts';
import { verifies } from '../requirements.ts';
import { halvesOf, pageWorld, passingClock, type PageWorld } from './page-world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const everyRoute = operationNames
  .filter((name) => name !== 'health')
  .map((name) => ({
    name,
    method: routes[name].method,
    path: routes[name].path.replaceAll(/:\w+/g, 'x'),
    ...(usesQuery(routes[name]) ? {} : { body: '{}' }),
  }));

/** What each route answers to a page that sends these headers. */
async function refusals({ ask }: PageWorld, headers: OutgoingHttpHeaders): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>();
  for (const { name: _name, ...route } of everyRoute) {
    statuses.add((await ask({ ...route, headers: { ...JSON_TYPE, ...headers } })).status);
  }
  return statuses;
}

verifies(
  ['H1', 'attack:A2'],
  'no operation opens to half a session, to the halves of two, or to a whole one from elsewhere',
  async () => {
    const world = await pageWorld();
    const { cookie, 'x-plug-page': key } = await world.comeIn();
    const other = await world.comeIn();
    const { port, reached } = world;
    expect(await refusals(world, {})).toEqual(new Set([401]));
    expect(await refusals(world, { cookie })).toEqual(new Set([401]));
    expect(await refusals(world, { 'x-plug-page': key })).toEqual(new Set([401]));
    expect(await refusals(world, { cookie, 'x-plug-page': other['x-plug-page'] })).toEqual(new Set([401]));
    const whole = { cookie, 'x-plug-page': key };
    for (const origin of [
      'https://evil.test',
      'null',
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
    ]) {
      expect([origin, await refusals(world, { ...whole, origin })]).toEqual([origin, new Set([403])]);
    }
    for (const site of ['cross-site', 'same-site']) {
      expect([site, await refusals(world, { ...whole, 'sec-fetch-site': site })]).toEqual([
        site,
        new Set([403]),
      ]);
    }
    expect(await refusals(world, { ...whole, host: 'evil.test' })).toEqual(new Set([403]));
    // The name under which apps are framed is not the page's.
    expect(await refusals(world, { ...whole, host: `localhost:${port}` })).toEqual(new Set([401]));
    expect(reached).toEqual([]);
  },
  60_000,
);

verifies(
  ['H1'],
  'with both halves every operation is open to the page, but the one that lets others in',
  async () => {
    const { ask, comeIn, origin, reached, running } = await pageWorld();
    const headers = { ...JSON_TYPE, ...(await comeIn()), origin, 'sec-fetch-site': 'same-origin' };
    const refused: string[] = [];
    for (const { name, ...route } of everyRoute) {
      if (name === 'watch' || name === 'shutdown') continue; // one never ends, the other ends it all
      if ([401, 403].includes((await ask({ ...route, headers })).status)) refused.push(name);
    }
    expect(refused).toEqual(['page.link']);
    expect(reached).not.toEqual([]);
    expect((await ask({ method: 'POST', path: '/v1/shutdown', headers, body: '{}' })).status).toBe(204);
    await running.stopped;
  },
  30_000,
);

verifies(['H1'], 'the client of the page works on the hub and sees its events', async () => {
  const { origin, comeIn } = await pageWorld();
  const halves = await comeIn();
  // A browser adds the cookie by itself.
  const headers = (): Record<string, string> => ({ ...halves });
  await using hub = connectHub(fetchSend({ url: origin, headers }), { kind: 'page' });
  expect((await hub.status()).url).toBe(origin);
  const events = hub.watch();
  const endpoint = { kind: 'http', url: 'http://127.0.0.1:9/mcp', headers: {} } as const;
  await hub.servers.add({ definition: defineServer({ id: 'docs', endpoint }), test: false });
  for await (const event of events) {
    if (event.kind !== 'server-state') continue;
    expect(event.server).toBe('docs');
    break;
  }
});

verifies(
  ['H1', 'attack:A6'],
  'a link opens the page once, and becomes a cookie that no script and no other site has',
  async () => {
    const { open, token, port } = await pageWorld();
    const link = await token();
    const first = await open(link);
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        new RegExp(`^plug-page-${port}=[\\w-]{43}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    const { cookie, 'x-plug-page': key } = halvesOf(first);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(cookie).not.toContain(key);
    const second = await open(link);
    expect([second.status, second.headers['set-cookie']]).toEqual([401, undefined]);
    expect(JSON.parse(second.text)).toMatchObject({ error: { next: 'plug open', owner: 'you' } });
  },
);

verifies(['H1'], 'a link opens nothing after two minutes, and a session nothing after a month', async () => {
  const { clock, pass } = passingClock();
  const { open, token, comeIn, ask } = await pageWorld({ clock });
  const late = await token();
  pass(doorLimits.linkMs);
  expect((await open(late)).status).toBe(401);
  const headers = await comeIn();
  const status = async (): Promise<number> => (await ask({ path: '/v1/status', headers })).status;
  pass(doorLimits.sessionMs - 60_000);
  expect(await status()).toBe(200);
  pass(60_000);
  expect(await status()).toBe(401);
  const { text } = await ask({ path: '/v1/status', headers });
  expect(JSON.parse(text)).toMatchObject({ error: { next: 'plug open' } });
});

verifies(['H1'], 'a second link in a browser that is in already disturbs no tab that is open', async () => {
  const { open, token, comeIn, ask } = await pageWorld();
  const before = await comeIn();
  expect(halvesOf(await open(await token(), before))).toEqual(before);
  expect((await ask({ path: '/v1/status', headers: before })).status).toBe(200);
});

verifies(['H1'], 'only our own page comes in, with JSON, and by POST', async () => {
  const { open, token, ask, origin, port } = await pageWorld();
  const link = await token();
  const foreign = [
    { origin: 'https://evil.test' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: `http://localhost:${port}`, host: `localhost:${port}` },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign)
    expect([headers, (await open(link, headers)).status]).toEqual([headers, 403]);
  const body = JSON.stringify({ token: link });
  expect((await ask({ method: 'POST', path: '/open', headers: JSON_TYPE, body })).status).toBe(403);
  expect((await open(link, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await ask({ path: `/open?token=${link}`, headers: { origin } })).status).toBe(405);
  const long = JSON.stringify({ token: link, more: 'x'.repeat(doorLimits.openBytesMax) });
  const headers = { ...JSON_TYPE, origin, 'content-length': long.length };
  expect((await ask({ method: 'POST', path: '/open', headers, body: long })).status).toBe(413);
  // None of it has used the link up.
  expect((await open(link)).status).toBe(200);
});

verifies(
  ['H1'],
  'guesses at links and sessions are counted with those at the token, and a right one still works',
  async () => {
    const { open, token, ask, comeIn, authorization } = await pageWorld();
    const link = await token();
    const right = await comeIn();
    const wrong = { ...right, 'x-plug-page': 'guess' };
    const guess = async (at: number): Promise<Answer> =>
      at % 2 === 0 ? open('guess') : ask({ path: '/v1/status', headers: wrong });
    for (let done = 0; done < limits.apiBadTokensPerMinuteMax; done += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, at) => guess(at)));
    }
    expect([(await guess(0)).status, (await guess(1)).status]).toEqual([429, 429]);
    expect((await ask({ path: '/v1/status', headers: { authorization: 'Bearer x' } })).status).toBe(429);
    expect((await open(link)).status).toBe(200);
    expect((await ask({ path: '/v1/status', headers: right })).status).toBe(200);
    expect((await ask({ path: '/v1/status', headers: { authorization } })).status).toBe(200);
  },
  60_000,
);

verifies(['H1'], 'whoever has the token or the socket gets a link; a page does not', async () => {
  const { ask, askSocket, authorization, comeIn, origin } = await pageWorld();
  const given = { method: 'POST', path: '/v1/page/link', body: '{}' };
  expect((await askSocket({ ...given, headers: JSON_TYPE })).status).toBe(200);
  expect((await ask({ ...given, headers: { ...JSON_TYPE, authorization } })).status).toBe(200);
  expect((await ask({ ...given, headers: JSON_TYPE })).status).toBe(401);
  const page = { ...JSON_TYPE, ...(await comeIn()) };
  expect((await ask({ ...given, headers: page })).status).toBe(403);
  expect((await ask({ ...given, headers: { ...page, origin, authorization } })).status).toBe(403);
});

verifies(['H1', 'G1'], 'a session of the page is worth nothing at the gateway', async () => {
  const gateway = toyGateway();
  const { comeIn, port, origin } = await pageWorld({ openGateway: () => gateway });
  const session = await comeIn();
  for (const path of ['/mcp', '/mcp/p/office', '/mcp/s/toy', '/sse', '/sse/messages?sessionId=x']) {
    const { body, headers } = modern('echo');
    const sent = { path, body, headers: { ...headers, ...session, origin } };
    expect([path, (await send(port, sent)).status]).toEqual([path, 401]);
  }
  expect(gateway.reached).toEqual([]);
});

verifies(
  ['H1'],
  'after a restart the hub is where the page looks for it, and the session still holds',
  async () => {
    const paths = temporaryPaths();
    const first = await pageWorld({ paths });
    const headers = await first.comeIn();
    await first.running.close();
    const second = await pageWorld({ paths });
    expect(second.port).toBe(first.port);
    expect((await second.ask({ path: '/v1/status', headers })).status).toBe(200);
  },
);

verifies(
  ['H1'],
  'when somebody else has the port after a restart, the sessions of that port are over',
  async () => {
    const paths = temporaryPaths();
    const first = await pageWorld({ paths });
    const headers = await first.comeIn();
    await first.running.close();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    onTestFinished(() => void squatter.close());
    await once(squatter, 'listening');
    const second = await pageWorld({ paths });
    expect(second.port).not.toBe(first.port);
    const renamed = { ...headers, cookie: headers.cookie.replace(String(first.port), String(second.port)) };
    for (const given of [headers, renamed]) {
      expect((await second.ask({ path: '/v1/status', headers: given })).status).toBe(401);
    }
    await second.running.close();
    squatter.close();
    await once(squatter, 'close');
    const third = await pageWorld({ paths, port: first.port });
    expect((await third.ask({ path: '/v1/status', headers })).status).toBe(401);
  },
);

verifies(
  ['H1', 'attack:A6'],
  'neither link, cookie nor key is in a log or in any file of the hub',
  async () => {
    const lines: string[] = [];
    const write = (message: string, fields?: object): void =>
      void lines.push(message, JSON.stringify(fields));
    const logger = { debug: write, info: write, warn: write, error: write };
    const { token, open, ask, home, running } = await pageWorld({ logger });
    const [used, unused] = [await token(), await token()];
    const { cookie, 'x-plug-page': key } = halvesOf(await open(used));
    await open(used);
    await ask({ path: '/v1/status', headers: { cookie, 'x-plug-page': key } });
    await ask({ path: '/v1/nothing', headers: { cookie, 'x-plug-page': key } });
    await running.close();
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const written = files.map((one) => readFileSync(join(one.parentPath, one.name), 'latin1'));
    expect(files.map(({ name }) => name)).toContain('page-sessions.json');
    const all = [...lines, ...written].join('\n');
    for (const secret of [used, unused, key, cookie.split('=')[1] ?? cookie])
      expect(all).not.toContain(secret);
  },
);
