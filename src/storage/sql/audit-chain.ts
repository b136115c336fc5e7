import type { Kysely } from 'kysely';
import type { AuditRecord, ChainedRecord, ChainEnd } from '../../calls/audit-record.ts';
import { CHAIN_START } from '../../calls/audit/chain.ts';
import { isObject } from '../../base/json.ts';
import { boundedCount, boundedTime, columnKey } from './rows.ts';
import type { Tables } from './schema.ts';

/** Until this transaction ends, no other writer appends to the owner's chain or prunes it. */
export function holdChain(db: Kysely<Tables>, owner: string): Promise<ChainEnd> {
  return db
    .insertInto('audit_chains')
    .values({ owner, ...CHAIN_START })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ owner }))
    .returning(['place', 'hash'])
    .executeTakeFirstOrThrow();
}

export async function setChainEnd(db: Kysely<Tables>, owner: string, end: ChainEnd): Promise<void> {
  await db.updateTable('audit_chains').set(end).where('owner', '=', owner).execute();
}

export async function chainEnd(db: Kysely<Tables>, owner: string): Promise<ChainEnd> {
  const ends = db.selectFrom('audit_chains').select(['place', 'hash']);
  return (await ends.where('owner', '=', owner).executeTakeFirst()) ?? CHAIN_START;
}

export async function addGaps(db: Kysely<Tables>, owner: string, gone: readonly ChainEnd[]): Promise<void> {
  const places = gone.map(({ place }) => place);
  const [first, last] = [Math.min(...places) - 1, Math.max(...places) + 1];
  const around = await db
    .deleteFrom('audit_gaps')
    .where('owner', '=', owner)
    .where('last', '>=', first)
    .where('first', '<=', last)
    .returning(['first', 'last', 'hash'])
    .execute();
  const gaps = [...around, ...gone.map(({ place, hash }) => ({ first: place, last: place, hash }))];
  const rows = mergedGaps(gaps).map((gap) => ({ owner, ...gap }));
  await db.insertInto('audit_gaps').values(rows).execute();
}

/** Neighbors in a chain that are gone. The hash covers the last of them. */
type Gap = Omit<Tables['audit_gaps'], 'owner'>;

function mergedGaps(gaps: readonly Gap[]): readonly Gap[] {
  const merged: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before?.last === gap.first - 1) merged[merged.length - 1] = { ...gap, first: before.first };
    else merged.push(gap);
  }
  return merged;
}

export async function prunedAt(db: Kysely<Tables>, owner: string, at: number): Promise<ChainEnd | undefined> {
  const gap = await db
    .selectFrom('audit_gaps')
    .select(['last', 'hash'])
    .where('owner', '=', owner)
    .where('first', '<=', at)
    .where('last', '>=', at)
    .executeTakeFirst();
  return gap && { place: gap.last, hash: gap.hash };
}

export async function chainedRecords(
  db: Kysely<Tables>,
  owner: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ChainedRecord[]> {
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where('owner', '=', owner)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    place: row.place ?? 0,
    hash: row.hash ?? '',
    callId: row.call_id,
    text: row.body,
    agrees: agrees(row),
  }));
}

/** The hash does not cover the columns that are searched and counted, so they must agree with the body. */
function agrees(row: Omit<Tables['audit'], 'seq'>): boolean {
  const record = parsed(row.body);
  if (!record) return false;
  const { callId, at, server, tool, outcome, durationMs, resultBytes } = record;
  return (
    row.call_id === columnKey(callId) &&
    row.at === boundedTime(at) &&
    row.server === columnKey(server) &&
    row.tool === columnKey(tool) &&
    row.outcome === columnKey(outcome) &&
    // Records older than these columns may lack them, or were rounded differently.
    (row.duration_us === null || Math.abs(row.duration_us - microseconds(durationMs)) <= 1) &&
    (row.result_bytes === null || row.result_bytes === boundedCount(resultBytes ?? 0))
  );
}

/** Undefined when the body was changed so that nothing can be compared. */
function parsed(body: string): AuditRecord | undefined {
  try {
    const record: unknown = JSON.parse(body);
    const named = isObject(record) && NAMES.every((name) => typeof record[name] === 'string');
    return named ? (record as unknown as AuditRecord) : undefined; // what is compared is there
  } catch {
    return undefined;
  }
}

export function microseconds(durationMs: number): number {
  return boundedCount(durationMs * 1000);
}

const NAMES = ['callId', 'server', 'tool', 'outcome'] as const;
