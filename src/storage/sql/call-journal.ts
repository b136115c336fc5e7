import { sql, type SqlBool } from 'kysely';
import { PlugError } from '../../base/errors.ts';
import type { CallJournalStore } from '../../calls/audit-record.ts';
import type { SqlAuditStore } from './audit.ts';
import type { OwnRows } from './own-rows.ts';
import { columnKey, keys } from './rows.ts';
import { batchesOf, type Database } from './run.ts';

/** The calls under way of each owner, and the way of those that end into the audit. */
export function sqlCallJournal(database: Database, audit: SqlAuditStore): CallJournalStore {
  return {
    writeCalls: (owner, { holder, begun, ended, gone }) =>
      audit.appendWith(owner, ended, async (rows) => {
        if (begun.length > 0) await checkHolds(rows, holder);
        for (const batch of batchesOf(begun)) {
          const values = batch.map(({ callId, text }) => ({ call_id: columnKey(callId), body: text }));
          await rows
            .insert('begun_calls', values)
            .onConflict((conflict) => conflict.columns(['owner', 'call_id']).doNothing())
            .execute();
        }
        for (const batch of batchesOf(gone.map(columnKey))) {
          await rows.delete('begun_calls').where('call_id', 'in', batch).execute();
        }
      }),
    listBegunCalls: async (owner) => {
      const rows = await database.own(owner, (own) => own.select('begun_calls').select('body').execute());
      return rows.map(({ body }) => body);
    },
  };
}

/** Until this transaction ends, nobody takes the owner's rows over: a call begins here or there. */
async function checkHolds(rows: OwnRows, holder: string): Promise<void> {
  const held = await rows
    .update('homes')
    .set({ replica: holder })
    .where(keys({ replica: holder }))
    .returning(sql<SqlBool>`true`.as('held'))
    .execute();
  if (held.length > 0) return;
  throw new PlugError('unavailable', 'Another process of this team has taken over.', {
    owner: 'plugboard',
    remedy: { do: 'retry' },
  });
}
