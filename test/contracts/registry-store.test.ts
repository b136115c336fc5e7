import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { entryOf, registryStoreContract } from './registry-store.ts';

let folder: string;
let postgres: PostgresServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-registry-'));
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

registryStoreContract('memory', () => openStorage({ kind: 'memory' }));
registryStoreContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder, 'plug.db') }));
registryStoreContract('postgres', () => openStorage({ kind: 'postgres', url: postgres.url }));

verifies(
  ['S13', 'H2'],
  'a database from before the registry index gets it and keeps what it holds',
  async () => {
    const file = join(folder, 'older.db');
    const server = { id: 's', endpoint: { kind: 'http', url: 'https://x.test', headers: {} } } as const;
    {
      await using storage = await openStorage({ kind: 'sqlite', file });
      await storage.servers.putServer('local', defineServer(server));
    }
    const database = new DatabaseSync(file);
    database.exec(`drop table registry_words; drop table registry_entries; drop table registry_syncs;
    delete from kysely_migration where name >= '0002'`);
    database.close();
    await using storage = await openStorage({ kind: 'sqlite', file });
    await storage.registry.putEntries('local', [entryOf('a/b', {})], 1);
    expect(await storage.registry.countEntries('local', 'official')).toBe(1);
    expect(await storage.servers.getServer('local', 's')).toEqual(defineServer(server));
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
