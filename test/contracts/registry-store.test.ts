import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterAll, beforeAll, expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { migrationsFor } from '../../src/storage/migrations/list.ts';
import { openStorage } from '../../src/storage/open.ts';
import { sqliteDialect } from '../../src/storage/sqlite/open.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { entryOf, registryStoreContract } from './registry-store.ts';

let folder: string;
let database: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-registry-'));
  database = await shared('database');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

registryStoreContract('memory', () => openStorage({ kind: 'memory' }));
registryStoreContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder, 'plug.db') }));
registryStoreContract('postgres', () => openStorage({ kind: 'postgres', url: database }));

verifies(
  ['S13', 'H2'],
  'a database from before the registry index gets it and keeps what it holds',
  async () => {
    const file = join(folder, 'older.db');
    const server = defineServer({ id: 's', endpoint: { kind: 'http', url: 'https://x.test', headers: {} } });
    const database = new DatabaseSync(file);
    const first = Object.entries(migrationsFor('sqlite')).slice(0, 1);
    const migrator = new Migrator({
      db: new Kysely({ dialect: sqliteDialect(database) }),
      provider: { getMigrations: () => Promise.resolve(Object.fromEntries(first)) },
    });
    expect((await migrator.migrateToLatest()).error).toBeUndefined();
    database
      .prepare('insert into servers (owner, name, body) values (?, ?, ?)')
      .run('local', 's', JSON.stringify(server));
    database.close();
    await using storage = await openStorage({ kind: 'sqlite', file });
    await storage.registry.putEntries('local', [entryOf('a/b', {})], 1);
    expect(await storage.registry.countEntries('local', 'official')).toBe(1);
    expect(await storage.servers.getServer('local', 's')).toEqual(server);
  },
);

verifies(
  ['S13'],
  'the index outlives the process: a second opening finds what the first stored',
  async () => {
    const file = join(folder, 'kept.db');
    {
      await using storage = await openStorage({ kind: 'sqlite', file });
      await storage.registry.putEntries('local', [entryOf('acme/lasting', {})], 42);
    }
    await using storage = await openStorage({ kind: 'sqlite', file });
    const found = await storage.registry.searchEntries('local', { query: 'lasting', limit: 5 });
    expect(found.map(({ fetchedAt }) => fetchedAt)).toEqual([42]);
  },
);
