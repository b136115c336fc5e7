import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { local, remote, textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

verifies(
  ['C2'],
  'every version of MCP is negotiated with the servers that speak it, over a pipe',
  async () => {
    const wanted = [
      { id: 'modern', era: 'modern', protocolVersion: '2026-07-28' },
      { id: 'dual', era: 'modern', protocolVersion: '2026-07-28' },
      ...OLDER.map((protocolVersion) => ({ id: `v${protocolVersion}`, era: 'legacy', protocolVersion })),
    ];
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [
          local('modern', 'modern'),
          local('dual', 'dual'),
          ...OLDER.map((version) => local(`v${version}`, 'legacy', { version })),
        ],
      });
      const { servers, overall } = await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      expect(overall).toBe('ready');
      for (const each of wanted) {
        expect(servers.find(({ id }) => id === each.id)).toMatchObject(each);
        expect(await textOf(hub, `${each.id}/echo`, { message: each.id })).toBe(each.id);
      }
    });
  },
  SLOW,
);

verifies(
  ['C2'],
  'every version of MCP is negotiated with the servers that speak it, over HTTP',
  async () => {
    await using modern = await startHttpFixture('modern');
    await using dual = await startHttpFixture('dual');
    await using old = await startHttpFixture('legacy-stateless', { version: '2025-03-26' });
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [remote('modern', modern.url), remote('dual', dual.url), remote('old', old.url)],
      });
      const { servers } = await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const versions = servers.map(({ id, protocolVersion }) => [id, protocolVersion]);
      expect(versions).toEqual([
        ['dual', '2026-07-28'],
        ['modern', '2026-07-28'],
        ['old', '2025-03-26'],
      ]);
    });
  },
  SLOW,
);

verifies(
  ['C2'],
  'an old server that ends or stays silent at a modern question is started all the same',
  async () => {
    await withHub({ limits: { probeSilenceMs: 200 } }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [local('ends', 'exits-on-unknown'), local('silent', 'silent-on-unknown')],
      });
      const { servers } = await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      expect(servers).toMatchObject([
        { id: 'ends', era: 'legacy', state: { kind: 'ready' } },
        { id: 'silent', era: 'legacy', state: { kind: 'ready' } },
      ]);
    });
  },
  SLOW,
);

verifies(
  ['C2'],
  'what an old server speaks is remembered, also by the next hub, until the memory is too old',
  async () => {
    const folder = temporaryFolder();
    const storage = { kind: 'sqlite', file: `${folder}/plug.db` } as const;
    await using server = await startHttpFixture('legacy-stateful-sse');
    const asked = async (): Promise<number> => (await server.stats()).methods['server/discover'] ?? 0;
    await withHub({ folder, storage }, async ({ hub }) => {
      await hub.servers.add({ definition: remote('old', server.url) });
      expect(await asked()).toBe(1);
      await hub.servers.restart({ id: 'old' });
      expect(await asked()).toBe(1);
    });
    await withHub({ folder, storage }, async ({ hub }) => {
      expect((await hub.servers.start({ id: 'old' })).era).toBe('legacy');
      expect(await asked()).toBe(1);
    });
    await withHub({ folder, storage, limits: { eraLegacyTtlMs: 1 } }, async ({ hub }) => {
      expect((await hub.servers.start({ id: 'old' })).era).toBe('legacy');
      expect(await asked()).toBe(2);
    });
  },
  SLOW,
);

for (const [when, ttl] of [
  ['once the memory is too old', { eraLegacyTtlMs: 1 }],
  ['at once when it refuses the old way', {}],
] as const) {
  verifies(
    ['C2'],
    `a server that was old and became modern is met as a modern one ${when}`,
    async () => {
      const old = await startHttpFixture('legacy-stateful-sse');
      await withHub({ limits: ttl }, async ({ hub }) => {
        await hub.servers.add({ definition: remote('one', old.url) });
        expect((await hub.servers.stop({ id: 'one' })).era).toBe('legacy');
        await old.close();
        await using fresh = await startHttpFixture('modern', { port: old.port });
        expect(await hub.servers.start({ id: 'one' })).toMatchObject({
          era: 'modern',
          protocolVersion: '2026-07-28',
        });
        expect(await textOf(hub, 'one/echo', { message: 'new' })).toBe('new');
        expect((await fresh.stats()).methods['tools/call']).toBe(1);
      });
    },
    SLOW,
  );
}

const TOOLS_ONLY = `
  const { appendFileSync } = require('node:fs');
  require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    appendFileSync(process.argv[1], method + '\\n');
    if (id === undefined) return;
    const results = {
      initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } },
      'tools/list': { tools: [{ name: 'only', inputSchema: { type: 'object' } }] },
    };
    const result = results[method];
    const answer = result ? { result } : { error: { code: -32601, message: 'no' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });`;

verifies(
  ['C3'],
  'only what a server declares is asked for',
  async () => {
    await withHub({}, async ({ hub, folder }) => {
      const file = `${folder}/methods`;
      const args = ['-e', TOOLS_ONLY, file];
      await hub.servers.add({
        definition: defineServer({
          id: 'one',
          endpoint: { kind: 'stdio', command: process.execPath, args, env: {} },
        }),
      });
      const asked = readFileSync(file, 'utf8').trim().split('\n');
      expect(asked).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list']);
      expect(await hub.servers.get({ id: 'one' })).toMatchObject({ toolCount: 1, problems: [] });
      const reading = hub.resources.read({ server: 'one', uri: 'test://static' });
      await expect(reading).rejects.toMatchObject({ code: 'unsupported' });
      expect(readFileSync(file, 'utf8')).not.toContain('resources');
    });
  },
  SLOW,
);

verifies(
  ['C3'],
  'all pages of all lists are read, in both eras',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [
          local('whole', 'modern'),
          local('modern', 'modern', { page: 2 }),
          local('legacy', 'legacy', { page: 1 }),
        ],
      });
      await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      const names = async (server: string): Promise<readonly string[]> =>
        (await hub.tools.list({ server })).tools.map(({ name }) => name);
      expect((await names('whole')).length).toBeGreaterThan(20);
      for (const server of ['modern', 'legacy']) {
        expect(await names(server)).toEqual(await names('whole'));
        expect((await hub.resources.list({ server })).resources).toHaveLength(3);
        expect((await hub.prompts.list({ server })).prompts).toHaveLength(2);
        expect((await hub.servers.get({ id: server })).problems).toEqual([]);
      }
    });
  },
  SLOW,
);

verifies(
  ['C3', 'attack:E14'],
  'a list without end is cut at the limit, a list that repeats itself at once, and both are said',
  async () => {
    await withHub({ limits: { listPagesMax: 7 } }, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [local('endless', 'pages-forever'), local('repeats', 'pages-forever', { repeat: true })],
      });
      const { servers } = await hub.servers.waitUntilReady({ timeoutMs: patience(30_000) });
      expect(servers).toMatchObject([
        { id: 'endless', state: { kind: 'ready' }, toolCount: 7 },
        { id: 'repeats', state: { kind: 'ready' }, toolCount: 2 },
      ]);
      expect(servers[0]?.problems).toEqual(['tools/list: reading stopped after 7 pages.']);
      expect(servers[1]?.problems).toEqual([
        'tools/list: the server repeats its pages; reading stopped after 2.',
      ]);
    });
  },
  SLOW,
);
