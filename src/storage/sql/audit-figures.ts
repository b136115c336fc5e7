import { type RawBuilder, sql } from 'kysely';
import type { AuditFigures, AuditParts, AuditRecord } from '../../calls/audit-record.ts';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import { requesterIn } from './audit-page.ts';
import { boundedCount, boundedTimeFrom, keys } from './rows.ts';
import { breathe, type Database } from './run.ts';

/** Sums in batches of some thousand records: SQLite runs in our thread, and calls are recorded meanwhile. */
export async function sumAudit(
  database: Database,
  owner: OwnerId,
  parts: AuditParts,
): Promise<readonly AuditFigures[]> {
  const [since, until] = [boundedTimeFrom(parts.since), boundedTimeFrom(parts.until)];
  const sums = new Map<string, Sum>();
  let read = 0;
  for (let from = since; from < until;) {
    const to = await endOfBatch(database, owner, { from, until });
    const batch = { ...parts, since, from, to };
    const { requester } = parts;
    if (requester !== undefined && (read += limits.auditSumBatch) > limits.auditSumScanMax) throw tooMany();
    const found =
      requester === undefined
        ? await sumsIn(database, owner, batch)
        : await callsOf(database, owner, { ...batch, requester });
    for (const sum of found) addTo(sums, sum);
    from = to;
    await breathe();
  }
  const figures = [...sums.values()].map(toFigures).toSorted(byPart);
  return figures.slice(0, boundedCount(parts.limit));
}

function tooMany(): PlugError {
  const why = 'There are too many calls in this time to sum those of one app.';
  return new PlugError('too_large', why, { owner: 'you', remedy: 'Ask for a shorter time.' });
}

/** The moment before which there is about one batch of records. */
async function endOfBatch(
  database: Database,
  owner: OwnerId,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<number> {
  const row = await database.own(owner, (rows) =>
    rows
      .select('audit')
      .select('at')
      .where('at', '>=', from)
      .where('at', '<', until)
      .orderBy('at')
      .orderBy('seq')
      .offset(limits.auditSumBatch)
      .limit(1)
      .executeTakeFirst(),
  );
  return row ? Math.max(row.at, from + 1) : until;
}

interface Sum {
  readonly server: string;
  readonly tool?: string;
  readonly part: number;
  calls: number;
  failures: number;
  ran: number;
  totalUs: number;
  slowestUs: number;
  lastAt: number;
  bytes: number;
}

type Batch = AuditParts & { readonly from: number; readonly to: number };

async function sumsIn(
  database: Database,
  owner: OwnerId,
  { since, from, to, partMs, server, byTool = false }: Batch,
): Promise<readonly Sum[]> {
  // As literals, so that both databases see the same expression where it is grouped by.
  const part = sql<number | string>`cast((at - ${sql.lit(since)}) / ${sql.lit(partMs)} as integer)`;
  const sums = await database.own(owner, (rows) => {
    const query = rows
      .select('audit')
      .select(['server', part.as('part'), ...COUNTED])
      .where('at', '>=', from)
      .where('at', '<', to)
      .groupBy(['server', part])
      .$if(byTool, (each) => each.select('tool').groupBy('tool'));
    return (server === undefined ? query : query.where(keys({ server }))).execute();
  });
  // PostgreSQL hands out sums as text, and both answer null for a sum of nothing.
  return sums.map((row) => ({
    server: row.server,
    ...(byTool ? { tool: row.tool ?? '' } : {}),
    part: Number(row.part),
    calls: Number(row.calls),
    failures: Number(row.failures),
    ran: Number(row.ran),
    totalUs: Number(row.total_us ?? 0),
    slowestUs: Number(row.slowest_us ?? 0),
    lastAt: Number(row.last_at),
    bytes: Number(row.bytes ?? 0),
  }));
}

/** The calls of one who asked, each a sum of its own: who asked stands in the body alone. */
async function callsOf(
  database: Database,
  owner: OwnerId,
  { since, from, to, partMs, server, byTool = false, requester }: Batch & { readonly requester: string },
): Promise<readonly Sum[]> {
  const found = await database.own(owner, (rows) => {
    const query = rows
      .select('audit')
      .select(['at', 'server', 'tool', 'outcome', 'duration_us', 'result_bytes', 'body'])
      .where('at', '>=', from)
      .where('at', '<', to);
    return (server === undefined ? query : query.where(keys({ server }))).execute();
  });
  return found.flatMap((row): readonly Sum[] => {
    if (requesterIn(row.body) !== requester) return [];
    const { at } = row;
    const us = UNTIMED.has(row.outcome) ? null : row.duration_us;
    const sum = {
      server: row.server,
      ...(byTool ? { tool: row.tool ?? '' } : {}),
      part: Math.trunc((at - since) / partMs),
      calls: 1,
      failures: FAILURES.has(row.outcome) ? 1 : 0,
      ran: us === null ? 0 : 1,
      totalUs: us ?? 0,
      slowestUs: us ?? 0,
      lastAt: at,
      bytes: row.result_bytes ?? 0,
    };
    return [sum];
  });
}

/** Calls that ended badly. Refused and canceled calls ended as intended. */
const FAILURES: ReadonlySet<string> = new Set<AuditRecord['outcome']>([
  'failed',
  'timed_out',
  'tool_error',
  'unknown',
]);

const UNTIMED: ReadonlySet<string> = new Set<AuditRecord['outcome']>(['refused', 'unknown']);

const failed = sql.join([...FAILURES].map((outcome) => sql.lit(outcome)));
const untimed = sql.join([...UNTIMED].map((outcome) => sql.lit(outcome)));
const ranUs: RawBuilder<unknown> = sql`case when outcome not in (${untimed}) then duration_us end`;
const COUNTED = [
  sql<number | string>`count(*)`.as('calls'),
  sql<number | string>`sum(case when outcome in (${failed}) then 1 else 0 end)`.as('failures'),
  sql<number | string>`count(${ranUs})`.as('ran'),
  sql<number | string | null>`sum(${ranUs})`.as('total_us'),
  sql<number | string | null>`max(${ranUs})`.as('slowest_us'),
  sql<number | string>`max(at)`.as('last_at'),
  sql<number | string | null>`sum(result_bytes)`.as('bytes'),
] as const;

function addTo(sums: Map<string, Sum>, sum: Sum): void {
  const key = JSON.stringify([sum.part, sum.server, sum.tool]);
  const before = sums.get(key);
  if (!before) return void sums.set(key, sum);
  before.calls += sum.calls;
  before.failures += sum.failures;
  before.ran += sum.ran;
  before.totalUs += sum.totalUs;
  before.slowestUs = Math.max(before.slowestUs, sum.slowestUs);
  before.lastAt = Math.max(before.lastAt, sum.lastAt);
  before.bytes += sum.bytes;
}

function toFigures({ ran, totalUs, slowestUs, bytes, ...sum }: Sum): AuditFigures {
  return {
    ...sum,
    meanMs: ran === 0 ? 0 : totalUs / ran / 1000,
    slowestMs: slowestUs / 1000,
    resultBytes: bytes,
  };
}

function byPart(a: AuditFigures, b: AuditFigures): number {
  if (a.part !== b.part) return a.part - b.part;
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  return (a.tool ?? '') < (b.tool ?? '') ? -1 : 1;
}
