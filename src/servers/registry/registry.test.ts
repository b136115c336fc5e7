import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { systemClock, type Clock } from '../../base/clock.ts';
import { toPlugError } from '../../base/errors.ts';
import { limits, type Limits } from '../../base/limits.ts';
import { verifies } from '../../../test/requirements.ts';
import { loadEntry } from './details.ts';
import { openRegistry, pickRegistries, defaultRegistries, type RegistryConfig } from './open.ts';
import type { Registry } from './registry.ts';
import { searchRegistries, type SearchOptions } from './search.ts';
import type { RegistryEntry } from './entry.ts';
import type { RegistryStore, RegistrySync, StoredEntry } from './store.ts';
import { syncRegistry } from './sync.ts';
import { queryWords, wordsOfEntry } from './words.ts';

const OWNER = 'local';
const META = 'io.modelcontextprotocol.registry/official';
type Handle = (url: URL, request: IncomingMessage, response: ServerResponse) => void;

/** A real HTTP listener on loopback; every request that arrives is written down. */
async function listen(
  handle: Handle,
): Promise<{ url: string; seen: URL[]; headers: IncomingMessage['headers'][] }> {
  const seen: URL[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const listener = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    seen.push(url);
    headers.push(request.headers);
    handle(url, request, response);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return { url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, seen, headers }; // a TCP listener
}

function json(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

interface Given {
  readonly name: string;
  readonly [field: string]: unknown;
}

function official(servers: readonly Given[], metadata: object = {}): object {
  return {
    servers: servers.map(
      ({ status = 'active', updatedAt = '2026-01-01T00:00:00Z', isLatest = true, ...server }) => ({
        server: { description: `About ${server.name}`, version: '1.0.0', ...server },
        _meta: { [META]: { status, updatedAt, isLatest } },
      }),
    ),
    metadata: { count: servers.length, ...metadata },
  };
}

function smithery(servers: readonly object[]): object {
  return { servers, pagination: { currentPage: 1, pageSize: 10, totalPages: 1, totalCount: servers.length } };
}

const ports = (over: { limits?: Limits; clock?: Clock } = {}): Parameters<typeof openRegistry>[1] => ({
  fetch,
  clock: systemClock,
  limits,
  ...over,
});

function registryAt(
  url: string,
  over: Partial<RegistryConfig> & { limits?: Limits; clock?: Clock } = {},
): Registry {
  const { limits: given, clock, ...config } = over;
  return openRegistry(
    { name: 'official', kind: 'official', url, ...config },
    ports({ ...(given ? { limits: given } : {}), ...(clock ? { clock } : {}) }),
  );
}

/** Stands in for the stores, which have a contract suite of their own. */
class Shelf implements RegistryStore {
  readonly rows = new Map<string, StoredEntry>();
  sync: RegistrySync | undefined;
  readonly syncs: RegistrySync[] = [];

  putEntries(_owner: string, entries: readonly RegistryEntry[], fetchedAt: number): Promise<void> {
    for (const entry of entries) this.rows.set(`${entry.registry} ${entry.name}`, { entry, fetchedAt });
    return Promise.resolve();
  }
  deleteEntries(_owner: string, registry: string, names: readonly string[]): Promise<number> {
    return Promise.resolve(names.filter((name) => this.rows.delete(`${registry} ${name}`)).length);
  }
  getEntry(_owner: string, registry: string, name: string): Promise<StoredEntry | undefined> {
    return Promise.resolve(this.rows.get(`${registry} ${name}`));
  }
  searchEntries(
    _owner: string,
    query: Parameters<RegistryStore['searchEntries']>[1],
  ): Promise<StoredEntry[]> {
    const words = queryWords(query.query);
    return Promise.resolve(
      [...this.rows.values()]
        .filter(({ entry }) => query.registries?.includes(entry.registry) ?? true)
        .filter(({ entry }) => {
          const { name, text } = wordsOfEntry(entry);
          const fits = ({ word }: (typeof words)[number]): boolean =>
            [...name, ...text].some((candidate) => candidate.startsWith(word));
          return words.length === 0 || (query.match === 'any' ? words.some(fits) : words.every(fits));
        })
        .slice(0, query.limit),
    );
  }
  listNames(): Promise<readonly string[]> {
    return Promise.resolve([...this.rows.values()].map(({ entry }) => entry.name));
  }
  countEntries(): Promise<number> {
    return Promise.resolve(this.rows.size);
  }
  dropRegistry(): Promise<void> {
    this.rows.clear();
    this.sync = undefined;
    return Promise.resolve();
  }
  getSync(): Promise<RegistrySync | undefined> {
    return Promise.resolve(this.sync);
  }
  putSync(_owner: string, sync: RegistrySync): Promise<void> {
    this.sync = sync;
    this.syncs.push(sync);
    return Promise.resolve();
  }
}

function search(
  query: string,
  registries: readonly Registry[],
  given: Partial<SearchOptions> = {},
): ReturnType<typeof searchRegistries> {
  return searchRegistries(query, {
    registries,
    store: new Shelf(),
    owner: OWNER,
    clock: systemClock,
    limits,
    ...given,
  });
}

const noteServer = {
  name: 'io.github.acme/notes',
  repository: { url: 'https://github.com/acme/notes' },
  packages: [
    { registryType: 'npm', identifier: '@acme/notes', version: '1.2.3', transport: { type: 'stdio' } },
  ],
};

verifies(
  ['S13'],
  'both registries are searched at once, and what is the same server is shown once',
  async () => {
    const first = await listen((_url, _request, response) =>
      json(response, official([noteServer, { name: 'io.github.other/notes-export' }])),
    );
    const second = await listen((_url, _request, response) =>
      json(
        response,
        smithery([
          {
            qualifiedName: '@acme/notes-mcp',
            displayName: 'Notes',
            useCount: 40,
            homepage: 'https://github.com/acme/notes',
          },
          { qualifiedName: 'zeta/notes', displayName: 'Zeta notes', useCount: 900, verified: true },
        ]),
      ),
    );
    const { results, registries } = await search('notes', [
      registryAt(first.url),
      registryAt(second.url, { name: 'smithery', kind: 'smithery' }),
    ]);
    expect(registries).toMatchObject([
      { name: 'official', state: 'live', results: 2 },
      { name: 'smithery', state: 'live', results: 2 },
    ]);
    expect(results.map(({ name, sources }) => ({ name, sources }))).toEqual([
      { name: 'zeta/notes', sources: ['smithery'] },
      { name: 'io.github.acme/notes', sources: ['official', 'smithery'] },
      { name: 'io.github.other/notes-export', sources: ['official'] },
    ]);
    expect(results[1]).toMatchObject({ title: 'Notes', useCount: 40, verified: false });
    expect(first.seen[0]?.pathname).toBe('/v0.1/servers');
    expect(Object.fromEntries(first.seen[0]?.searchParams ?? [])).toMatchObject({
      search: 'notes',
      version: 'latest',
    });
    expect(Object.fromEntries(second.seen[0]?.searchParams ?? [])).toMatchObject({ q: 'notes', page: '1' });
  },
);

const BROKEN: Readonly<Record<string, { handle: Handle; code: string; says: RegExp }>> = {
  'a web page': {
    handle: (_url, _request, response) => response.end('<!doctype html><h1>Hello</h1>'),
    code: 'protocol_error',
    says: /web page/,
  },
  'HTTP 500': {
    handle: (_url, _request, response) => json(response, {}, 500),
    code: 'unavailable',
    says: /HTTP 500/,
  },
  'nothing at all': { handle: () => undefined, code: 'unreachable', says: /did not answer within/ },
  'a closed connection': {
    handle: (_url, request) => request.socket.destroy(),
    code: 'unreachable',
    says: /cannot be reached/,
  },
  'JSON without a list': {
    handle: (_url, _request, response) => json(response, {}),
    code: 'protocol_error',
    says: /list/,
  },
  'a redirect': {
    handle: (_url, _request, response) => json(response, {}, 302, { location: 'http://127.0.0.1:1/' }),
    code: 'unavailable',
    says: /redirects/,
  },
  'a demand for a key': {
    handle: (_url, _request, response) => json(response, {}, 401),
    code: 'denied',
    says: /key/,
  },
};

for (const [what, { handle, code, says }] of Object.entries(BROKEN)) {
  verifies(
    ['S13'],
    `a registry that answers ${what} is named, and the other's results are shown`,
    async () => {
      const good = await listen((_url, _request, response) => json(response, official([noteServer])));
      const bad = await listen(handle);
      const short = { ...limits, registryTimeoutMs: 300 };
      const broken = registryAt(bad.url, { name: 'company', limits: short });
      const { results, registries } = await search('notes', [registryAt(good.url), broken]);
      expect(results.map(({ name }) => name)).toEqual([noteServer.name]);
      expect(registries[0]).toMatchObject({ state: 'live' });
      expect(registries[1]).toMatchObject({ name: 'company', state: 'failed', results: 0 });
      expect(registries[1]?.reason).toMatch(says);
      expect(registries[1]?.reason).toContain('company');
      const error = toPlugError(
        await broken.search('notes', { limit: 5 }).catch((thrown: unknown) => thrown),
      );
      expect(error.code).toBe(code);
    },
  );
}

verifies(
  ['S13'],
  'what was found once is found again offline and when the registry is down, with its age',
  async () => {
    let up = true;
    const place = await listen((_url, _request, response) =>
      json(response, official([noteServer]), up ? 200 : 503),
    );
    const store = new Shelf();
    const registry = registryAt(place.url);
    await search('notes', [registry], { store });
    const asked = place.seen.length;
    const later: Clock = { ...systemClock, now: () => systemClock.now() + 60_000 };

    const offline = await search('notes', [registry], { store, clock: later, offline: true });
    expect(offline.results.map(({ name }) => name)).toEqual([noteServer.name]);
    expect(offline.registries[0]).toMatchObject({ state: 'cached', results: 1 });
    expect(offline.registries[0]?.ageMs).toBeGreaterThanOrEqual(60_000);
    expect(place.seen).toHaveLength(asked);

    up = false;
    const down = await search('notes', [registry], { store, clock: later });
    expect(down.results).toHaveLength(1);
    expect(down.registries[0]).toMatchObject({
      state: 'cached',
      reason: expect.stringContaining('HTTP 503') as string,
    });

    const never = await search('unheard', [registry], { store, offline: true });
    expect(never).toMatchObject({ results: [], registries: [{ state: 'cached', results: 0 }] });
  },
);

verifies(['S13'], 'a registry that asks for a pause is left alone until it is over', async () => {
  let answers = 0;
  const place = await listen((_url, _request, response) => {
    answers += 1;
    if (answers === 1) json(response, {}, 429, { 'retry-after': '30' });
    else json(response, official([noteServer]));
  });
  let now = 1_000;
  const clock: Clock = { ...systemClock, monotonic: () => now };
  const registry = registryAt(place.url, { clock });
  const first = await search('notes', [registry]);
  expect(first.registries[0]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('30 s') as string,
  });
  await search('notes', [registry]);
  expect(place.seen).toHaveLength(1);
  now += 30_000;
  expect((await search('notes', [registry])).registries[0]).toMatchObject({ state: 'live' });
});

verifies(['S13'], 'a short pause is waited out within one search', async () => {
  let answers = 0;
  const place = await listen((_url, _request, response) => {
    answers += 1;
    if (answers === 1) json(response, {}, 429, { 'retry-after': '1' });
    else json(response, official([noteServer]));
  });
  const slept: number[] = [];
  const clock: Clock = { ...systemClock, sleep: (ms) => Promise.resolve(void slept.push(ms)) };
  const { results } = await search('notes', [registryAt(place.url, { clock })]);
  expect(results).toHaveLength(1);
  expect(slept).toHaveLength(1);
  expect(slept[0]).toBeGreaterThan(900);
});

verifies(['S13'], 'a document that cannot be read is left out and named; the others stay', async () => {
  const place = await listen((_url, _request, response) =>
    json(response, {
      servers: [
        { server: { title: 'nameless' } },
        null,
        7,
        { server: { name: 'a/\u001b[31mred' } },
        { server: noteServer },
      ],
      metadata: {},
    }),
  );
  const { results, registries } = await search('notes', [registryAt(place.url)]);
  expect(results.map(({ name }) => name)).toEqual([noteServer.name]);
  expect(registries[0]?.problems).toHaveLength(4);
  expect(registries[0]?.problems.join()).not.toContain('\u001b');
});

verifies(
  ['S13'],
  'unknown fields are kept, deleted entries are hidden, deprecated ones come last',
  async () => {
    const place = await listen((_url, _request, response) =>
      json(
        response,
        official([
          { name: 'a/notes-old', status: 'deprecated', statusMessage: 'gone' },
          { name: 'a/notes-gone', status: 'deleted' },
          { name: 'a/notes-new', icons: [{ src: 'x.png' }], 'x-custom': { deep: true } },
          { name: 'a/notes-new', isLatest: false, version: '0.1.0' },
        ]),
      ),
    );
    const { results } = await search('notes', [registryAt(place.url)]);
    expect(results.map(({ name, deprecated }) => [name, deprecated])).toEqual([
      ['a/notes-new', false],
      ['a/notes-old', true],
    ]);
    expect(results[0]?.entries[0]?.extra).toMatchObject({
      icons: [{ src: 'x.png' }],
      'x-custom': { deep: true },
    });
    expect(results[0]?.entries[0]?.version).toBe('1.0.0');
  },
);

verifies(['S13'], 'the whole registry is copied page by page, and later only what changed', async () => {
  const all = Array.from({ length: 5 }, (_, index) => ({
    name: `io.github.a/s${index}`,
    updatedAt: `2026-01-0${index + 1}T00:00:00Z`,
  }));
  const place = await listen((url, _request, response) => {
    if (url.searchParams.has('updated_since')) {
      return json(
        response,
        official([{ name: 'io.github.a/s1', status: 'deleted', updatedAt: '2026-02-01T00:00:00Z' }]),
      );
    }
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const next = from + 2;
    // The two spellings of the next page that are in use.
    const key = from === 0 ? 'nextCursor' : 'next_cursor';
    return json(response, official(all.slice(from, next), next < all.length ? { [key]: String(next) } : {}));
  });
  const store = new Shelf();
  const registry = registryAt(place.url);
  const options = { store, owner: OWNER, clock: systemClock, limits };
  expect(await syncRegistry(registry, options)).toMatchObject({ pages: 3, seen: 5, removed: 0 });
  expect(store.rows.size).toBe(5);
  expect(store.sync?.updatedSince).toBe(Date.parse('2026-01-05T00:00:00Z'));

  expect(await syncRegistry(registry, options)).toMatchObject({ pages: 1, seen: 1, removed: 1 });
  const last = place.seen.at(-1)?.searchParams;
  expect(last?.get('updated_since')).toBe('2026-01-05T00:00:00.000Z');
  expect(last?.get('include_deleted')).toBe('true');
  expect([...store.rows.keys()]).not.toContain('official io.github.a/s1');
  expect(store.sync?.updatedSince).toBe(Date.parse('2026-02-01T00:00:00Z'));

  // A fresh copy answers by itself.
  const asked = place.seen.length;
  const { results, registries } = await search('s3', [registry], { store });
  expect(results.map(({ name }) => name)).toEqual(['io.github.a/s3']);
  expect(registries[0]).toMatchObject({ state: 'cached' });
  expect(registries[0]?.reason).toBeUndefined();
  expect(place.seen).toHaveLength(asked);
});

verifies(
  ['S13', 'attack:registry-answers'],
  'a copy of a registry that never ends, or that lists more than was asked for, comes to an end',
  async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ name: `a/s${index}` }));
    const place = await listen((url, _request, response) => {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      return json(
        response,
        official(at === 0 ? many : [{ name: `b/s${at}` }], { nextCursor: String(at + 1) }),
      );
    });
    const store = new Shelf();
    const bounded = { ...limits, registryPagesMax: 20 as never };
    const options = { store, owner: OWNER, clock: systemClock, limits: bounded };
    const done = await syncRegistry(registryAt(place.url), options);
    expect(done).toMatchObject({ pages: 20, seen: limits.registryPageEntriesMax + 19 });
    expect(place.seen).toHaveLength(20);
  },
);

verifies(['S13'], 'a copy that was cut off goes on where it stopped', async () => {
  let fail = true;
  const place = await listen((url, _request, response) => {
    const cursor = url.searchParams.get('cursor');
    if (cursor === 'two' && fail) return json(response, {}, 500);
    return json(
      response,
      official([{ name: `a/${cursor ?? 'one'}` }], cursor === null ? { nextCursor: 'two' } : {}),
    );
  });
  const store = new Shelf();
  const options = { store, owner: OWNER, clock: systemClock, limits };
  await expect(syncRegistry(registryAt(place.url), options)).rejects.toThrow(/HTTP 500/);
  expect([...store.rows.keys()]).toEqual(['official a/one']);
  fail = false;
  expect(await syncRegistry(registryAt(place.url), options)).toMatchObject({ pages: 1, seen: 1 });
  expect([...store.rows.keys()]).toEqual(['official a/one', 'official a/two']);
  expect(store.sync?.resume).toBeUndefined();
  expect(place.seen.map((url) => url.searchParams.get('cursor'))).toEqual([null, 'two', 'two']);
});

verifies(['S13'], 'a registry that never ends its pages is stopped', async () => {
  const place = await listen((_url, _request, response) =>
    json(response, official([{ name: 'a/b' }], { nextCursor: 'x' })),
  );
  const options = { store: new Shelf(), owner: OWNER, clock: systemClock, limits };
  expect(await syncRegistry(registryAt(place.url), options)).toMatchObject({ pages: 2 });
  let page = 0;
  const endless = await listen((_url, _request, response) =>
    json(response, official([{ name: `a/b${(page += 1)}` }], { nextCursor: String(page) })),
  );
  const bounded = { ...options, limits: { ...limits, registryPagesMax: 7 } };
  expect(await syncRegistry(registryAt(endless.url), bounded)).toMatchObject({ pages: 7 });
});

verifies(
  ['S13'],
  'versions and details are asked for by name, and details survive a dead registry',
  async () => {
    let up = true;
    const place = await listen((url, _request, response) => {
      if (!up) return json(response, {}, 500);
      if (url.pathname.endsWith('/versions')) {
        return json(
          response,
          official([
            { name: 'a/b', version: '2.0.0' },
            { name: 'a/b', version: '1.0.0', isLatest: false },
          ]),
        );
      }
      if (url.pathname.includes('missing')) return json(response, { error: 'no' }, 404);
      return json(
        response,
        (official([{ name: 'a/b', version: '2.0.0' }]) as { servers: unknown[] }).servers[0],
      );
    });
    const registry = registryAt(place.url);
    expect((await registry.versions?.('a/b'))?.map(({ version }) => version)).toEqual(['2.0.0', '1.0.0']);
    const options = { store: new Shelf(), owner: OWNER, clock: systemClock };
    expect((await loadEntry(registry, 'a/b', options)).version).toBe('2.0.0');
    expect(place.seen.map(({ pathname }) => pathname)).toEqual([
      '/v0.1/servers/a%2Fb/versions',
      '/v0.1/servers/a%2Fb/versions/latest',
    ]);
    await expect(loadEntry(registry, 'a/missing', options)).rejects.toMatchObject({ code: 'not_found' });
    up = false;
    expect((await loadEntry(registry, 'a/b', options)).version).toBe('2.0.0');
    await expect(loadEntry(registry, 'a/never', options)).rejects.toMatchObject({ code: 'unavailable' });
  },
);

verifies(
  ['S13'],
  "Smithery's details bring address and schema, and a key is sent when there is one",
  async () => {
    const place = await listen((url, _request, response) => {
      if (url.pathname === '/servers')
        return json(response, smithery([{ qualifiedName: '@acme/maps', useCount: 3 }]));
      return json(response, {
        qualifiedName: '@acme/maps',
        displayName: 'Maps',
        deploymentUrl: 'https://maps.example',
        connections: [
          { type: 'http', configSchema: { type: 'object', properties: { apiKey: { type: 'string' } } } },
        ],
        tools: [],
      });
    });
    const headers = { authorization: 'Bearer smithery-key' };
    const registry = registryAt(place.url, { name: 'smithery', kind: 'smithery', headers });
    const store = new Shelf();
    const { results } = await search('maps', [registry], { store });
    expect(results[0]?.entries[0]?.detail).toBe('listed');
    const entry = await loadEntry(registry, '@acme/maps', { store, owner: OWNER, clock: systemClock });
    expect(entry).toMatchObject({
      detail: 'full',
      remotes: [{ kind: 'http', url: 'https://maps.example/mcp' }],
    });
    expect(place.seen.at(-1)?.pathname).toBe('/servers/%40acme/maps');
    expect(place.headers.every(({ authorization }) => authorization === headers.authorization)).toBe(true);
    // A later list, which knows less, does not take the details away.
    await search('maps', [registry], { store });
    expect(store.rows.get('smithery @acme/maps')?.entry.remotes).toHaveLength(1);
  },
);

verifies(['S13'], 'the user picks one registry or all, and adds any other by its address', async () => {
  const place = await listen((_url, _request, response) => json(response, official([noteServer])));
  const own: RegistryConfig = { name: 'company', kind: 'official', url: `${place.url}/v0/` };
  const configs = [...defaultRegistries, own];
  expect(pickRegistries(configs, ['company'])).toEqual([own]);
  expect(pickRegistries(configs, ['both'])).toEqual(configs);
  expect(() => pickRegistries(configs, ['nobody'])).toThrow(/official, smithery, company/);
  const { results } = await search('notes', [openRegistry(own, ports())]);
  expect(results[0]?.sources).toEqual(['company']);
  expect(place.seen[0]?.pathname).toBe('/v0/servers');
  for (const url of ['ftp://x.example', 'https://user:pass@x.example', 'not a url']) {
    expect(() => openRegistry({ ...own, url }, ports())).toThrow(/company/);
  }
});

verifies(['S13'], 'a search that is called off ends at once', async () => {
  const place = await listen(() => undefined);
  const calledOff = new AbortController();
  const running = search('notes', [registryAt(place.url)], { signal: calledOff.signal });
  calledOff.abort(new Error('never mind'));
  await expect(running).rejects.toThrow('never mind');
});
