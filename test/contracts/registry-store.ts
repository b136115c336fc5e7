import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RegistryEntry } from '../../src/servers/registry/entry.ts';
import type { RegistryStore } from '../../src/servers/registry/store.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';

/** What every store of registry entries promises. Each test has an owner of its own. */
export function registryStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: RegistryStore;
    let owners = 0;
    const newOwner = (): string => `registry-owner-${(owners += 1)}`;
    const find = async (
      owner: string,
      query: string,
      registries?: readonly string[],
    ): Promise<readonly string[]> => {
      const found = await store.searchEntries(owner, {
        query,
        limit: 50,
        ...(registries ? { registries } : {}),
      });
      return found.map(({ entry }) => entry.name);
    };

    beforeAll(async () => {
      storage = await open();
      store = storage.registry;
    });
    afterAll(() => storage.close());

    verifies(['S13'], 'an entry comes back exactly as it was put, unknown fields included', async () => {
      const owner = newOwner();
      const entry = entryOf('acme/files', { extra: { 'x-odd': [1, { '\u0000': 'é🙂' }] }, useCount: 7 });
      await store.putEntries(owner, [entry], 1_700_000_000_123);
      expect(await store.getEntry(owner, 'official', 'acme/files')).toEqual({
        entry,
        fetchedAt: 1_700_000_000_123,
      });
      expect(await store.getEntry(owner, 'smithery', 'acme/files')).toBeUndefined();
    });

    verifies(['S13'], 'putting an entry again replaces it and its words', async () => {
      const owner = newOwner();
      await store.putEntries(owner, [entryOf('acme/one', { description: 'paints pictures' })], 1);
      await store.putEntries(owner, [entryOf('acme/one', { description: 'plays music' })], 2);
      expect(await find(owner, 'pictures')).toEqual([]);
      expect(await find(owner, 'music')).toEqual(['acme/one']);
      expect(await store.countEntries(owner, 'official')).toBe(1);
      expect((await store.getEntry(owner, 'official', 'acme/one'))?.fetchedAt).toBe(2);
    });

    verifies(
      ['S13'],
      'a search finds every word, in any case, with accents, and by its beginning',
      async () => {
        const owner = newOwner();
        await store.putEntries(
          owner,
          [
            entryOf('io.github.acme/google-calendar-mcp', { description: 'Événements and reminders' }),
            entryOf('acme/GitHubIssues', { description: 'Tickets' }),
            entryOf('acme/weather', { description: 'Forecasts from Google', title: 'Wetter für alle' }),
          ],
          1,
        );
        expect(await find(owner, 'CALENDAR')).toEqual(['io.github.acme/google-calendar-mcp']);
        expect(await find(owner, 'google calen')).toEqual(['io.github.acme/google-calendar-mcp']);
        expect(await find(owner, 'evenements')).toEqual(['io.github.acme/google-calendar-mcp']);
        expect(await find(owner, 'issues')).toEqual(['acme/GitHubIssues']);
        expect(await find(owner, 'githubissues')).toEqual(['acme/GitHubIssues']);
        expect(await find(owner, 'fur alle')).toEqual(['acme/weather']);
        expect(await find(owner, 'calendar forecasts')).toEqual([]);
        // A name weighs more than a description.
        expect(await find(owner, 'google')).toEqual(['io.github.acme/google-calendar-mcp', 'acme/weather']);
      },
    );

    verifies(
      ['S13'],
      'any of the words is enough when that is asked for, and the best fit is first',
      async () => {
        const owner = newOwner();
        const files = entryOf('acme/files', { description: 'reads folders' });
        const both = entryOf('acme/folder-files', { description: 'reads folders' });
        await store.putEntries(owner, [files, both, entryOf('acme/weather', { verified: true })], 1);
        const query = { query: 'folder files sunshine', limit: 50 };
        expect(await store.searchEntries(owner, query)).toEqual([]);
        const any = await store.searchEntries(owner, { ...query, match: 'any' });
        expect(any.map(({ entry }) => entry.name)).toEqual(['acme/folder-files', 'acme/files']);
      },
    );

    verifies(['S13'], 'a namespace is no word, and its maker is', async () => {
      const owner = newOwner();
      await store.putEntries(
        owner,
        [entryOf('io.github.acme/notes', {}), entryOf('com.other/github', {})],
        1,
      );
      expect(await find(owner, 'github')).toEqual(['com.other/github']);
      expect(await find(owner, 'acme')).toEqual(['io.github.acme/notes']);
      expect(await find(owner, 'com')).toEqual([]);
    });

    verifies(['S13'], 'names are listed by registry and owner, for a near one to be found', async () => {
      const owner = newOwner();
      await store.putEntries(owner, [entryOf('a/one', {}), entryOf('a/two', { registry: 'smithery' })], 1);
      expect(await store.listNames(owner, ['official'])).toEqual(['a/one']);
      expect((await store.listNames(owner, ['official', 'smithery'])).toSorted()).toEqual(['a/one', 'a/two']);
      expect(await store.listNames(owner, [])).toEqual([]);
      expect(await store.listNames(newOwner(), ['official'])).toEqual([]);
    });

    verifies(['S13'], 'packages, addresses and other scripts can be searched for', async () => {
      const owner = newOwner();
      await store.putEntries(
        owner,
        [
          entryOf('acme/a', { remotes: [remoteOf('https://mcp.sunflower.example/mcp')] }),
          entryOf('acme/b', { description: 'поиск документов' }),
          entryOf('acme/c', { description: '日本語 サーバー' }),
        ],
        1,
      );
      expect(await find(owner, 'sunflower')).toEqual(['acme/a']);
      expect(await find(owner, 'ПОИСК')).toEqual(['acme/b']);
      expect(await find(owner, '日本語')).toEqual(['acme/c']);
    });

    verifies(['S13'], 'verified entries come first, then those that are used most', async () => {
      const owner = newOwner();
      await store.putEntries(
        owner,
        [
          entryOf('x/notes-b', {}),
          entryOf('x/notes-a', {}),
          entryOf('x/notes-used', { useCount: 90 }),
          entryOf('x/notes-more-used', { useCount: 12_000_000_000 }),
          entryOf('x/late', { verified: true, description: 'notes' }),
        ],
        1,
      );
      const order = await find(owner, 'notes');
      expect(order.slice(0, 3)).toEqual(['x/late', 'x/notes-more-used', 'x/notes-used']);
      expect(order.slice(3)).toEqual(['x/notes-a', 'x/notes-b']);
      expect(await find(owner, '')).toHaveLength(5);
    });

    verifies(
      ['S13'],
      'one registry or several can be asked, and each owner sees only their own',
      async () => {
        const [mine, theirs] = [newOwner(), newOwner()];
        await store.putEntries(mine, [entryOf('a/s1', {}), entryOf('a/s2', { registry: 'smithery' })], 1);
        await store.putEntries(theirs, [entryOf('a/s3', {})], 1);
        expect(await find(mine, 'a')).toHaveLength(2);
        expect(await find(mine, 'a', ['smithery'])).toEqual(['a/s2']);
        expect(await find(mine, 'a', [])).toEqual([]);
        expect(await find(theirs, 'a')).toEqual(['a/s3']);
        expect(await store.deleteEntries(theirs, 'official', ['a/s1'])).toBe(0);
        await store.dropRegistry(theirs, 'official');
        expect(await find(mine, 'a', ['official'])).toEqual(['a/s1']);
        expect(await find(theirs, 'a')).toEqual([]);
      },
    );

    verifies(['S13'], 'deleted entries are gone from the search too', async () => {
      const owner = newOwner();
      await store.putEntries(owner, [entryOf('a/kept', {}), entryOf('a/gone', {})], 1);
      expect(await store.deleteEntries(owner, 'official', ['a/gone', 'a/never'])).toBe(1);
      expect(await store.deleteEntries(owner, 'official', ['a/gone'])).toBe(0);
      expect(await find(owner, 'gone')).toEqual([]);
      expect(await find(owner, 'kept')).toEqual(['a/kept']);
    });

    verifies(['S13'], 'a query is only words: quotes, operators and odd characters do no harm', async () => {
      const owner = newOwner();
      await store.putEntries(owner, [entryOf('a/safe', { description: 'near or not' })], 1);
      const queries = [
        '"',
        "'",
        'safe" OR "x',
        "safe' | 'x",
        'NOT safe',
        'name:safe',
        '* ^ ( ) -',
        'safe\0',
        ':*',
      ];
      for (const query of queries) expect(Array.isArray(await find(owner, query)), query).toBe(true);
      expect(await find(owner, 'safe " NEAR')).toEqual(['a/safe']);
      expect(await find(owner, 'x'.repeat(100_000))).toEqual([]);
      expect(await find(owner, 'safe '.repeat(10_000))).toEqual(['a/safe']);
    });

    verifies(['S13'], 'many entries go in at once, the later of two with one name counts', async () => {
      const owner = newOwner();
      const many = Array.from({ length: 350 }, (_, index) => entryOf(`bulk/server-${index}`, {}));
      await store.putEntries(owner, [...many, entryOf('bulk/server-7', { description: 'lucky' })], 1);
      expect(await store.countEntries(owner, 'official')).toBe(350);
      expect(await find(owner, 'lucky')).toEqual(['bulk/server-7']);
      expect(await find(owner, 'bulk')).toHaveLength(50);
    });

    verifies(
      ['S13'],
      'a word that thousands of servers hold still puts the verified and the used first',
      async () => {
        const owner = newOwner();
        const many = Array.from({ length: 2_100 }, (_, index) => entryOf(`broad/server-${index}`, {}));
        const best = entryOf('broad/zz', { verified: true });
        const used = entryOf('broad/yy', { useCount: 5 });
        await store.putEntries(owner, [...many, used, best], 1);
        expect((await find(owner, 'broad')).slice(0, 2)).toEqual(['broad/zz', 'broad/yy']);
        expect(await find(owner, 'broad', ['smithery'])).toEqual([]);
      },
      30_000,
    );

    verifies(['S13'], 'how far a registry was copied is remembered until it is dropped', async () => {
      const owner = newOwner();
      const sync = { registry: 'official', url: 'https://r.example', updatedSince: 5, completedAt: 6 };
      expect(await store.getSync(owner, 'official')).toBeUndefined();
      await store.putSync(owner, { ...sync, resume: { cursor: 'a:b\u0001', newest: 4 } });
      await store.putSync(owner, sync);
      expect(await store.getSync(owner, 'official')).toEqual(sync);
      await store.dropRegistry(owner, 'official');
      expect(await store.getSync(owner, 'official')).toBeUndefined();
    });
  });
}

export function entryOf(name: string, given: Partial<RegistryEntry>): RegistryEntry {
  return {
    registry: 'official',
    kind: 'official',
    name,
    description: '',
    status: 'active',
    isLatest: true,
    verified: false,
    useCount: 0,
    packages: [],
    remotes: [],
    detail: 'full',
    extra: {},
    ...given,
  };
}

function remoteOf(url: string): RegistryEntry['remotes'][number] {
  return { kind: 'http', url, headers: [], variables: {}, extra: {} };
}
