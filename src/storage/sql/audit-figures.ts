import { type RawBuilder, sql } from 'kysely';
import type { AuditFigures, AuditParts, AuditRecord } from '../../calls/audit-record.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, boundedTimeFrom } from '../order.ts';
import { breathe, type Database } from './run.ts';
import { columnKey } from './columns.ts';

/**
 * Counted by the database, some thousand records at a time: SQLite answers within our own thread,
 * and calls are recorded meanwhile.
 */
export async function sumAudit(
  database: Database,
  owner: OwnerId,
  parts: AuditParts,
): Promise<readonly AuditFigures[]> {
  const [since, until] = [boundedTimeFrom(parts.since), boundedTimeFrom(parts.until)];
  const sums = new Map<string, Sum>();
  for (let from = since; from < until;) {
    const to = await endOfBatch(database, owner, { from, until });
    for (const sum of await sumsIn(database, owner, { ...parts, since, from, to })) addTo(sums, sum);
    from = to;
    await breathe();
  }
  const figures = [...sums.values()].map(toFigures).toSorted(byPart);
  return figures.slice(0, boundedCount(parts.limit, Number.MAX_SAFE_INTEGER));
}

/** The moment before which there are about as many records as are counted at once. */
async function endOfBatch(
  { db, run }: Database,
  owner: OwnerId,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<number> {
  const query = db
    .selectFrom('audit')
    .select('at')
    .where('owner', '=', columnKey(owner))
    .where('at', '>=', from)
    .where('at', '<', until)
    .orderBy('at')
    .orderBy('seq')
    .offset(limits.auditSumBatch)
    .limit(1);
  const row = await run(() => query.executeTakeFirst());
  return row ? Math.max(row.at, from + 1) : until;
}

interface Sum {
  readonly server: string;
  readonly part: number;
  readonly calls: number;
  readonly failures: number;
  readonly ran: number;
  readonly totalUs: number;
  readonly slowestUs: number;
  readonly bytes: number;
}

async function sumsIn(
  { db, run }: Database,
  owner: OwnerId,
  { since, from, to, partMs, server }: AuditParts & { readonly from: number; readonly to: number },
): Promise<readonly Sum[]> {
  // As literals, so that both databases see the same expression where it is grouped by.
  const part = sql<number | string>`cast((at - ${sql.lit(since)}) / ${sql.lit(partMs)} as integer)`;
  const all = db
    .selectFrom('audit')
    .select(['server', part.as('part'), ...COUNTED])
    .where('owner', '=', columnKey(owner))
    .where('at', '>=', from)
    .where('at', '<', to)
    .groupBy(['server', part]);
  const query = server === undefined ? all : all.where('server', '=', columnKey(server));
  const rows = await run(() => query.execute());
  // PostgreSQL hands out sums as text, and both answer null for a sum of nothing.
  return rows.map((row) => ({
    server: row.server,
    part: Number(row.part),
    calls: Number(row.calls),
    failures: Number(row.failures),
    ran: Number(row.ran),
    totalUs: Number(row.total_us ?? 0),
    slowestUs: Number(row.slowest_us ?? 0),
    bytes: Number(row.bytes ?? 0),
  }));
}

/** Calls that ended badly. One that was refused or cancelled ended as somebody wanted it. */
const FAILURES: readonly AuditRecord['outcome'][] = ['failed', 'timed_out', 'tool_error', 'unknown'];

/** How long it took is not known of these. */
const UNTIMED: readonly AuditRecord['outcome'][] = ['refused', 'unknown'];

const failed = sql.join(FAILURES.map((outcome) => sql.lit(outcome)));
const untimed = sql.join(UNTIMED.map((outcome) => sql.lit(outcome)));
const ranUs: RawBuilder<unknown> = sql`case when outcome not in (${untimed}) then duration_us end`;
const COUNTED = [
  sql<number | string>`count(*)`.as('calls'),
  sql<number | string>`sum(case when outcome in (${failed}) then 1 else 0 end)`.as('failures'),
  sql<number | string>`count(${ranUs})`.as('ran'),
  sql<number | string | null>`sum(${ranUs})`.as('total_us'),
  sql<number | string | null>`max(${ranUs})`.as('slowest_us'),
  sql<number | string | null>`sum(result_bytes)`.as('bytes'),
] as const;

function addTo(sums: Map<string, Sum>, sum: Sum): void {
  const key = JSON.stringify([sum.part, sum.server]);
  const before = sums.get(key);
  if (!before) return void sums.set(key, sum);
  sums.set(key, {
    server: sum.server,
    part: sum.part,
    calls: before.calls + sum.calls,
    failures: before.failures + sum.failures,
    ran: before.ran + sum.ran,
    totalUs: before.totalUs + sum.totalUs,
    slowestUs: Math.max(before.slowestUs, sum.slowestUs),
    bytes: before.bytes + sum.bytes,
  });
}

function toFigures({ server, part, calls, failures, ran, totalUs, slowestUs, bytes }: Sum): AuditFigures {
  return {
    server,
    part,
    calls,
    failures,
    meanMs: ran === 0 ? 0 : totalUs / ran / 1000,
    slowestMs: slowestUs / 1000,
    resultBytes: bytes,
  };
}

function byPart(a: AuditFigures, b: AuditFigures): number {
  return a.part - b.part || (a.server < b.server ? -1 : 1);
}
