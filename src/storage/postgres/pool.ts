import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { PlugError } from '../../base/errors.ts';
import { isConnectionFault } from './faults.ts';

/** Connections that are dropped as soon as anything but the server speaks of trouble. */
export async function openPool(url: string): Promise<PostgresPool> {
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
  // An idle connection that ends is replaced at the next query; unheard, it would end the process.
  pool.on('error', () => undefined);
  return {
    connect: async () => lend(await pool.connect()),
    end: () => end(pool),
    options: pool.options,
  };
}

function lend(client: PoolClient): PostgresPoolClient {
  let broken = false;
  // Between two queries nobody else listens, and an unheard error would end the process.
  const onError = (): void => {
    broken = true;
  };
  client.on('error', onError);
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(text, [...values]);
    } catch (error) {
      broken ||= isConnectionFault(error);
      throw error;
    }
  };
  return {
    // Kysely's other form, with a cursor, is used by streaming alone, which the stores never do.
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.off('error', onError);
      client.release(broken || destroy === true);
    },
  };
}

async function end(pool: Pool): Promise<void> {
  if (!pool.ending) await pool.end();
}

async function importPg(): Promise<typeof import('pg')> {
  try {
    return await import('pg');
  } catch (cause) {
    if (!isObject(cause) || cause['code'] !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new PlugError('storage_failed', 'PostgreSQL needs the package “pg”, which is not installed.', {
      owner: 'you',
      next: 'npm install pg',
      cause,
    });
  }
}
