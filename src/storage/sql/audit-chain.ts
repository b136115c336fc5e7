import type { AuditRecord, ChainedRecord, ChainEnd } from '../../calls/audit-record.ts';
import { CHAIN_START } from '../../calls/audit/chain.ts';
import { isObject } from '../../base/json.ts';
import type { OwnRows } from './own-rows.ts';
import { boundedCount, boundedTime, columnKey, excluded } from './rows.ts';
import type { Tables } from './schema.ts';

/** Until this transaction ends, no other writer appends to the owner's chain or prunes it. */
export function holdChain(rows: OwnRows): Promise<ChainEnd> {
  return rows
    .insert('audit_chains', CHAIN_START)
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(excluded('owner')))
    .returning(['place', 'hash'])
    .executeTakeFirstOrThrow();
}

export async function setChainEnd(rows: OwnRows, end: ChainEnd): Promise<void> {
  await rows.update('audit_chains').set(end).execute();
}

export async function chainEnd(rows: OwnRows): Promise<ChainEnd> {
  return (await rows.select('audit_chains').select(['place', 'hash']).executeTakeFirst()) ?? CHAIN_START;
}

export async function addGaps(rows: OwnRows, gone: readonly ChainEnd[]): Promise<void> {
  const places = gone.map(({ place }) => place);
  const [first, last] = [Math.min(...places) - 1, Math.max(...places) + 1];
  const around = await rows
    .delete('audit_gaps')
    .where('last', '>=', first)
    .where('first', '<=', last)
    .returning(['first', 'last', 'hash'])
    .execute();
  const gaps = [...around, ...gone.map(({ place, hash }) => ({ first: place, last: place, hash }))];
  await rows.insert('audit_gaps', mergedGaps(gaps)).execute();
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

export async function prunedAt(rows: OwnRows, at: number): Promise<ChainEnd | undefined> {
  const gap = await rows
    .select('audit_gaps')
    .select(['last', 'hash'])
    .where('first', '<=', at)
    .where('last', '>=', at)
    .executeTakeFirst();
  return gap && { place: gap.last, hash: gap.hash };
}

export async function chainedRecords(
  rows: OwnRows,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly ChainedRecord[]> {
  const records = await rows
    .select('audit')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return records.map((row) => ({
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
