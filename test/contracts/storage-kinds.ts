import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { StorageOptions } from '../../src/storage/open.ts';
import { shared } from '../suite/run-resources.ts';
import { asOrdinaryRole } from './ordinary-role.ts';

export interface StorageKind {
  readonly kind: StorageOptions['kind'];
  /** Known when the tests run: opening twice with them opens the same database, but for memory. */
  readonly options: () => StorageOptions;
}

/** Every kind of storage, with a folder and a PostgreSQL database of the test file's own. */
export function everyStorage(): readonly StorageKind[] {
  let folder: string;
  let database: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plug-store-'));
    database = await asOrdinaryRole(await shared('database'));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return [
    { kind: 'memory', options: () => ({ kind: 'memory' }) },
    { kind: 'sqlite', options: () => ({ kind: 'sqlite', file: join(folder, 'plug.db') }) },
    { kind: 'postgres', options: () => ({ kind: 'postgres', url: database }) },
  ];
}

/** From now on the database itself refuses rows whose column holds “refused”, as a full disk would. */
export async function refuseRows(options: StorageOptions, table: string, column: string): Promise<void> {
  if (options.kind === 'sqlite') {
    using database = new DatabaseSync(options.file);
    database.exec(`create trigger refuse_${table} before insert on ${table} when new.${column} = 'refused'
      begin select raise(abort, 'refused by the test'); end`);
  }
  if (options.kind !== 'postgres') return;
  const client = new Client(options.url);
  await client.connect();
  await client.query(`alter table plugboard.${table} add check (${column} <> 'refused')`);
  await client.end();
}

/** What anybody may send: names and texts that some database cannot hold as they are. */
export const ODD_TEXTS = [
  'plain',
  '',
  'ümläut 引用 😀',
  'a\0b',
  '\ud800',
  '\ud801',
  'sha256:x',
  '__proto__',
  "'; drop table pins; --",
  'x'.repeat(5_000),
] as const;
