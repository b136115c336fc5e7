import { expect } from 'vitest';
import type { AuditStore } from '../../src/calls/audit-record.ts';
import { verifyChain } from '../../src/calls/audit/chain.ts';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { auditStoreContract, recordOf } from './audit-store.ts';
import { everyStorage, refuseRows } from './storage-kinds.ts';

for (const { kind, options } of everyStorage()) {
  auditStoreContract(kind, () => openStorage(options()));
  if (kind === 'memory') continue; // nobody else can open it

  verifies(['L6', 'H2'], `a batch whose last record ${kind} refuses leaves none behind`, async () => {
    await using storage = await openStorage(options());
    await refuseRows(options(), 'audit', 'tool');
    const records = Array.from({ length: 250 }, (_, index) => recordOf({ callId: `c${index}` }));
    const refused = recordOf({ callId: 'last', tool: 'refused' });
    await expect(storage.audit.appendAudit('whole', [...records, refused])).rejects.toMatchObject({
      code: 'storage_failed',
    });
    expect(await storage.audit.queryAudit('whole', { limit: 10 })).toEqual({ records: [] });
    await storage.audit.appendAudit('whole', records);
    expect((await storage.audit.queryAudit('whole', { limit: 500 })).records).toHaveLength(250);
  });

  verifies(
    ['L6', 'H2'],
    `hubs that share one ${kind} database record every call once, while old ones are pruned`,
    async () => {
      const first = await openStorage(options());
      const hubs = [first, await openStorage(options()), await openStorage(options())];
      const batches = Array.from({ length: 12 }, (_, batch) =>
        Array.from({ length: 120 }, (_, index) => recordOf({ callId: `${batch}-${index}`, at: batch })),
      );
      let pruned = 0;
      const prune = async (audit: AuditStore): Promise<void> => {
        const gone = await audit.pruneAudit('shared', { before: 0, keep: 10_000 });
        pruned += gone;
      };
      const auditOf = (index: number): AuditStore => (hubs[index % 3] ?? first).audit;
      await Promise.all(
        // Every batch is written by two of them.
        batches.flatMap((batch, index) => [
          auditOf(index).appendAudit('shared', batch),
          auditOf(index + 1).appendAudit('shared', batch),
          prune(auditOf(index + 2)),
        ]),
      );
      const { records } = await auditOf(0).queryAudit('shared', { limit: 1_000, since: 6 });
      expect(records).toHaveLength(6 * 120);
      expect(new Set(records.map(({ callId }) => callId)).size).toBe(6 * 120);
      expect(pruned).toBe(0);
      expect(await verifyChain(auditOf(0), 'shared', { batch: 500 })).toMatchObject({
        intact: true,
        records: 12 * 120,
      });
      expect(await auditOf(1).pruneAudit('shared', { before: 6, keep: 10_000 })).toBe(6 * 120);
      await Promise.all(hubs.map((hub) => hub.close()));
    },
    30_000,
  );
}
