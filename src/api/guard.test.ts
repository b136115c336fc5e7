import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knock, type Answer, type Knock } from '../../test/contracts/knock.ts';
import { startHub } from '../../test/contracts/running-hub.ts';
import { recordedHub } from '../../test/contracts/recorded-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { LOCAL, type Principal } from '../hub/principal.ts';
import { createGuard } from './guard.ts';
import { operationNames, routes, usesQuery } from './routes.ts';

async function listening(): Promise<{
  reached: string[];
  port: string;
  home: string;
  socket: string;
  authorization: string;
  ask: (given: Knock) => Promise<Answer>;
  askSocket: (given: Knock) => Promise<Answer>;
}> {
  const recorded = recordedHub();
  const { address, token, paths } = await startHub(recorded.open);
  return {
    reached: recorded.reached,
    port: new URL(address.url).port,
    home: paths.state,
    socket: address.socket,
    authorization: `Bearer ${token}`,
    ask: (given) => knock(address, given),
    askSocket: (given) => knock({ socketPath: address.socket }, given),
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const everyRoute = operationNames.map((name) => ({
  name,
  method: routes[name].method,
  path: routes[name].path.replaceAll(/:\w+/g, 'x'),
  ...(usesQuery(routes[name]) ? {} : { body: '{}' }),
}));

verifies(
  ['H1', 'attack:A1'],
  'a foreign Host is refused on every route and nothing reaches the hub',
  async () => {
    const { ask, reached, authorization, port } = await listening();
    for (const host of [
      'evil.test',
      `evil.test:${port}`,
      '127.0.0.1:1',
      'localhost',
      '127.0.0.1.evil.test',
    ]) {
      for (const route of everyRoute) {
        const { status } = await ask({ ...route, headers: { ...JSON_TYPE, host, authorization } });
        expect([route.name, host, status]).toEqual([route.name, host, 403]);
      }
    }
    expect(reached).toEqual([]);
  },
  20_000,
);

verifies(['H1'], 'our own names with our own port are accepted as Host', async () => {
  const { ask, authorization, port } = await listening();
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) {
    expect((await ask({ path: '/v1/status', headers: { host, authorization } })).status).toBe(200);
  }
});

verifies(
  ['H1', 'attack:A2', 'attack:A8'],
  'pages of other origins are refused, streams included, even with the token',
  async () => {
    const { ask, reached, authorization, port } = await listening();
    const foreign = [
      'https://evil.test',
      'null',
      `http://localhost.evil:${port}`,
      'http://localhost:3000',
      `http://localhost:${port}`, // not the same origin as the Host below
      `https://127.0.0.1:${port}`,
      '',
    ];
    for (const origin of foreign) {
      for (const route of everyRoute) {
        const headers = { ...JSON_TYPE, origin, authorization, accept: 'text/event-stream' };
        const { status } = await ask({ ...route, headers });
        expect([route.name, origin, status]).toEqual([route.name, origin, 403]);
      }
    }
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, authorization };
      expect((await ask({ path: '/v1/events', headers })).status).toBe(403);
    }
    const preflight = { origin: 'https://evil.test', 'access-control-request-method': 'POST' };
    const { status, headers } = await ask({ method: 'OPTIONS', path: '/v1/calls', headers: preflight });
    expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
    expect(reached).toEqual([]);
  },
  20_000,
);

test('a page of our own origin is accepted', async () => {
  const { ask, authorization, port } = await listening();
  const headers = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin', authorization };
  expect((await ask({ path: '/v1/status', headers })).status).toBe(200);
});

verifies(['attack:A8'], 'an upgrade to WebSocket is refused, whatever its origin', async () => {
  const { ask, authorization, reached } = await listening();
  for (const origin of ['https://evil.test', undefined]) {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      authorization,
    };
    const headers = { ...upgrade, ...(origin ? { origin } : {}) };
    await expect(ask({ path: '/v1/events', headers })).rejects.toMatchObject({ code: 'ECONNRESET' });
  }
  expect(reached).toEqual([]);
});

verifies(
  ['H1', 'attack:A3'],
  'every route needs the token; only /health is open, and it reveals nothing',
  async () => {
    const { ask, reached, authorization } = await listening();
    const wrong = [
      undefined,
      'Bearer ',
      'Bearer wrong',
      `${authorization}x`,
      authorization.slice(0, -1),
      'Basic eDp5',
    ];
    for (const given of wrong) {
      for (const route of everyRoute.filter(({ name }) => name !== 'health')) {
        const headers = { ...JSON_TYPE, ...(given === undefined ? {} : { authorization: given }) };
        const { status } = await ask({ ...route, headers });
        expect([route.name, given, status]).toEqual([route.name, given, 401]);
      }
    }
    for (const path of [
      '/',
      '/v1',
      '/v1/nothing',
      '/health/x',
      '/index.html',
      '/v1/../v1/status',
      '//health',
    ]) {
      expect([path, (await ask({ path })).status]).toEqual([path, 401]);
    }
    const health = await ask({ path: '/health' });
    expect([health.status, health.text]).toEqual([200, '{"ok":true}']);
    expect(JSON.stringify(health.headers)).not.toMatch(/plug|node|hono|version/i);
    expect(reached).toEqual([]);
  },
  20_000,
);

verifies(['H1', 'attack:A9'], 'a stdio definition sent without the token starts nothing', async () => {
  const { ask, reached, home } = await listening();
  const marker = join(home, 'spawned');
  const endpoint = { kind: 'stdio', command: 'touch', args: [marker], env: {} };
  const body = JSON.stringify({ definition: { id: 'evil', endpoint }, test: true });
  expect((await ask({ method: 'POST', path: '/v1/servers', headers: JSON_TYPE, body })).status).toBe(401);
  expect([reached, existsSync(marker)]).toEqual([[], false]);
});

verifies(['H1', 'attack:A4'], 'nothing is done by a GET, by a form, or by plain text', async () => {
  const { ask, reached, authorization } = await listening();
  expect((await ask({ path: '/v1/calls?command=touch', headers: { authorization } })).status).toBe(405);
  expect((await ask({ path: '/v1/servers?command=touch', headers: { authorization } })).status).toBe(400);
  expect((await ask({ path: '/v1/shutdown', headers: { authorization } })).status).toBe(405);
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/jsonx',
    '',
  ];
  for (const type of types) {
    const headers = { authorization, 'content-type': type };
    const body = '{"tool":"toy/echo"}';
    expect([type, (await ask({ method: 'POST', path: '/v1/calls', headers, body })).status]).toEqual([
      type,
      415,
    ]);
  }
  expect(
    (await ask({ method: 'POST', path: '/v1/calls', headers: { authorization }, body: '{}' })).status,
  ).toBe(415);
  expect(reached).toEqual([]);
});

test('an unknown address is 404 and a wrong method 405 with what it takes', async () => {
  const { ask, authorization, reached } = await listening();
  const headers = { authorization };
  expect((await ask({ path: '/v1/nothing', headers })).status).toBe(404);
  const wrong = await ask({ method: 'PATCH', path: '/v1/servers', headers });
  expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, POST, PUT']);
  expect(JSON.parse(wrong.text)).toMatchObject({ error: { code: 'usage', owner: 'you' } });
  expect(reached).toEqual([]);
});

verifies(
  ['H1', 'attack:A10'],
  'a thousand wrong tokens in a minute are too many; the right one still works',
  async () => {
    const { ask, authorization } = await listening();
    const bad = (): Promise<Answer> =>
      ask({ path: '/v1/status', headers: { authorization: 'Bearer guess' } });
    for (let done = 0; done < limits.apiBadTokensPerMinuteMax; done += 50) {
      const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await bad()).status));
      expect(new Set(statuses)).toEqual(new Set([401]));
    }
    expect((await bad()).status).toBe(429);
    expect((await ask({ path: '/v1/status', headers: { authorization } })).status).toBe(200);
  },
  30_000,
);

verifies(
  ['H1', 'attack:A11'],
  'bodies that are too big, too deep, too wide or a batch are refused and the hub goes on',
  async () => {
    const { ask, askSocket, authorization, reached } = await listening();
    const huge = Buffer.alloc(limits.apiBodyBytesMax + 1, ' ');
    const deep = `{"tool":"toy/echo","args":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`;
    const wide = `{"tool":"toy/echo","args":{"a":[${'0,'.repeat(999_999)}0]}}`;
    const batch = `[${Array.from({ length: 10_000 }, () => '{"tool":"toy/echo"}').join(',')}]`;
    const bodies = [
      { body: huge, status: 413 },
      { body: deep, status: 413 },
      { body: wide, status: 413 },
      { body: batch, status: 400 },
      { body: `[${'0,'.repeat(999_999)}0]`, status: 400 },
      { body: '{"tool":', status: 400 },
      { body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), status: 400 },
      { body: '"text"', status: 400 },
    ];
    for (const { body, status } of bodies) {
      const given = { method: 'POST', path: '/v1/calls', headers: { ...JSON_TYPE, authorization }, body };
      expect((await ask(given)).status).toBe(status);
      expect((await askSocket(given)).status).toBe(status);
      const chunked = { ...given, headers: { ...given.headers, 'transfer-encoding': 'chunked' } };
      expect((await ask(chunked)).status).toBe(status);
    }
    expect(reached).toEqual([]);
    expect((await ask({ path: '/v1/status', headers: { authorization } })).status).toBe(200);
  },
  20_000,
);

test('over the socket no token is needed, but a request of a web page is refused all the same', async () => {
  const { askSocket } = await listening();
  expect((await askSocket({ path: '/v1/status' })).status).toBe(200);
  expect((await askSocket({ path: '/v1/status', headers: { origin: 'https://evil.test' } })).status).toBe(
    403,
  );
});

test('the guard says for whom a request acts, on either way in', () => {
  const isToken = (given: string): boolean => given === 'right';
  const ann = { id: 'ann', role: 'member' } as const;
  const guard = createGuard({ port: () => 80, isToken, principal: ann, clock: systemClock });
  const headers: Record<string, string> = { host: '127.0.0.1:80', authorization: 'Bearer right' };
  expect(guard({ path: '/mcp', header: (name) => headers[name] }, 'port').principal).toBe(ann);
  expect(guard({ path: '/mcp', header: () => undefined }, 'socket').principal).toBe(ann);
  const wrong = { ...headers, authorization: 'Bearer wrong' } as Record<string, string>;
  expect(() => guard({ path: '/mcp', header: (name) => wrong[name] }, 'port')).toThrow(/token/);
});

test('answers cannot be cached, sniffed or framed', async () => {
  const { ask, authorization } = await listening();
  const { headers } = await ask({ path: '/v1/status', headers: { authorization } });
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});

verifies(['H1'], 'the OpenAPI document names every operation, its path parameters and its body', async () => {
  const { ask, authorization } = await listening();
  const { text } = await ask({ path: '/v1/openapi.json', headers: { authorization } });
  const document = JSON.parse(text);
  expect(document.openapi).toBe('3.1.0');
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path),
  );
  expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(operationNames.toSorted());
  expect(document.paths['/v1/servers/{id}/read-only'].post).toMatchObject({
    parameters: [{ name: 'id', in: 'path', required: true }],
    requestBody: { content: { 'application/json': { schema: { required: ['readOnly'] } } } },
  });
});

test('a connection that has shown the token is known by the same header, and by no other', () => {
  const hashed: string[] = [];
  const isToken = (given: string): boolean => {
    hashed.push(given);
    return given === 'right';
  };
  const guard = createGuard({ port: () => 80, isToken, clock: systemClock });
  const ask = (connection: object, authorization: string | undefined, host = '127.0.0.1:80'): Principal => {
    const headers: Record<string, string | undefined> = { host, authorization };
    return guard({ path: '/mcp', header: (name) => headers[name], connection }, 'port').principal;
  };
  const [mine, theirs] = [{}, {}];
  expect(() => ask(mine, 'Bearer wrong')).toThrow(/token/);
  expect(() => ask(mine, 'Bearer wrong')).toThrow(/token/);
  for (let each = 0; each < 3; each += 1) expect(ask(mine, 'Bearer right')).toBe(LOCAL);
  expect(hashed).toEqual(['wrong', 'wrong', 'right']);
  for (const other of ['Bearer wrong', 'Bearer right ', '', undefined]) {
    expect(() => ask(mine, other)).toThrow(/token/);
  }
  expect(() => ask(theirs, 'Bearer wrong')).toThrow(/token/);
  expect(() => ask(theirs, undefined)).toThrow(/token/);
  // What was let in is still looked at for everything else.
  expect(() => ask(mine, 'Bearer right', 'evil.test')).toThrow(/Host/);
});
