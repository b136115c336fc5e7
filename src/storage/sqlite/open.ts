import { dirname, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { limits } from '../../base/limits.ts';
import { checkVersion, migrate, type DatabasePlace, type Version } from '../sql/migrate.ts';
import { retrying, type Run } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { sqlStorage } from '../sql/storage.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { sqliteFaults, wantsRecovery } from './faults.ts';
import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { isObject } from '../../base/json.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-words.ts';

/** Opens or makes the database file. Several processes may hold it at once. */
export async function openSqlite(path: string, timing: StorageTiming): Promise<Storage> {
  // An absolute path keeps SQLite from reading “:memory:” or “file:…” into it.
  const file = resolve(path);
  const place: DatabasePlace = { kind: 'sqlite', name: file };
  const run = runOn(file, timing);
  const found = await prepareFile(file);
  const version = found === 'new' ? 'empty' : await run(() => lookInto(place));
  return openAt(place, { kind: 'sqlite', run, version });
}

/** For tests and for programs that store nothing: the same database, in memory, gone when it is closed. */
export function openInMemory(timing: StorageTiming): Promise<Storage> {
  const place: DatabasePlace = { kind: 'sqlite', name: ':memory:' };
  return openAt(place, { kind: 'memory', run: runOn(place.name, timing), version: 'empty' });
}

function runOn(name: string, timing: StorageTiming): Run {
  return retrying({ faults: sqliteFaults(name), totalMs: limits.sqliteBusyTotalMs, timing });
}

async function openAt(
  place: DatabasePlace,
  { kind, run, version }: { readonly kind: Storage['kind']; readonly run: Run; readonly version: Version },
): Promise<Storage> {
  const database = await run(async () => connect(place.name));
  const db = new Kysely<Tables>({ dialect: sqliteDialect(database) });
  const close = async (): Promise<void> => {
    await db.destroy();
    if (database.isOpen) database.close();
  };
  try {
    await run(async () => configure(database));
    if (version !== 'current') await migrateAtOnce(database, db, { place, run });
    return sqlStorage({ kind, db, run, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Read-only, so that a damaged or newer file is left as it is, to the byte. */
async function lookInto(place: DatabasePlace): Promise<Version> {
  try {
    return await lookWith(place, { readOnly: true });
  } catch (error) {
    // A crash left half of a transaction behind: only somebody who may write can take it back.
    if (!wantsRecovery(error)) throw error;
    return lookWith(place, { readOnly: false });
  }
}

async function lookWith(
  place: DatabasePlace,
  { readOnly }: { readonly readOnly: boolean },
): Promise<Version> {
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
  { place, run }: { readonly place: DatabasePlace; readonly run: Run },
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

export function configure(database: DatabaseSync): void {
  // Readers and one writer do not block each other.
  database.exec('pragma journal_mode = wal');
  // In WAL mode only FULL syncs every commit: what was acknowledged survives a power cut.
  database.exec('pragma synchronous = full');
  database.exec(`pragma journal_size_limit = ${limits.sqliteJournalBytesMax}`);
  database.exec('pragma trusted_schema = off');
}

/** Kysely over Node's own SQLite. Kysely expects the shape of better-sqlite3; this gives it. */
export function sqliteDialect(database: DatabaseSync): SqliteDialect {
  const prepared = new Map<string, SqliteStatement>();
  const shaped: SqliteDatabase = {
    prepare: (text) => prepared.get(text) ?? keep(prepared, text, shapeStatement(database.prepare(text))),
    // Who opened the database closes it, also when Kysely never used it.
    close: () => undefined,
  };
  return new SqliteDialect({ database: shaped });
}

/** Our statements are few, and each is used again and again; the oldest goes when there are too many. */
function keep(
  prepared: Map<string, SqliteStatement>,
  text: string,
  statement: SqliteStatement,
): SqliteStatement {
  const [oldest] = prepared.keys();
  if (oldest !== undefined && prepared.size >= PREPARED_MAX) prepared.delete(oldest);
  // A statement that changes tables is used once, and those prepared before it know nothing of them. A
  // rollback may take such a change back.
  if (CHANGES_TABLES.test(text)) prepared.clear();
  else prepared.set(text, statement);
  return statement;
}

const PREPARED_MAX = 64;
const CHANGES_TABLES = /^\s*(create|alter|drop|pragma|vacuum|attach|rollback)\b/i;

function shapeStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toValues(parameters)),
    run: (parameters) => statement.run(...toValues(parameters)),
    iterate: (parameters) => statement.iterate(...toValues(parameters)),
  };
}

function toValues(parameters: readonly unknown[]): SQLInputValue[] {
  // Our tables have text, integer and null columns alone, so that nothing else is ever bound.
  return parameters as SQLInputValue[];
}

const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * Makes sure that the file is there, is a file and is the user's alone, before SQLite opens it.
 * The files that SQLite lays beside it take over its mode. Answers whether it holds anything.
 */
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

/** `wx` never follows a link and never opens what is there. */
async function createOwn(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', OWN_FILE);
    await handle.close();
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'EEXIST') throw error;
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
