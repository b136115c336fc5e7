import { hash } from 'node:crypto';
import type { AuditStore, ChainEnd, ChainedRecord } from '../audit-record.ts';
import type { OwnerId } from '../../servers/store.ts';

export const CHAIN_START: ChainEnd = { place: 0, hash: '' };

/** The new hash covers the record, its place and everything before it. */
export function linked(end: ChainEnd, text: string): ChainEnd {
  const place = end.place + 1;
  return { place, hash: hash('sha256', `${end.hash}\n${place}\n${text}`, 'hex') };
}

export interface AuditVerification {
  readonly intact: boolean;
  /** Intact ones, up to the first problem. */
  readonly records: number;
  readonly pruned: number;
  /** Noted elsewhere, it reveals a chain that was rebuilt. */
  readonly end: ChainEnd;
  readonly problem?: ChainProblem;
}

interface ChainProblem {
  readonly kind: 'changed' | 'missing' | 'misplaced';
  readonly place: number;
  readonly callId?: string;
}

/** Records may be added and pruned meanwhile. */
export async function verifyChain(
  store: AuditStore,
  owner: OwnerId,
  { batch }: { readonly batch: number },
): Promise<AuditVerification> {
  const end = await store.chainEnd(owner);
  let reached = CHAIN_START;
  const count = { records: 0, pruned: 0 };
  const found = (problem: ChainProblem): AuditVerification => ({ intact: false, ...count, end, problem });
  const overPruned = async (): Promise<boolean> => {
    const gap = await store.prunedAt(owner, reached.place + 1);
    if (!gap || gap.place <= reached.place) return false;
    count.pruned += gap.place - reached.place;
    reached = gap;
    return true;
  };
  for (let after = 0; ;) {
    const page = await store.chainedRecords(owner, { after, limit: batch });
    /** Pruned up to here after the page was read. */
    let taken = 0;
    for (const record of page) {
      after = record.seq;
      while (reached.place < end.place && record.place > reached.place + 1) {
        if (!(await overPruned())) return found(absence(page, reached.place + 1));
        taken = reached.place;
      }
      if (record.place > 0 && record.place <= taken) continue;
      if (reached.place >= end.place && record.place > end.place) {
        // Recorded meanwhile, or planted behind the end.
        const { place } = await store.chainEnd(owner);
        if (record.place <= place) return finished();
        return found({ kind: 'misplaced', place: record.place, callId: record.callId });
      }
      const problem = problemOf(record, reached);
      if (problem) return found({ kind: problem, place: record.place, callId: record.callId });
      reached = record;
      count.records += 1;
    }
    if (page.length < batch) break;
  }
  while (reached.place < end.place) {
    if (!(await overPruned())) return found({ kind: 'missing', place: reached.place + 1 });
  }
  return finished();

  function finished(): AuditVerification {
    // The stored end must match the last record too.
    if (reached.place === end.place && reached.hash !== end.hash) {
      return found({ kind: 'changed', place: end.place });
    }
    return { intact: true, ...count, end };
  }
}

function absence(page: readonly ChainedRecord[], place: number): ChainProblem {
  const moved = page.find((record) => record.place === place);
  return moved ? { kind: 'misplaced', place, callId: moved.callId } : { kind: 'missing', place };
}

function problemOf(record: ChainedRecord, before: ChainEnd): 'changed' | 'misplaced' | undefined {
  if (record.place !== before.place + 1) return 'misplaced';
  return record.agrees && linked(before, record.text).hash === record.hash ? undefined : 'changed';
}
