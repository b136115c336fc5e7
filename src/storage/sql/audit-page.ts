import { requesterKey, type AuditQuery, type AuditRecord } from '../../calls/audit-record.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { breathe } from './run.ts';

/** The place of a record in the audit. It never moves when records come or go. */
export interface AuditPlace {
  readonly at: number;
  readonly seq: number;
}

export interface PlacedRow extends AuditPlace {
  readonly body: string;
}

/**
 * One page of the rows that fit. Who asked stands in the body alone: such a page is read in batches, and
 * ends early rather than looking through everything; its cursor continues.
 */
export async function pageOf(
  { requester, limit }: Pick<AuditQuery, 'requester' | 'limit'>,
  before: AuditPlace | undefined,
  newest: (before: AuditPlace | undefined, count: number) => Promise<readonly PlacedRow[]>,
): Promise<{ readonly shown: readonly PlacedRow[]; readonly cursor?: AuditPlace }> {
  // One more than asked for: it tells whether another page follows.
  const batch = requester === undefined ? limit + 1 : Math.max(limit + 1, limits.auditSumBatch);
  const shown: PlacedRow[] = [];
  let last = before;
  for (let scanned = 0; ;) {
    const rows = await newest(last, batch);
    for (const row of rows) {
      if (requester === undefined || requesterIn(row.body) === requester) {
        if (shown.length === limit) return { shown, ...(last ? { cursor: last } : {}) };
        shown.push(row);
      }
      last = row;
    }
    scanned += rows.length;
    if (rows.length < batch) return { shown };
    if (scanned >= limits.auditScanMax) return { shown, ...(last ? { cursor: last } : {}) };
    await breathe();
  }
}

/** Undefined in a body that somebody changed. */
export function requesterIn(body: string): string | undefined {
  try {
    const record: unknown = JSON.parse(body);
    const requester = isObject(record) ? record['requester'] : undefined;
    return isObject(requester) ? requesterKey(requester as unknown as AuditRecord['requester']) : undefined; // as written
  } catch {
    return undefined;
  }
}
