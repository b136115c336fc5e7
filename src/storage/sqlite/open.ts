import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { limits } from '../../base/limits.ts';
import { checkVersion, migrate, type Place, type Version } from '../sql/migrate.ts';
import { retrying, type Run } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { sqlStorage } from '../sql/storage.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { configure } from './configure.ts';
import { sqliteDialect } from './dialect.ts';
import { sqliteFaults, wantsRecovery } from './faults.ts';
import { prepareFile } from './file.ts';

/** Opens or makes the database file. Several processes may hold it at once. */
export async function openSqlite(path: string, timing: StorageTiming): Promise<Storage> {
  // An absolute path keeps SQLite from reading “:memory:” or “file:…” into it.
  const file = resolve(path);
  const place: Place = { kind: 'sqlite', name: file };
  const run = retrying({ faults: sqliteFaults(file), totalMs: limits.sqliteBusyTotalMs, timing });
  const found = await prepareFile(file);
  const version = found === 'new' ? 'empty' : await run(() => lookInto(place));

  const database = await run(async () => connect(file));
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const close = async (): Promise<void> => {
    await db.destroy();
    if (database.isOpen) database.close();
  };
  try {
    await run(async () => configure(database));
    if (version !== 'current') await migrateAtOnce(database, db, { place, run });
    return sqlStorage({ kind: 'sqlite', db, run, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Read-only, so that a damaged or newer file is left as it is, to the byte. */
async function lookInto(place: Place): Promise<Version> {
  try {
    return await lookWith(place, { readOnly: true });
  } catch (error) {
    // A crash left half of a transaction behind: only somebody who may write can take it back.
    if (!wantsRecovery(error)) throw error;
    return lookWith(place, { readOnly: false });
  }
}

async function lookWith(place: Place, { readOnly }: { readonly readOnly: boolean }): Promise<Version> {
  const database = new DatabaseSync(place.name, { readOnly, timeout: limits.sqliteBusyBlockMs });
  try {
    return await checkVersion(new Kysely<Tables>({ dialect: sqliteDialect(database) }), place);
  } finally {
    database.close();
  }
}

function connect(file: string): DatabaseSync {
  return new DatabaseSync(file, { timeout: limits.sqliteBusyBlockMs });
}

/** All steps in one transaction: another process sees none or all of them, and so does a crash. */
async function migrateAtOnce(
  database: DatabaseSync,
  db: Kysely<Tables>,
  { place, run }: { readonly place: Place; readonly run: Run },
): Promise<void> {
  await run(async () => database.exec('begin immediate'));
  try {
    // Another process may have been here while this one waited for its turn.
    const version = await run(() => checkVersion(db, place));
    if (version !== 'current') await run(() => migrate(db, place));
    await run(async () => database.exec('commit'));
  } finally {
    if (database.isTransaction) database.exec('rollback');
  }
}
