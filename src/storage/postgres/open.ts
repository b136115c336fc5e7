import { Kysely, PostgresDialect } from 'kysely';
import { limits } from '../../base/limits.ts';
import { checkVersion, migrate, type Place } from '../sql/migrate.ts';
import { retrying } from '../sql/run.ts';
import type { Tables } from '../sql/schema.ts';
import { sqlStorage } from '../sql/storage.ts';
import type { Storage, StorageTiming } from '../storage.ts';
import { readAddress } from './address.ts';
import { postgresFaults } from './faults.ts';
import { openPool } from './pool.ts';

/** Our tables live apart, so that a database can be shared with other programs. */
const SCHEMA = 'plugboard';

/** Connects and migrates. Lost connections are replaced by themselves from then on. */
export async function openPostgres(url: string, timing: StorageTiming): Promise<Storage> {
  const address = readAddress(url);
  const place: Place = { kind: 'postgres', name: address.shown, schema: SCHEMA };
  const pool = await openPool(url);
  const run = retrying({
    faults: postgresFaults(address),
    totalMs: limits.postgresRetryTotalMs,
    timing,
  });
  const root = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const db = root.withSchema(SCHEMA);
  const close = async (): Promise<void> => {
    await root.destroy();
    await pool.end();
  };
  try {
    // The migrator takes an advisory lock and a transaction by itself.
    if ((await run(() => checkVersion(db, place))) !== 'current') await run(() => migrate(db, place));
    return sqlStorage({ kind: 'postgres', db, run, close });
  } catch (error) {
    await close();
    throw error;
  }
}
