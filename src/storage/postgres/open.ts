import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';
import { hasCode, PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { CallJournalStore } from '../../calls/audit-record.ts';
import { checkVersion, migrate, type DatabasePlace } from '../sql/migrate.ts';
import { retrying, type Database, type Run } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { sqlStorage } from '../sql/storage.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { CallBatches } from './call-batches.ts';
import { isConnectionFault, isTransient, postgresFaults, type PostgresAddress } from './faults.ts';
import { enforceRowSecurity, liftRowSecurity, rowScope } from './row-security.ts';

/** Our tables live apart, so that a database can be shared with other programs. */
export const SCHEMA = 'plugboard';

/** Connects and migrates. The pool replaces lost connections from then on. */
export async function openPostgres(url: string, timing: StorageTiming): Promise<Storage> {
  return (await openDatabase(url, timing)).storage;
}

export interface OpenDatabase {
  readonly storage: Storage;
  readonly root: Kysely<Tables>;
  readonly run: Run;
  readonly trouble: Trouble;
}

/** How often the database was away, or about to go, when it was asked. */
export interface Trouble {
  readonly faults: number;
}

/** The stores, and the database behind them, which only the folder of the storage may speak to. */
export async function openDatabase(url: string, timing: StorageTiming): Promise<OpenDatabase> {
  const address = readAddress(url);
  const place: DatabasePlace = { kind: 'postgres', name: address.shown, schema: SCHEMA };
  const trouble = { faults: 0 };
  const pool = await openPool(url, trouble);
  const run = retrying(postgresFaults(address), limits.postgresRetryTotalMs, timing);
  const root = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const db = root.withSchema(SCHEMA);
  const close = async (): Promise<void> => {
    await root.destroy();
    await pool.end();
  };
  try {
    if ((await run(() => checkVersion(db, place))) !== 'current') await run(() => migrateAlone(db, place));
    const together = (database: Database, alone: CallJournalStore) => new CallBatches(database, alone);
    const storage = sqlStorage({ kind: 'postgres', db, run, scope: rowScope, together, close });
    return { storage, root, run, trouble };
  } catch (error) {
    await close();
    throw error;
  }
}

/** One starter at a time, all steps or none; those who waited find nothing left to do. */
function migrateAlone(db: Kysely<Tables>, place: DatabasePlace): Promise<void> {
  return db.transaction().execute(async (step) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATING)})`.execute(step);
    if ((await checkVersion(step, place)) === 'current') return;
    // Steps change the rows of all owners.
    await liftRowSecurity(step, SCHEMA);
    await migrate(step, place);
    await enforceRowSecurity(step, SCHEMA);
  });
}

/** The number of our lock in this database; other programs choose others. */
const MIGRATING = 7_584_233_001;

/** A pool that drops a connection as soon as the network fails. */
async function openPool(url: string, trouble: { faults: number }): Promise<PostgresPool> {
  const count = (error: unknown): void => {
    if (isTransient(error)) trouble.faults += 1;
  };
  const { default: pg } = await importPg();
  const pool = new pg.Pool({
    connectionString: url,
    max: limits.postgresConnectionsMax,
    connectionTimeoutMillis: limits.postgresConnectTimeoutMs,
    query_timeout: limits.postgresQueryTimeoutMs,
    keepAlive: true,
    application_name: 'plugboard',
    // Our bigints are times, counters and process ids: all far below 2^53.
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
    },
  });
  // An idle connection that ends is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return {
    connect: async () => {
      try {
        return lend(await pool.connect(), count);
      } catch (error) {
        count(error);
        throw error;
      }
    },
    end: async () => {
      if (!pool.ending) await pool.end();
    },
    options: pool.options,
  };
}

function lend(client: PoolClient, onFault: (error: unknown) => void): PostgresPoolClient {
  let broken = false;
  // Between two queries nothing else listens, and an error would end the process.
  const onError = (): void => {
    broken = true;
  };
  client.on('error', onError);
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      broken ||= isConnectionFault(error);
      onFault(error);
      throw error;
    }
  };
  return {
    // Kysely's other form, with a cursor, is only for streaming, which the stores never do.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.off('error', onError);
      client.release(broken || destroy === true);
    },
  };
}

export async function importPg(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (cause) {
    if (!hasCode(cause, 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new PlugError('storage_failed', 'PostgreSQL needs the package “pg”, which is not installed.', {
      owner: 'you',
      remedy: { do: 'run', line: 'npm install pg' },
      cause,
    });
  }
}

export function readAddress(url: string): PostgresAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['postgres:', 'postgresql:'].includes(parsed.protocol) || isTorn(parsed)) {
    // The text itself is not shown: it may hold a password.
    throw new PlugError('usage', 'The address of the PostgreSQL database cannot be read.', {
      owner: 'you',
      remedy:
        'Write it as postgres://USER:PASSWORD@HOST:5432/DATABASE, with special characters percent-encoded.',
    });
  }
  const host = parsed.searchParams.get('host') ?? (parsed.host || 'localhost');
  const given = [parsed.password, parsed.searchParams.get('password') ?? ''].filter((text) => text !== '');
  return {
    shown: `postgres://${host}${parsed.pathname}`,
    secrets: [...new Set(given.flatMap((text) => [text, decode(text)]))],
  };
}

/** A password with a bare slash, question mark or hash splits the address: its rest ends up behind. */
function isTorn(url: URL): boolean {
  return url.hash !== '' || `${url.pathname}${url.search}`.includes('@');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray percent sign: pg takes it as it is
  }
}
