import { hash } from 'node:crypto';
import type { AuditStore, ChainEnd, ChainedRecord } from '../audit-record.ts';
import type { OwnerId } from '../../servers/store.ts';

/** Before the first record. */
export const CHAIN_START: ChainEnd = { place: 0, hash: '' };

/** The end of the chain behind one more record: it covers the record, its place and all before it. */
export function linked(end: ChainEnd, text: string): ChainEnd {
  const place = end.place + 1;
  return { place, hash: hash('sha256', `${end.hash}\n${place}\n${text}`, 'hex') };
}

/** What became of a chain of records. */
export interface AuditVerification {
  readonly intact: boolean;
  /** Those that are as they were written, up to the first that is not. */
  readonly records: number;
  /** Those that were there and are too old or too many by now. */
  readonly pruned: number;
  /** How many there ever were, and the hash that covers all: noted elsewhere, it shows a chain made anew. */
  readonly end: ChainEnd;
  /** The first one. */
  readonly problem?: {
    readonly kind: 'changed' | 'missing' | 'misplaced';
    readonly place: number;
    readonly callId?: string;
  };
}

/** Follows the chain from its beginning to where it ends now. Calls may be recorded and pruned meanwhile. */
export async function verifyChain(
  store: AuditStore,
  owner: OwnerId,
  { batch }: { readonly batch: number },
): Promise<AuditVerification> {
  const end = await store.chainEnd(owner);
  let reached = CHAIN_START;
  const count = { records: 0, pruned: 0 };
  const found = (problem: AuditVerification['problem'] & object): AuditVerification => ({
    intact: false,
    ...count,
    end,
    problem,
  });
  /** Over those that were pruned, if they were. */
  const overPruned = async (): Promise<boolean> => {
    const gap = await store.prunedAt(owner, reached.place + 1);
    if (!gap || gap.place <= reached.place) return false;
    count.pruned += gap.place - reached.place;
    reached = gap;
    return true;
  };
  for (let after = 0; ;) {
    const page = await store.chainedRecords(owner, { after, limit: batch });
    /** Up to here pruning took them after the page was read. */
    let taken = 0;
    for (const record of page) {
      after = record.seq;
      while (reached.place < end.place && record.place > reached.place + 1) {
        if (!(await overPruned())) return found(absence(page, reached.place + 1));
        taken = reached.place;
      }
      if (record.place > 0 && record.place <= taken) continue;
      if (reached.place >= end.place && record.place > end.place) {
        // It came meanwhile; or somebody put it behind the end.
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
    // Each record agrees with the one before it; what the chain says of its own end has to agree, too.
    if (reached.place === end.place && reached.hash !== end.hash) {
      return found({ kind: 'changed', place: end.place });
    }
    return { intact: true, ...count, end };
  }
}

/** It is not where it belongs: it stands elsewhere, or nowhere. */
function absence(page: readonly ChainedRecord[], place: number): AuditVerification['problem'] & object {
  const moved = page.find((record) => record.place === place);
  return moved ? { kind: 'misplaced', place, callId: moved.callId } : { kind: 'missing', place };
}

function problemOf(record: ChainedRecord, before: ChainEnd): 'changed' | 'misplaced' | undefined {
  if (record.place !== before.place + 1) return 'misplaced';
  return record.agrees && linked(before, record.text).hash === record.hash ? undefined : 'changed';
}
