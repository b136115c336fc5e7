import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { shellWord } from '../../base/shell-words.ts';
import { checkVersion, migrate, type DatabasePlace, type Version } from '../sql/migrate.ts';
import { OwnRows } from '../sql/own-rows.ts';
import { retrying, type Run, type Scope } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { sqlStorage } from '../sql/storage.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { sqliteFaults, wantsRecovery } from './faults.ts';

/** Opens or makes the database file. Several processes may hold it at once. */
export async function openSqlite(path: string, timing: StorageTiming): Promise<Storage> {
  // An absolute path keeps SQLite from reading “:memory:” or “file:…” into it.
  const file = resolve(path);
  const run = runOn(file, timing);
  const version = (await prepareFile(file)) === 'new' ? 'empty' : await run(() => lookInto(file));
  return openAt(file, 'sqlite', run, version);
}

/** For tests and programs that store nothing: the same database in memory, gone when it is closed. */
export function openInMemory(timing: StorageTiming): Promise<Storage> {
  return openAt(IN_MEMORY, 'memory', runOn(IN_MEMORY, timing), 'empty');
}

const IN_MEMORY = ':memory:';

function runOn(name: string, timing: StorageTiming): Run {
  return retrying(sqliteFaults(name), limits.sqliteBusyTotalMs, timing);
}

async function openAt(name: string, kind: Storage['kind'], run: Run, version: Version): Promise<Storage> {
  const database = await run(async () => connect(name, false));
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const close = async (): Promise<void> => {
    await db.destroy();
    if (database.isOpen) database.close();
  };
  try {
    await run(async () => configure(database));
    if (version !== 'current') await migrateAtOnce(name, database, db, run);
    return sqlStorage({ kind, db, run, scope: sqliteScope, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** The condition in each statement is all there is: a file belongs to one user of the machine. */
export const sqliteScope: Scope = {
  one: (db, owner, work) => work(new OwnRows(db, owner)),
  together: (db, owner, work) => db.transaction().execute((step) => work(new OwnRows(step, owner))),
};

/** Read-only, so that a damaged or newer file is left as it is, to the byte. */
async function lookInto(file: string): Promise<Version> {
  try {
    return await lookWith(file, true);
  } catch (error) {
    // A crash left half of a transaction behind, which only a writer can roll back.
    if (!wantsRecovery(error)) throw error;
    return lookWith(file, false);
  }
}

async function lookWith(name: string, readOnly: boolean): Promise<Version> {
  const database = connect(name, readOnly);
  try {
    const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
    return await checkVersion(db, { kind: 'sqlite', name });
  } finally {
    database.close();
  }
}

function connect(file: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(file, { readOnly, timeout: limits.sqliteBusyBlockMs });
}

/** All steps in one transaction: another process sees none or all of them, and so does a crash. */
async function migrateAtOnce(
  name: string,
  database: DatabaseSync,
  db: Kysely<Tables>,
  run: Run,
): Promise<void> {
  const place: DatabasePlace = { kind: 'sqlite', name };
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

export function configure(database: DatabaseSync): void {
  // Readers and one writer do not block each other.
  database.exec('pragma journal_mode = wal');
  // In WAL mode only FULL syncs every commit: acknowledged writes survive a power cut.
  database.exec('pragma synchronous = full');
  database.exec(`pragma journal_size_limit = ${limits.sqliteJournalBytesMax}`);
  database.exec('pragma trusted_schema = off');
}

/** Kysely over Node's own SQLite, in the shape of better-sqlite3, which Kysely expects. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const prepared: Prepared = new Map();
  const shaped: SqliteDatabase = {
    prepare: (text) => prepared.get(text) ?? keep(prepared, text, prepare(database, text)),
    // The opener closes the database, also when Kysely never used it.
    close: () => undefined,
  };
  return new SqliteDialect({ database: shaped });
}

type Prepared = Map<string, SqliteStatement>;

/** Our statements are few and used again and again; the oldest goes when there are too many. */
function keep(prepared: Prepared, text: string, statement: SqliteStatement): SqliteStatement {
  const [oldest] = prepared.keys();
  if (oldest !== undefined && prepared.size >= PREPARED_MAX) prepared.delete(oldest);
  // A change of tables (or a rollback of one) makes statements that were prepared before it stale.
  if (CHANGES_TABLES.test(text)) prepared.clear();
  else prepared.set(text, statement);
  return statement;
}

const PREPARED_MAX = 64;
const CHANGES_TABLES = /^\s*(create|alter|drop|pragma|vacuum|attach|rollback)\b/i;

function prepare(database: DatabaseSync, text: string): SqliteStatement {
  const statement = database.prepare(text);
  // Our tables have only text, integer and null columns: nothing else is ever bound.
  const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  };
}

const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
const OTHERS = 0o077;

/** Makes a plain file of the user alone; the files that SQLite makes beside it inherit its mode. */
async function prepareFile(file: string): Promise<'new' | 'existing'> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
    await createOwn(file);
    const found = await lstat(file);
    if (found.isSymbolicLink()) throw notAFile(file, 'a symbolic link');
    if (!found.isFile()) throw notAFile(file, 'not a file');
    if ((found.mode & OTHERS) !== 0) await chmod(file, OWN_FILE);
    return found.size === 0 ? 'new' : 'existing';
  } catch (error) {
    throw error instanceof PlugError ? error : notWritable(file, error);
  }
}

/** `wx` never follows a link and never opens an existing file. */
async function createOwn(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', OWN_FILE)).close();
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

function notAFile(file: string, what: string): PlugError {
  return new PlugError('storage_failed', `The database ${file} is ${what}, so it was not opened.`, {
    owner: 'you',
    remedy: 'Name the real file, or move it to this place.',
    details: { file },
  });
}

function notWritable(file: string, cause: unknown): PlugError {
  return new PlugError('storage_failed', `The database ${file} cannot be made: ${messageOf(cause)}.`, {
    owner: 'you',
    remedy: `Check that you may write there: ls -lad ${shellWord(dirname(file))}`,
    details: { file },
    cause,
  });
}
