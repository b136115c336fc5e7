import { sql, type Kysely } from 'kysely';
import type { SqlKind } from './growing-key.ts';

/** Whether a server's own pages are shown; and of each record what is counted, in columns of its own. */
export async function addAppsAndFigures(db: Kysely<unknown>, kind: SqlKind): Promise<void> {
  await db.schema.alterTable('overrides').addColumn('apps', 'integer').execute();
  await db.schema.alterTable('audit').addColumn('duration_us', 'bigint').execute();
  await db.schema.alterTable('audit').addColumn('result_bytes', 'bigint').execute();
  const { duration_us, result_bytes, where } = FIGURES[kind];
  // The tables as they are at this step; the types know only those of today.
  await (db as Kysely<{ audit: { duration_us: number; result_bytes: number } }>)
    .updateTable('audit')
    .set({ duration_us, result_bytes })
    .where(where)
    .execute();
}

/** Records of before tell their figures in their text. PostgreSQL reads no JSON with odd escapes in it. */
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
