import { afterAll, beforeAll, describe, expect } from 'vitest';
import { limits } from '../../src/base/limits.ts';
import type { AuditQuery, AuditRecord, AuditStore } from '../../src/calls/audit-record.ts';
import { CHAIN_START, linked, verifyChain, type AuditVerification } from '../../src/calls/audit/chain.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

/** What every store of audit records promises. Each test has an owner of its own. */
export function auditStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: AuditStore;
    let owners = 0;
    const newOwner = (): string => `audit-owner-${(owners += 1)}`;
    const find = async (owner: string, query: Partial<AuditQuery> = {}): Promise<string[]> =>
      (await store.queryAudit(owner, { limit: 100, ...query })).records.map(({ callId }) => callId);

    const verified = (owner: string): Promise<AuditVerification> => verifyChain(store, owner, { batch: 100 });

    beforeAll(async () => {
      storage = await open();
      store = storage.audit;
    });
    afterAll(() => storage.close());

    verifies(
      ['L6', 'H2'],
      'a record comes back exactly as it was written, whatever the call held',
      async () => {
        const owner = `${newOwner()}\0`;
        const records = ODD_TEXTS.map((odd, index) =>
          recordOf({
            callId: `${index}${odd}`,
            at: index,
            server: odd,
            tool: odd,
            args: { text: odd, [`k${odd}`]: [1.5, null, { deep: '\ud800\0' }] },
            account: odd,
            approval: { id: 'a', outcome: 'allowed', answeredBy: odd, edited: true },
            error: { code: 'server_error', owner: 'server', message: odd },
            resultId: 'r',
            retries: 2,
          }),
        );
        await store.appendAudit(owner, records);
        const { records: back, cursor } = await store.queryAudit(owner, { limit: 100 });
        expect(back).toStrictEqual(records.toReversed());
        expect(cursor).toBeUndefined();
        for (const [index, odd] of ODD_TEXTS.entries()) {
          expect(await find(owner, { server: odd, tool: odd })).toEqual([`${index}${odd}`]);
        }
      },
    );

    verifies(['L6', 'H2'], 'a record that is there already stays as it is, once', async () => {
      const owner = newOwner();
      await store.appendAudit(owner, []);
      await store.appendAudit(owner, [recordOf({ callId: 'a', durationMs: 1 })]);
      await store.appendAudit(owner, [
        recordOf({ callId: 'a', durationMs: 2 }),
        recordOf({ callId: 'b', durationMs: 3 }),
        recordOf({ callId: 'b', durationMs: 4 }),
      ]);
      const { records } = await store.queryAudit(owner, { limit: 10 });
      expect(records.map(({ callId, durationMs }) => `${callId}${durationMs}`)).toEqual(['b3', 'a1']);
    });

    verifies(['L6', 'H2'], 'records come newest first, also those of one moment', async () => {
      const owner = newOwner();
      const t = 1_789_000_000_000;
      await store.appendAudit(owner, [
        recordOf({ callId: 'a', at: t + 5 }),
        recordOf({ callId: 'b', at: t + 1 }),
      ]);
      await store.appendAudit(owner, [
        recordOf({ callId: 'c', at: t + 9 }),
        recordOf({ callId: 'd', at: t + 5 }),
      ]);
      expect(await find(owner)).toEqual(['c', 'd', 'a', 'b']);
    });

    verifies(['L6', 'H2'], 'records are found by server, tool, outcome and time, all at once', async () => {
      const owner = newOwner();
      const outcomes = ['ok', 'tool_error', 'refused'] as const;
      await store.appendAudit(
        owner,
        Array.from({ length: 12 }, (_, at) =>
          recordOf({
            callId: `c${at}`,
            at,
            server: at % 2 === 0 ? 'even' : 'odd',
            tool: at < 6 ? 'low' : 'high',
            outcome: outcomes[at % 3] ?? 'ok',
          }),
        ),
      );
      expect(await find(owner, { server: 'odd', tool: 'low' })).toEqual(['c5', 'c3', 'c1']);
      expect(await find(owner, { outcome: 'refused' })).toEqual(['c11', 'c8', 'c5', 'c2']);
      expect(await find(owner, { server: 'even', outcome: 'ok', tool: 'high' })).toEqual(['c6']);
      // From the first moment on, up to the last but without it: windows side by side share nothing.
      expect(await find(owner, { since: 3, until: 6 })).toEqual(['c5', 'c4', 'c3']);
      expect(await find(owner, { since: 2.5, until: 4.5 })).toEqual(['c4', 'c3']);
      expect(await find(owner, { since: Number.POSITIVE_INFINITY })).toEqual([]);
      expect(await find(owner, { until: Number.NEGATIVE_INFINITY })).toEqual([]);
      expect(await find(owner, { since: Number.NEGATIVE_INFINITY, until: 1 })).toEqual(['c0']);
      expect(await find(owner, { server: 'even', since: 1, until: 9, outcome: 'refused' })).toEqual([
        'c8',
        'c2',
      ]);
    });

    verifies(['L6', 'H2'], 'pages show every record once, while records come and go', async () => {
      const owner = newOwner();
      // Many records of few moments, so that a page ends within a moment.
      await store.appendAudit(
        owner,
        Array.from({ length: 250 }, (_, index) =>
          recordOf({ callId: `c${index}`, at: Math.floor(index / 40) }),
        ),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let page = 0; page === 0 || cursor !== undefined; page += 1) {
        const found = await store.queryAudit(owner, {
          limit: 33,
          ...(cursor === undefined ? {} : { cursor }),
        });
        seen.push(...found.records.map(({ callId }) => callId));
        ({ cursor } = found);
        // A newer one, and in the first moment one that was written late.
        await store.appendAudit(owner, [recordOf({ callId: `new${page}`, at: 100 + page })]);
        if (page === 3) await store.pruneAudit(owner, { before: 1, keep: 10_000 });
      }
      const expected = Array.from({ length: 250 }, (_, index) => `c${index}`).slice(40);
      expect(seen).toEqual(expected.toReversed());
      expect(await find(owner, { since: 100 })).toHaveLength(7);
    });

    verifies(['L6', 'H2'], 'a last page that is full has no page after it', async () => {
      const owner = newOwner();
      await store.appendAudit(owner, [recordOf({ callId: 'a' }), recordOf({ callId: 'b' })]);
      const first = await store.queryAudit(owner, { limit: 1 });
      expect(first.cursor).toEqual(expect.any(String));
      const second = await store.queryAudit(owner, { limit: 1, cursor: first.cursor ?? '' });
      expect(second.records.map(({ callId }) => callId)).toEqual(['a']);
      expect(second.cursor).toBeUndefined();
    });

    verifies(
      ['L6', 'H2'],
      'a cursor of nobody is refused, and one of another owner shows nothing of theirs',
      async () => {
        const [mine, theirs] = [newOwner(), newOwner()];
        await store.appendAudit(theirs, [recordOf({ callId: 'a' }), recordOf({ callId: 'b' })]);
        const { cursor = '' } = await store.queryAudit(theirs, { limit: 1 });
        expect(await store.queryAudit(mine, { limit: 5, cursor })).toEqual({ records: [] });
        for (const bad of ['', 'x', '\0', 'MS4', Buffer.from("1.1' or 1=1").toString('base64url')]) {
          await expect(store.queryAudit(theirs, { limit: 5, cursor: bad })).rejects.toMatchObject({
            code: 'usage',
            owner: 'you',
            next: expect.any(String),
          });
        }
      },
    );

    verifies(['L6', 'H2'], 'a page has an end, however much is asked for', async () => {
      const owner = newOwner();
      const count = limits.auditPageMax + 30;
      await store.appendAudit(
        owner,
        Array.from({ length: count }, (_, at) => recordOf({ callId: `c${at}`, at })),
      );
      const page = await store.queryAudit(owner, { limit: Number.POSITIVE_INFINITY });
      expect(page.records).toHaveLength(limits.auditPageMax);
      expect(page.records[0]?.callId).toBe(`c${count - 1}`);
      expect(page.cursor).toEqual(expect.any(String));
      for (const limit of [0, -1, Number.NaN]) expect(await find(owner, { limit })).toEqual([]);
    });

    verifies(['L6', 'H2'], 'retention goes by age and by number, and says how many went', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      const count = limits.auditPruneBatch * 2 + 100;
      const records = Array.from({ length: count }, (_, at) => recordOf({ callId: `c${at}`, at }));
      await store.appendAudit(owner, records);
      await store.appendAudit(other, records.slice(0, 3));
      expect(await store.pruneAudit(owner, { before: 10, keep: count })).toBe(10);
      expect(await store.pruneAudit(owner, { before: 10, keep: count })).toBe(0);
      expect(await find(owner, { until: 12 })).toEqual(['c11', 'c10']);
      expect(await store.pruneAudit(owner, { before: 0, keep: 4 })).toBe(count - 14);
      expect(await find(owner)).toEqual([4, 3, 2, 1].toReversed().map((back) => `c${count - back}`));
      expect(await store.pruneAudit(owner, { before: count - 2, keep: 3 })).toBe(2);
      expect(await store.pruneAudit(owner, { before: 0, keep: 0 })).toBe(2);
      expect(await find(owner)).toEqual([]);
      expect(await find(other)).toEqual(['c2', 'c1', 'c0']);
    });

    verifies(['L6', 'H2'], 'a batch is written as a whole or not at all', async () => {
      const owner = newOwner();
      const records = Array.from({ length: 150 }, (_, at) => recordOf({ callId: `c${at}`, at }));
      // Not even JSON can hold it: the last record of the second part fails.
      const broken = { ...recordOf({ callId: 'broken' }), args: { big: 1n } } as unknown as AuditRecord;
      await expect(store.appendAudit(owner, [...records, broken])).rejects.toThrow(TypeError);
      expect(await find(owner)).toEqual([]);
    });

    verifies(['L6', 'W5', 'H2'], 'calls are counted by server in equal parts of a time', async () => {
      const owner = newOwner();
      await store.appendAudit(owner, [
        recordOf({ callId: 'early', at: 999 }),
        recordOf({ callId: 'a', at: 1_000, durationMs: 1.5, resultBytes: 10 }),
        recordOf({ callId: 'b', at: 1_099, durationMs: 2.5, resultBytes: 30, outcome: 'tool_error' }),
        recordOf({ callId: 'c', at: 1_050, durationMs: 999, outcome: 'refused', resultBytes: 0 }),
        recordOf({ callId: 'd', at: 1_050, server: 'z', durationMs: 0, outcome: 'timed_out' }),
        recordOf({ callId: 'e', at: 1_100, durationMs: 7, outcome: 'failed', resultBytes: 4 }),
        recordOf({ callId: 'f', at: 1_250, durationMs: 5, outcome: 'cancelled', resultBytes: 0 }),
        recordOf({ callId: 'late', at: 1_300 }),
      ]);
      await store.appendAudit(newOwner(), [recordOf({ callId: 'theirs', at: 1_000 })]);
      const parts = { since: 1_000, until: 1_300, partMs: 100, limit: 100 };
      const all = await store.sumAudit(owner, parts);
      expect(all).toEqual([
        {
          server: 's',
          part: 0,
          calls: 3,
          failures: 1,
          meanMs: 2,
          slowestMs: 2.5,
          lastAt: 1_099,
          resultBytes: 40,
        },
        {
          server: 'z',
          part: 0,
          calls: 1,
          failures: 1,
          meanMs: 0,
          slowestMs: 0,
          lastAt: 1_050,
          resultBytes: 200,
        },
        {
          server: 's',
          part: 1,
          calls: 1,
          failures: 1,
          meanMs: 7,
          slowestMs: 7,
          lastAt: 1_100,
          resultBytes: 4,
        },
        {
          server: 's',
          part: 2,
          calls: 1,
          failures: 0,
          meanMs: 5,
          slowestMs: 5,
          lastAt: 1_250,
          resultBytes: 0,
        },
      ]);
      expect(await store.sumAudit(owner, { ...parts, server: 'z' })).toEqual([all[1]]);
      expect(await store.sumAudit(owner, { ...parts, limit: 2 })).toEqual(all.slice(0, 2));
      expect(await store.sumAudit(owner, { ...parts, limit: 0 })).toEqual([]);
      expect(await store.sumAudit(owner, { ...parts, since: 5_000, until: 6_000 })).toEqual([]);
      expect(await store.sumAudit(owner, { ...parts, partMs: 300 })).toMatchObject([
        { server: 's', part: 0, calls: 5, failures: 2, slowestMs: 7, resultBytes: 44 },
        { server: 'z', part: 0, calls: 1 },
      ]);
    });

    verifies(['L6', 'W1', 'H2'], 'calls are counted by tool, with the time of the last', async () => {
      const owner = newOwner();
      await store.appendAudit(owner, [
        recordOf({ callId: 'a', at: 10, tool: 'read' }),
        recordOf({ callId: 'b', at: 30, tool: 'read', outcome: 'failed' }),
        recordOf({ callId: 'c', at: 20, tool: 'write' }),
        recordOf({ callId: 'd', at: 40, tool: 'read', server: 'z' }),
      ]);
      const parts = { since: 0, until: 100, partMs: 100, limit: 100, byTool: true };
      expect(await store.sumAudit(owner, { ...parts, server: 's' })).toMatchObject([
        { server: 's', tool: 'read', calls: 2, failures: 1, lastAt: 30 },
        { server: 's', tool: 'write', calls: 1, failures: 0, lastAt: 20 },
      ]);
      expect((await store.sumAudit(owner, parts)).map(({ server, tool }) => `${server}/${tool}`)).toEqual([
        's/read',
        's/write',
        'z/read',
      ]);
    });

    verifies(
      ['L6', 'W5', 'H2'],
      'records are found by who asked, on pages that show each once however rare they are',
      async () => {
        const owner = newOwner();
        const claude = { kind: 'host', id: 'h1', name: 'Claude' } as const;
        const person = { kind: 'person', id: 'page-1' } as const;
        await store.appendAudit(
          owner,
          Array.from({ length: 4_500 }, (_, at) =>
            recordOf({ callId: `c${at}`, at, requester: at % 1_500 === 0 ? claude : person }),
          ),
        );
        expect(await find(owner, { requester: 'Claude' })).toEqual(['c3000', 'c1500', 'c0']);
        const first = await store.queryAudit(owner, { requester: 'Claude', limit: 2 });
        expect(first.records.map(({ callId }) => callId)).toEqual(['c3000', 'c1500']);
        const rest = await store.queryAudit(owner, {
          requester: 'Claude',
          limit: 2,
          cursor: first.cursor ?? '',
        });
        expect(rest.records.map(({ callId }) => callId)).toEqual(['c0']);
        expect(rest.cursor).toBeUndefined();
        expect((await find(owner, { requester: 'person', limit: 3 })).length).toBe(3);
        expect(await find(owner, { requester: 'nobody' })).toEqual([]);
        // So are their figures, also where they are batches apart.
        const parts = { since: 0, until: 4_500, partMs: 2_000, limit: 10, requester: 'Claude' };
        expect(await store.sumAudit(owner, parts)).toMatchObject([
          { server: 's', part: 0, calls: 2, failures: 0, lastAt: 1_500 },
          { server: 's', part: 1, calls: 1, lastAt: 3_000 },
        ]);
        expect(await store.sumAudit(owner, { ...parts, server: 'z' })).toEqual([]);
        const everybody = await store.sumAudit(owner, { ...parts, requester: 'person' });
        expect(everybody.reduce((sum, { calls }) => sum + calls, 0)).toBe(4_497);
      },
    );

    verifies(
      ['L6', 'W5', 'H2'],
      'a part without calls that ran has no duration, and no part is lost',
      async () => {
        const owner = newOwner();
        const records = Array.from({ length: 500 }, (_, at) =>
          recordOf({ callId: `c${at}`, at: at * 10, outcome: 'refused' }),
        );
        await store.appendAudit(owner, records);
        const found = await store.sumAudit(owner, { since: 0, until: 5_000, partMs: 10, limit: 1_000 });
        expect(found.map(({ part }) => part)).toEqual(records.map((_, part) => part));
        expect(found[7]).toMatchObject({ calls: 1, failures: 0, meanMs: 0, slowestMs: 0 });
      },
    );

    verifies(['L9', 'H2'], 'records are chained: the hash of each covers the one before it', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      expect(await verified(owner)).toEqual({ intact: true, records: 0, pruned: 0, end: CHAIN_START });
      const records = Array.from({ length: 700 }, (_, at) => recordOf({ callId: `c${at}`, at }));
      await store.appendAudit(owner, records.slice(0, 300));
      await store.appendAudit(other, records.slice(0, 5));
      // Some of them are there already.
      await store.appendAudit(owner, records.slice(250, 420));
      await store.appendAudit(owner, records.slice(420));
      const whole = await verified(owner);
      expect(whole).toMatchObject({ intact: true, records: 700, end: { place: 700 } });
      let end = CHAIN_START;
      const chained = await store.chainedRecords(owner, { after: 0, limit: 1_000 });
      for (const [index, { callId, place, hash, text }] of chained.entries()) {
        end = linked(end, text);
        expect({ callId, place, hash }).toEqual({ callId: `c${index}`, ...end });
      }
      expect(end).toEqual(whole.end);
      expect(await verified(other)).toMatchObject({ intact: true, records: 5 });
    });

    verifies(
      ['L9', 'H2'],
      'what was pruned leaves a chain that can be followed, in whatever order it went',
      async () => {
        const owner = newOwner();
        // The old ones stand in the middle of the chain.
        const ats = [9, 1, 2, 9, 1, 9, 9, 3, 9];
        await store.appendAudit(
          owner,
          ats.map((at, index) => recordOf({ callId: `c${index}`, at })),
        );
        const prune = (before: number): Promise<number> => store.pruneAudit(owner, { before, keep: 100 });
        expect(await prune(2)).toBe(2);
        expect(await verified(owner)).toMatchObject({ intact: true, records: 7, pruned: 2 });
        expect(await prune(4)).toBe(2);
        expect(await verified(owner)).toMatchObject({ intact: true, records: 5, pruned: 4 });
        await store.appendAudit(owner, [recordOf({ callId: 'late', at: 20 })]);
        expect(await prune(10)).toBe(5);
        expect(await verified(owner)).toMatchObject({
          intact: true,
          records: 1,
          pruned: 9,
          end: { place: 10 },
        });
        expect(await prune(30)).toBe(1);
        expect(await verified(owner)).toMatchObject({ intact: true, records: 0, pruned: 10 });
        await store.appendAudit(owner, [recordOf({ callId: 'next', at: 40 })]);
        expect(await verified(owner)).toMatchObject({ intact: true, records: 1, end: { place: 11 } });
      },
    );

    verifies(['L9', 'H2'], 'a chain can be followed while others append to it and prune it', async () => {
      const owner = newOwner();
      const records = Array.from({ length: 3_000 }, (_, at) => recordOf({ callId: `c${at}`, at }));
      await store.appendAudit(owner, records.slice(0, 1_000));
      const append = async (): Promise<void> => {
        for (let from = 1_000; from < 3_000; from += 100) {
          await store.appendAudit(owner, records.slice(from, from + 100));
          await store.pruneAudit(owner, { before: from - 700, keep: 10_000 });
        }
      };
      const verify = async (): Promise<void> => {
        for (let round = 0; round < 8; round += 1) {
          expect(await verifyChain(store, owner, { batch: 50 })).toMatchObject({ intact: true });
        }
      };
      await Promise.all([append(), verify(), verify()]);
      expect(await verified(owner)).toMatchObject({ intact: true, end: { place: 3_000 } });
    });

    verifies(
      ['L6', 'H2'],
      'what was recorded cannot be changed through the object that was given',
      async () => {
        const owner = newOwner();
        const args = { path: 'a' };
        await store.appendAudit(owner, [recordOf({ args })]);
        args.path = 'b';
        expect((await store.queryAudit(owner, { limit: 1 })).records[0]?.args).toEqual({ path: 'a' });
      },
    );
  });
}

export function recordOf(given: Partial<AuditRecord>): AuditRecord {
  return {
    callId: 'call',
    at: 1,
    principal: 'local',
    requester: { kind: 'host', id: 'h', name: 'Claude Code' },
    server: 's',
    tool: 't',
    risk: 'read',
    args: { path: '/tmp/x' },
    effect: 'allow',
    by: { kind: 'trust', trust: 'kept' },
    durationMs: 12,
    outcome: 'ok',
    argsBytes: 17,
    resultBytes: 200,
    ...given,
  };
}
