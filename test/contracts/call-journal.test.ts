import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { BegunRecord } from '../../src/calls/audit-record.ts';
import { textOfBeginning, textOfEnding } from '../../src/calls/audit/record-text.ts';
import { verifyChain } from '../../src/calls/audit/chain.ts';
import { SharedQueue, storeUnended } from '../../src/calls/audit/shared-queue.ts';
import { openTeamDatabase, type TeamDatabase } from '../../src/storage/postgres/team.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { shared } from '../suite/run-resources.ts';
import { asOrdinaryRole } from './ordinary-role.ts';

let url: string;
let database: TeamDatabase;
beforeAll(async () => {
  url = await asOrdinaryRole(await shared('database'));
  database = await openTeamDatabase(url, { clock: systemClock, ids: systemIds });
}, 60_000);
afterAll(() => database[Symbol.asyncDispose]());

const LEASE_MS = 60_000;
let count = 0;

/** An owner that a new replica holds. */
async function held(): Promise<{ readonly owner: string; readonly holder: string }> {
  count += 1;
  const [owner, holder] = [`person:${count}`, `replica_${count}`];
  await database.replicas.add(holder, `http://127.0.0.1:${count}`, LEASE_MS);
  expect(await database.replicas.hold(owner, holder)).toBe(holder);
  return { owner, holder };
}

function queueOf(of: { readonly owner: string; readonly holder: string }): SharedQueue {
  const calls = database.storage.callJournal;
  return new SharedQueue({ ...of, calls, clock: systemClock, ids: systemIds, limits, logger: silentLogger });
}

const begun = (callId: string): BegunRecord => ({
  callId,
  at: 1,
  principal: 'mira',
  requester: { kind: 'person', id: 'mira' },
  server: 'count',
  tool: 'add',
  risk: 'write',
  args: { n: 1 },
  effect: 'allow',
  by: { kind: 'default', path: 'call.write' },
  argsBytes: 7,
});
const ENDING = { durationMs: 2, outcome: 'ok' } as const;

async function outcomesOf(owner: string): Promise<Readonly<Record<string, string>>> {
  const { records } = await database.storage.audit.queryAudit(owner, { limit: 100 });
  return Object.fromEntries(records.map(({ callId, outcome }) => [callId, outcome]));
}

verifies(
  ['L9', 'M3'],
  'what had begun and did not end is on record as unknown, once, whoever takes over',
  async () => {
    const of = await held();
    const queue = queueOf(of);
    const open = ['a', 'b', 'c'].map((id) => queue.begin(textOfBeginning(begun(id))));
    for (const { written } of open) await written;
    const end = (id: string, index: number): Promise<void> | undefined =>
      open[index] && queue.add({ ...begun(id), ...ENDING }, open[index], textOfEnding(ENDING));
    await end('a', 0);
    expect(await database.storage.callJournal.listBegunCalls(of.owner)).toHaveLength(2);
    const journal = { calls: database.storage.callJournal, holder: 'another' };
    for (let again = 0; again < 2; again += 1) {
      await storeUnended(journal, { owner: of.owner, logger: silentLogger });
      expect(await outcomesOf(of.owner)).toEqual({ a: 'ok', b: 'unknown', c: 'unknown' });
    }
    // What comes late of a replica that was taken for dead changes nothing.
    await end('b', 1);
    expect((await outcomesOf(of.owner))['b']).toBe('unknown');
    await queue.close();
  },
);

verifies(['L9', 'M3'], 'a replica begins no call for an owner whom another one has taken over', async () => {
  const { owner, holder } = await held();
  const queue = queueOf({ owner, holder });
  const next = await held();
  // A living one is not taken over, nor one whose connection to the database is there.
  expect(await database.replicas.hold(owner, next.holder)).toBe(holder);
  await using _alive = await database.hear({
    replica: holder,
    onNotice: () => undefined,
    onMissed: () => undefined,
    onTrouble: () => undefined,
  });
  expect(await database.replicas.removeIfGone(holder)).toBe(false);
  await database.replicas.remove(holder);
  expect(await database.replicas.renew(holder, LEASE_MS)).toBe(false);
  expect(await database.replicas.hold(owner, next.holder)).toBe(next.holder);
  const refused = queue.begin(textOfBeginning(begun('late')));
  await expect(refused.written).rejects.toMatchObject({ code: 'storage_failed' });
  expect(refused.place?.item).toBeUndefined();
  expect(await database.storage.callJournal.listBegunCalls(owner)).toEqual([]);
  await queue.close();
});

verifies(['M3'], 'one that has said nothing for too long is gone, and its place is free', async () => {
  const { owner, holder } = await held();
  const next = await held();
  await database.replicas.renew(holder, -1);
  await waitFor(async () => (await database.replicas.removeLate()).length > 0);
  expect(await database.replicas.hold(owner, next.holder)).toBe(next.holder);
  await database.replicas.letGo(owner, holder); // not theirs any more
  expect(await database.replicas.hold(owner, holder)).toBe(next.holder);
});

verifies(['M3'], 'what one process says is heard by all, again after the connection was lost', async () => {
  const heard: string[] = [];
  let missed = 0;
  await using _hearing = await database.hear({
    replica: 'replica_ears',
    onNotice: (text) => void heard.push(text),
    onMissed: () => (missed += 1),
    onTrouble: () => undefined,
  });
  await database.tell('one');
  await waitFor(() => heard.includes('one'));
  const { Client } = await import('pg');
  const client = new Client(url);
  await client.connect();
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plugboard notices'`,
  );
  await client.end();
  await waitFor(() => missed === 1);
  await database.tell('two');
  await waitFor(() => heard.includes('two'));
  expect(await database.replicas.removeIfGone('replica_ears')).toBe(false);
});

verifies(
  ['L9', 'M3', 'H2'],
  'calls of many owners are written together, and one whose rows are held up, or taken over, delays no other',
  async () => {
    const [held1, held2, busy, lost] = [await held(), await held(), await held(), await held()];
    const all = [held1, held2, busy, lost];
    const queues = all.map(queueOf);
    const run = (index: number, id: string): Promise<void> => {
      const queue = queues[index];
      const open = queue?.begin(textOfBeginning(begun(id)));
      const ended = open?.written?.then(() =>
        queue?.add({ ...begun(id), ...ENDING }, open, textOfEnding(ENDING)),
      );
      return ended ?? Promise.reject(new Error('nothing was begun'));
    };
    for (const round of ['first', 'second'])
      await Promise.all(all.flatMap((_, index) => [run(index, `${round} a`), run(index, `${round} b`)]));
    const { Client } = await import('pg');
    const other = new Client(url);
    await other.connect();
    await other.query('begin');
    await other.query(`select set_config('app.owner', $1, true)`, [busy.owner]);
    await other.query('select from plugboard.homes for update');
    await database.replicas.remove(lost.holder);
    const taker = await held();
    expect(await database.replicas.hold(lost.owner, taker.holder)).toBe(taker.holder);
    const [waits, refused] = [run(2, 'late'), run(3, 'late')];
    await expect(refused).rejects.toMatchObject({ code: 'storage_failed' });
    await Promise.all([run(0, 'late'), run(1, 'late')]);
    expect(await outcomesOf(busy.owner)).not.toHaveProperty('late');
    await other.query('commit');
    await other.end();
    await waits;
    for (const { owner } of [held1, held2, busy]) {
      expect(Object.keys(await outcomesOf(owner))).toHaveLength(5);
      expect(await verifyChain(database.storage.audit, owner, { batch: 2 })).toMatchObject({
        intact: true,
        records: 5,
      });
      expect(await database.storage.callJournal.listBegunCalls(owner)).toEqual([]);
    }
    expect(await outcomesOf(lost.owner)).not.toHaveProperty('late');
    for (const queue of queues) await queue.close();
  },
);

verifies(['L9', 'H2'], 'a record that the database refuses is refused to its owner alone', async () => {
  const [one, two] = [await held(), await held()];
  const { callJournal } = database.storage;
  const ended = (text: string) => [{ ...begun('call'), ...ENDING, text }];
  const nothing = { begun: [], gone: [] };
  const outcomes = await Promise.allSettled([
    // No text of PostgreSQL holds this character; a record never does, as JSON escapes it.
    callJournal.writeCalls(one.owner, { ...one, ...nothing, ended: ended('{"callId":"\u0000"}') }),
    callJournal.writeCalls(two.owner, { ...two, ...nothing, ended: ended('{"callId":"call"}') }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  // Repeated, as after a lost connection, it is there once.
  await callJournal.writeCalls(two.owner, { ...two, ...nothing, ended: ended('{"callId":"call"}') });
  expect((await database.storage.audit.chainEnd(two.owner)).place).toBe(1);
});

verifies(
  ['M6', 'M3'],
  'of many calls at once as many are let in as a quota says, whatever the clocks of the replicas say',
  async () => {
    const { counters } = database.storage;
    const counted = { name: 'quota', span: 100, max: 25 };
    const tries = (span: number, count: number) =>
      Promise.all(Array.from({ length: count }, () => counters.count('team', { ...counted, span })));
    const letIn = async (span: number, count: number): Promise<number> =>
      (await tries(span, count)).filter(Boolean).length;
    expect(await letIn(100, 10)).toBe(10);
    expect(await letIn(100, 40)).toBe(15);
    expect(await letIn(100, 3)).toBe(0);
    // The next span; a replica whose clock is behind still counts for the last one.
    expect(await letIn(101, 20)).toBe(20);
    expect(await letIn(100, 20)).toBe(5);
    expect(await letIn(101, 1)).toBe(0);
    // A clock that was far ahead.
    expect(await letIn(500, 1)).toBe(1);
    expect(await letIn(101, 1)).toBe(1);
  },
);
