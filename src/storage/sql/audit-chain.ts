import type { Kysely } from 'kysely';
import type { AuditRecord, ChainedRecord, ChainEnd } from '../../calls/audit-record.ts';
import { CHAIN_START } from '../../calls/audit/chain.ts';
import { isObject } from '../../base/json.ts';
import { boundedCount, boundedTime } from '../order.ts';
import { columnKey } from './columns.ts';
import type { Tables } from './schema.ts';

/** Nobody else appends to the owner's chain, or prunes it, until this transaction ends. */
export async function holdChain(db: Kysely<Tables>, owner: string): Promise<ChainEnd> {
  const row = await db
    .insertInto('audit_chains')
    .values({ owner, ...CHAIN_START })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet({ owner }))
    .returning(['place', 'hash'])
    .executeTakeFirstOrThrow();
  return row;
}

export async function setChainEnd(db: Kysely<Tables>, owner: string, end: ChainEnd): Promise<void> {
  await db.updateTable('audit_chains').set(end).where('owner', '=', owner).execute();
}

export async function chainEnd(db: Kysely<Tables>, owner: string): Promise<ChainEnd> {
  const row = await db
    .selectFrom('audit_chains')
    .select(['place', 'hash'])
    .where('owner', '=', owner)
    .executeTakeFirst();
  return row ?? CHAIN_START;
}

/** Remembers where records stood that are gone. */
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
  const gaps: readonly Gap[] = mergedGaps([
    ...around,
    ...gone.map(({ place, hash }) => ({ first: place, last: place, hash })),
  ]);
  await db
    .insertInto('audit_gaps')
    .values(gaps.map((gap) => ({ owner, ...gap })))
    .execute();
}

/** Records that stood side by side in a chain and are gone. The hash covers the last of them. */
interface Gap {
  readonly first: number;
  readonly last: number;
  readonly hash: string;
}

/** The same places in as few gaps as there can be. */
function mergedGaps(gaps: readonly Gap[]): readonly Gap[] {
  const merged: Gap[] = [];
  for (const gap of gaps.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before?.last === gap.first - 1) merged[merged.length - 1] = { ...gap, first: before.first };
    else merged.push(gap);
  }
  return merged;
}

export async function prunedAt(
  db: Kysely<Tables>,
  owner: string,
  place: number,
): Promise<ChainEnd | undefined> {
  const gap = await db
    .selectFrom('audit_gaps')
    .select(['last', 'hash'])
    .where('owner', '=', owner)
    .where('first', '<=', place)
    .where('last', '>=', place)
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

/** What is looked for and counted stands in columns of its own, which the hash does not cover. */
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
    // Records of before these columns may have neither, or a figure that was rounded otherwise.
    (row.duration_us === null || Math.abs(row.duration_us - microseconds(durationMs)) <= 1) &&
    (row.result_bytes === null || row.result_bytes === boundedCount(resultBytes ?? 0, MAX))
  );
}

/** Nothing of it is sure: somebody may have changed it. */
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
  return boundedCount(durationMs * 1000, MAX);
}

const NAMES = ['callId', 'server', 'tool', 'outcome'] as const;
const MAX = Number.MAX_SAFE_INTEGER;
