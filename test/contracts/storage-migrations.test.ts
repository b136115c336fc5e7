import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { verifyChain } from '../../src/calls/audit/chain.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { migrationNames, migrationsFor } from '../../src/storage/migrations/list.ts';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';
import { sqliteDialect } from '../../src/storage/sqlite/open.ts';
import type { KeyRing, SealedRecord } from '../../src/vault/store.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { recordOf } from './audit-store.ts';
import { asOrdinaryRole } from './ordinary-role.ts';
import { startTogether } from './storage-process.ts';

const NEWER = '9999-from-the-future';
const server = defineServer({ id: 's', endpoint: { kind: 'http', url: 'https://x.test', headers: {} } });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-migrations-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

let names = 0;
async function newDatabase(kind: 'sqlite' | 'postgres'): Promise<StorageOptions> {
  return kind === 'sqlite'
    ? { kind, file: join(folder, `${(names += 1)}.db`) }
    : { kind, url: await shared('database') };
}

for (const kind of ['sqlite', 'postgres'] as const) {
  verifies(
    ['H2'],
    `a new ${kind} database is made ready once and kept when opened again`,
    async () => {
      const options = await newDatabase(kind);
      await using first = await openStorage(options);
      expect(await first.servers.listServers('local')).toEqual([]);
      await first.servers.putServer('local', server);
      await using second = await openStorage(options);
      expect(await second.servers.listServers('local')).toEqual([server]);
      await first.close();
      await second.close();
      await using third = await openStorage(options);
      expect(await third.servers.listServers('local')).toEqual([server]);
      expect(await appliedOf(options)).toEqual(migrationNames);
    },
    20_000,
  );

  verifies(
    ['H2'],
    `processes that open a new ${kind} database at the same moment all get it`,
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const options = await newDatabase(kind);
        const writers = await startTogether(options, ['a', 'b', 'c'], 3);
        const ends = await Promise.all(writers.map((writer) => writer.ended));
        expect(ends).toEqual(writers.map(() => ({ code: 0, stderr: '' })));
        await using storage = await openStorage(options);
        expect(await storage.servers.listServers('local')).toHaveLength(9);
        expect(await appliedOf(options)).toEqual(migrationNames);
      }
    },
    60_000,
  );

  verifies(
    ['H2'],
    `one process opens a new ${kind} database several times at once`,
    async () => {
      const options = await newDatabase(kind);
      const storages = await Promise.all(Array.from({ length: 5 }, () => openStorage(options)));
      await Promise.all(
        storages.map((storage, index) => storage.servers.putServer('local', { ...server, id: `s${index}` })),
      );
      expect(await storages[0]?.servers.listServers('local')).toHaveLength(5);
      await Promise.all(storages.map((storage) => storage.close()));
    },
    20_000,
  );

  verifies(
    ['H2'],
    `a failing step leaves a ${kind} database as it was before the first step`,
    async () => {
      const options = await newDatabase(kind);
      const schema = kind === 'postgres' ? 'plugboard.' : '';
      await inDatabase(options, async (query) => {
        if (kind === 'postgres') await query('create schema plugboard');
        await query(`create table ${schema}kysely_migration (name varchar(255) primary key, timestamp text)`);
        // The last table of the first step is in the way.
        await query(`create table ${schema}processes (mine text)`);
      });
      await expect(openStorage(options)).rejects.toMatchObject({ code: 'storage_failed' });
      expect(await tablesOf(options)).not.toContain('servers');
      expect(await appliedOf(options)).toEqual([]);
      await inDatabase(options, (query) => query(`drop table ${schema}processes`));
      await using storage = await openStorage(options);
      expect(await storage.servers.listServers('local')).toEqual([]);
    },
    20_000,
  );

  for (const steps of [1, 2, 3]) {
    verifies(
      ['H2'],
      `a ${kind} database that is ${steps} steps old gets the others and keeps what it holds`,
      async () => {
        const options = await newDatabase(kind);
        await makeOlder(options, steps);
        expect(await tablesOf(options)).not.toContain('audit');
        await using storage = await openStorage(options);
        expect(await appliedOf(options)).toEqual(migrationNames);
        expect(await storage.servers.listServers('local')).toEqual([server]);
        await storage.audit.appendAudit('local', [recordOf({ callId: 'first' })]);
        expect((await storage.audit.queryAudit('local', { limit: 5 })).records).toHaveLength(1);
        expect(await storage.policy.listGrants('local')).toEqual([]);
        expect(await storage.tools.listPins('local')).toEqual([]);
        expect(await storage.results.listResults('local')).toEqual([]);
      },
      20_000,
    );
  }

  verifies(
    ['H2', 'L6'],
    `records of an older ${kind} database are counted like new ones, whatever stands in them`,
    async () => {
      const options = await newDatabase(kind);
      await makeOlder(options, 6);
      const table = kind === 'postgres' ? 'plugboard.audit' : 'audit';
      const old = [
        recordOf({ callId: 'old', durationMs: 1.25, resultBytes: 30 }),
        recordOf({ callId: 'tricky', durationMs: 3.75, args: { q: '"durationMs":9' }, resultBytes: 10 }),
        recordOf({ callId: 'odd', args: { q: '\0' }, resultBytes: 8 }),
      ];
      await inDatabase(options, async (query) => {
        for (const record of old) {
          const body = JSON.stringify(record).replaceAll("'", "''");
          await query(
            `insert into ${table} (owner, call_id, at, server, tool, outcome, body)
             values ('local', '${record.callId}', 5, 's', 't', 'ok', '${body}')`,
          );
        }
      });
      await using storage = await openStorage(options);
      const [sum] = await storage.audit.sumAudit('local', { since: 0, until: 10, partMs: 10, limit: 5 });
      expect(sum).toMatchObject({ server: 's', calls: 3, failures: 0 });
      expect((await storage.audit.queryAudit('local', { limit: 5 })).records).toEqual(old.toReversed());
      // PostgreSQL does not read the odd one; its figures are left out of the mean.
      expect(sum?.meanMs).toBeCloseTo(kind === 'postgres' ? 2.5 : 17 / 3, 3);
      expect(sum?.resultBytes).toBe(kind === 'postgres' ? 40 : 48);
    },
    20_000,
  );

  verifies(
    ['H2', 'S1'],
    `what an older ${kind} database says of a server among other clients' fields gets fields of its own`,
    async () => {
      const options = await newDatabase(kind);
      await makeOlder(options, 7);
      const table = kind === 'postgres' ? 'plugboard.servers' : 'servers';
      const pack = { registry: 'npm', name: 'p', version: '1.0.0' } as const;
      const follow = { client: 'cursor', file: '/f', syntax: 'json', path: ['mcpServers', 'x'] } as const;
      const icon = 'https://x.test/icon.png';
      const old = {
        pinned: { package: pack, extra: { integrity: 'sha512-abc', color: 'blue' } },
        // Sealed by mistake: the checksum itself is not in the database any more.
        sealed: { package: pack, extra: { integrity: '${vault:sealed/integrity}' } },
        followed: { extra: { follow: { ...follow, key: 'X Y' }, icons: [{ src: icon }] } },
      };
      await inDatabase(options, async (query) => {
        for (const [id, fields] of Object.entries(old)) {
          const body = JSON.stringify({ ...server, ...fields, id });
          await query(`insert into ${table} (owner, name, body) values ('local', '${id}', '${body}')`);
        }
      });
      await using storage = await openStorage(options);
      const byId = new Map((await storage.servers.listServers('local')).map((one) => [one.id, one]));
      const plain = { ...server, extra: {} };
      expect(byId.get('pinned')).toEqual({
        ...server,
        id: 'pinned',
        package: { ...pack, integrity: 'sha512-abc' },
        extra: { color: 'blue' },
      });
      expect(byId.get('sealed')).toEqual({ ...plain, id: 'sealed', package: pack });
      expect(byId.get('followed')).toEqual({
        ...plain,
        id: 'followed',
        follow: { ...follow, entry: 'X Y' },
        icons: [icon],
      });
    },
    20_000,
  );

  verifies(
    ['H2', 'L9'],
    `records of an older ${kind} database are chained, and the next ones behind them`,
    async () => {
      const options = await newDatabase(kind);
      await makeOlder(options, 7);
      const table = kind === 'postgres' ? 'plugboard.audit' : 'audit';
      await inDatabase(options, async (query) => {
        for (let index = 0; index < 1_100; index += 100) {
          const rows = Array.from({ length: 100 }, (_, more) => {
            const callId = `c${index + more}`;
            const body = JSON.stringify(recordOf({ callId, at: 5, args: { q: "it's \0" } }));
            const owner = more % 10 === 0 ? 'other' : 'local';
            return `('${owner}', '${callId}', 5, 's', 't', 'ok', '${body.replaceAll("'", "''")}')`;
          });
          await query(
            `insert into ${table} (owner, call_id, at, server, tool, outcome, body) values ${rows.join(', ')}`,
          );
        }
      });
      await using storage = await openStorage(options);
      await storage.audit.appendAudit('local', [recordOf({ callId: 'new' })]);
      const verified = (owner: string): Promise<unknown> => verifyChain(storage.audit, owner, { batch: 300 });
      expect(await verified('local')).toMatchObject({ intact: true, records: 991, pruned: 0 });
      expect(await verified('other')).toMatchObject({ intact: true, records: 110, pruned: 0 });
      await inDatabase(options, (query) => query(`update ${table} set at = 6 where call_id = 'c77'`));
      expect(await verified('local')).toMatchObject({ intact: false, problem: { callId: 'c77' } });
    },
    20_000,
  );

  verifies(
    ['H2', 'V1'],
    `the vault of an older ${kind} database belongs to its one user, and to no other owner`,
    async () => {
      const made = await newDatabase(kind);
      const options = made.kind === 'postgres' ? { ...made, url: await asOrdinaryRole(made.url) } : made;
      await makeOlder(options, 14);
      const schema = kind === 'postgres' ? 'plugboard.' : '';
      const ring: KeyRing = { version: 3, master: { kind: 'file', id: 'm' }, current: 'k', keys: [] };
      const id = { owner: 'local', kind: 'secret', name: 'bank/key' } as const;
      const record: SealedRecord = { ...id, server: 'bank', version: 7, keyId: 'k', sealed: 'x' };
      await inDatabase(options, async (query) => {
        await query(`insert into ${schema}vault_key_ring values ('vault', 3, '${JSON.stringify(ring)}')`);
        await query(`insert into ${schema}vault_keys (id) values ('k')`);
        await query(`insert into ${schema}vault_records (owner, kind, name, server, version, key_id, body)
          values ('local', 'secret', 'bank/key', 'bank', 7, 'k', '${JSON.stringify(record)}')`);
      });
      await using storage = await openStorage(options);
      const { vault } = storage;
      expect(await vault.getKeyRing('local')).toEqual(ring);
      expect(await vault.getRecord(id)).toEqual(record);
      expect(await vault.listRecordsUnder('local', 'k', 5)).toEqual([record]);
      expect(await vault.getKeyRing('other')).toBeUndefined();
      expect(await vault.hasRecords('other')).toBe(false);
      expect(await vault.deleteRecord(id)).toBe(true);
      expect(await vault.retireKey('local', 'k')).toBe(true);
    },
    20_000,
  );

  verifies(
    ['H2'],
    `a step that fails in its middle leaves an older ${kind} database as it was`,
    async () => {
      const options = await newDatabase(kind);
      await makeOlder(options, 3);
      const schema = kind === 'postgres' ? 'plugboard.' : '';
      // The last table of the last step is in the way.
      await inDatabase(options, (query) => query(`create table ${schema}result_pieces (mine text)`));
      const before = await tablesOf(options);
      await expect(openStorage(options)).rejects.toMatchObject({ code: 'storage_failed' });
      expect(await tablesOf(options)).toEqual(before);
      expect(await appliedOf(options)).toEqual(migrationNames.slice(0, 3));
      await inDatabase(options, (query) => query(`drop table ${schema}result_pieces`));
      await using storage = await openStorage(options);
      expect(await storage.servers.listServers('local')).toEqual([server]);
    },
    20_000,
  );

  verifies(
    ['H2'],
    `a ${kind} database of a newer version is refused and stays as it is`,
    async () => {
      const options = await newDatabase(kind);
      await (await openStorage(options)).close();
      await pretendNewer(options);
      const before = await stateOf(options);
      await expect(openStorage(options)).rejects.toMatchObject({
        code: 'storage_failed',
        owner: 'you',
        message: expect.stringMatching(/newer version of Plugboard.*Nothing in it was changed/),
        details: { unknown: [NEWER] },
      });
      expect(await stateOf(options)).toEqual(before);
    },
    20_000,
  );
}

verifies(['H2'], 'tables of other programs in the same PostgreSQL database are left alone', async () => {
  const options = await newDatabase('postgres');
  await inDatabase(options, async (query) => {
    await query(`create table servers (mine text)`);
    await query(`insert into servers values ('untouched')`);
  });
  await using storage = await openStorage(options);
  await storage.servers.putServer('local', server);
  expect(await inDatabase(options, (query) => query('select * from public.servers'))).toEqual([
    { mine: 'untouched' },
  ]);
});

type Query = (text: string) => Promise<unknown[]>;

async function inDatabase<T>(options: StorageOptions, work: (query: Query) => Promise<T>): Promise<T> {
  if (options.kind === 'sqlite') {
    using database = new DatabaseSync(options.file);
    return await work((text) => Promise.resolve(database.prepare(text).all()));
  }
  if (options.kind !== 'postgres') throw new Error('Memory has no tables.');
  const client = new Client(options.url);
  await client.connect();
  try {
    return await work(async (text) => (await client.query(text)).rows);
  } finally {
    await client.end();
  }
}

/** A database as an earlier version left it, with one server in it. */
async function makeOlder(options: StorageOptions, steps: number): Promise<void> {
  const isPostgres = options.kind === 'postgres';
  using file = new DatabaseSync(options.kind === 'sqlite' ? options.file : ':memory:');
  const dialect = isPostgres
    ? new PostgresDialect({ pool: new Pool({ connectionString: options.url }) })
    : sqliteDialect(file);
  const root = new Kysely({ dialect });
  const first = Object.entries(migrationsFor(isPostgres ? 'postgres' : 'sqlite')).slice(0, steps);
  const { error } = await new Migrator({
    db: isPostgres ? root.withSchema('plugboard') : root,
    provider: { getMigrations: () => Promise.resolve(Object.fromEntries(first)) },
    ...(isPostgres ? { migrationTableSchema: 'plugboard' } : {}),
  }).migrateToLatest();
  expect(error).toBeUndefined();
  await root.destroy();
  const table = isPostgres ? 'plugboard.servers' : 'servers';
  const row = `'local', 's', '${JSON.stringify(server)}'`;
  await inDatabase(options, (query) => query(`insert into ${table} (owner, name, body) values (${row})`));
}

function migrationTable(options: StorageOptions): string {
  return options.kind === 'postgres' ? 'plugboard.kysely_migration' : 'kysely_migration';
}

async function appliedOf(options: StorageOptions): Promise<unknown[]> {
  const rows = await inDatabase(options, (query) => query(`select name from ${migrationTable(options)}`));
  return rows.map((row) => (row as { name: string }).name);
}

async function tablesOf(options: StorageOptions): Promise<unknown[]> {
  const text =
    options.kind === 'sqlite'
      ? `select name from sqlite_master where type = 'table' order by 1`
      : `select table_name as name from information_schema.tables where table_schema = 'plugboard' order by 1`;
  const rows = await inDatabase(options, (query) => query(text));
  return rows.map((row) => (row as { name: string }).name);
}

async function pretendNewer(options: StorageOptions): Promise<void> {
  await inDatabase(options, (query) =>
    query(`insert into ${migrationTable(options)} values ('${NEWER}', '2099-01-01T00:00:00.000Z')`),
  );
}

/** For a file its bytes and what waits to be written into it, for PostgreSQL its tables and migrations. */
async function stateOf(options: StorageOptions): Promise<unknown> {
  if (options.kind === 'sqlite') {
    const bytes = createHash('sha256')
      .update(await readFile(options.file))
      .digest('hex');
    const log = `${options.file}-wal`;
    return { bytes, waitingBytes: existsSync(log) ? statSync(log).size : 0 };
  }
  return { tables: await tablesOf(options), applied: await appliedOf(options) };
}
