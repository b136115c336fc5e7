import { sql, type Kysely } from 'kysely';
import type { SqlKind } from './tables.ts';

/** Adds the switch for servers' own pages, and columns for the figures of audit records. */
export async function addAppsAndFigures(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema.alterTable('overrides').addColumn('apps', 'integer').execute();
  await db.schema.alterTable('audit').addColumn('duration_us', 'bigint').execute();
  await db.schema.alterTable('audit').addColumn('result_bytes', 'bigint').execute();
  const { duration_us, result_bytes, where } = FIGURES[kind];
  // The table as it is at this step.
  await (db as Kysely<{ audit: { duration_us: number; result_bytes: number } }>)
    .updateTable('audit')
    .set({ duration_us, result_bytes })
    .where(where)
    .execute();
}

/** Older records have their figures only in the body. PostgreSQL can't read JSON with odd escapes. */
const FIGURES = {
  sqlite: {
    duration_us: sql<number>`cast(round(json_extract(body, '$.durationMs') * 1000) as integer)`,
    result_bytes: sql<number>`json_extract(body, '$.resultBytes')`,
    where: sql<boolean>`json_valid(body)`,
  },
  postgres: {
    duration_us: sql<number>`round((body::json->>'durationMs')::numeric * 1000)::bigint`,
    result_bytes: sql<number>`(body::json->>'resultBytes')::bigint`,
    where: sql<boolean>`body !~ ${sql.lit(String.raw`\\u(0000|[dD][89a-fA-F])`)}`,
  },
} as const;
