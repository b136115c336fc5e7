import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { auditRecord } from '../../../test/contracts/audit-sample.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { TaskGroup } from '../../base/tasks.ts';
import { MemoryAuditStore } from '../../../test/contracts/audit-in-memory.ts';
import type { AuditRecord, BegunRecord, RecordEnding } from '../audit-record.ts';
import { AuditLog, type AuditLogOptions } from './audit-log.ts';
import { AuditQueue } from './audit-queue.ts';
import { textOfBeginning, textOfEnding } from './record-text.ts';

const folders: string[] = [];
const open: AuditLog[] = [];
afterEach(async () => {
  for (const log of open.splice(0)) await log.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plug-begun-'));
  folders.push(folder);
  return join(folder, 'journal');
}

async function openLog(options: Partial<AuditLogOptions>): Promise<AuditLog> {
  const log = await AuditLog.open({
    store: new MemoryAuditStore(),
    owner: 'local',
    clock: systemClock,
    ids: systemIds,
    limits,
    logger: silentLogger,
    tasks: new TaskGroup(silentLogger),
    redact: (value) => value,
    isRecorded: () => true,
    ...options,
  });
  open.push(log);
  return log;
}

const OK: RecordEnding = { durationMs: 1, outcome: 'ok', resultBytes: 3 };

function begun(callId: string, more: Partial<BegunRecord> = {}): BegunRecord {
  const { durationMs, outcome, ...record } = auditRecord(callId, systemClock.now());
  expect([durationMs, outcome]).toEqual([1, 'ok']);
  return { ...record, ...more };
}

async function linesIn(folder: string): Promise<readonly Partial<AuditRecord>[]> {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts
    .flatMap((text) => text.split('\n').filter((line) => line !== ''))
    .map((line) => JSON.parse(line) as Partial<AuditRecord>); // as it was written
}

verifies(['L9'], 'when a beginning is written it is on disk, with all that the record needs', async () => {
  const folder = await newFolder();
  const store = new MemoryAuditStore();
  const log = await openLog({ folder, store });
  const record = begun('call_1', { account: 'work (@nick)', args: { q: 'x' } });
  const call = log.begin(record);
  await call.written;
  expect(await linesIn(folder)).toEqual([record]);
  await log.end(call, record, OK);
  expect(await linesIn(folder)).toEqual([record, { ...record, ...OK }]);
  expect((await log.query()).records).toEqual([{ ...record, ...OK }]);
});

verifies(
  ['L9'],
  'a call that has not ended stays in the journal, however often the others are stored',
  async () => {
    const folder = await newFolder();
    const store = new MemoryAuditStore();
    const log = await openLog({ folder, store });
    const long = log.begin(begun('long'));
    await long.written;
    for (let round = 0; round < 5; round += 1) {
      const record = begun(`short_${round}`);
      const call = log.begin(record);
      await call.written;
      await log.end(call, record, OK);
      await log.query();
      expect((await linesIn(folder)).map(({ callId }) => callId)).toEqual(['long']);
    }
    await log.end(long, begun('long'), OK);
    await log.query();
    expect(await linesIn(folder)).toEqual([]);
    expect((await log.query()).records).toHaveLength(6);
  },
);

verifies(
  ['L9'],
  'the next start closes what had begun as unknown, once, and knows what had ended',
  async () => {
    const folder = await newFolder();
    const store = new MemoryAuditStore();
    mkdirSync(folder);
    const line = (record: object): string => `${JSON.stringify(record)}\n`;
    // 999999999 is above every pid of this system.
    await writeFile(
      join(folder, '999999999.1-x-a.audit.jsonl'),
      line(begun('ended')) + line(begun('open')) + line({ ...begun('ended'), ...OK }),
    );
    await writeFile(join(folder, '999999999.1-x-b.audit.jsonl'), `${line(begun('open'))}{"callId":"to`);
    const log = await openLog({ folder, store });
    const { records } = await log.query();
    expect(records).toHaveLength(2);
    expect(records.find(({ callId }) => callId === 'ended')?.outcome).toBe('ok');
    expect(records.find(({ callId }) => callId === 'open')).toMatchObject({
      outcome: 'unknown',
      args: { q: 'open' },
      by: { kind: 'default' },
      error: { message: expect.stringContaining('not known') },
    });
    expect(await readdir(folder)).toEqual([]);
    await log.close();
    expect((await (await openLog({ folder, store })).query()).records).toHaveLength(2);
  },
);

test('a process that lives keeps its calls, and one that only has its number does not', async () => {
  const folder = await newFolder();
  mkdirSync(folder);
  const file = (pid: string): string => join(folder, `${pid}-x-a.audit.jsonl`);
  writeFileSync(file(`${process.ppid}`), `${JSON.stringify(begun('lives'))}\n`);
  writeFileSync(file(`${process.ppid}.1`), `${JSON.stringify(begun('number'))}\n`);
  writeFileSync(file(`${process.pid}.1`), `${JSON.stringify(begun('ours'))}\n`);
  const log = await openLog({ folder });
  const { records } = await log.query();
  expect(records.map(({ callId, outcome }) => `${callId} ${outcome}`).toSorted()).toEqual([
    'number unknown',
    'ours unknown',
  ]);
});

verifies(
  ['L9'],
  'while the journal cannot be written no call begins, and none is on record; then they begin again',
  async () => {
    const folder = await newFolder();
    // A file where the folder belongs: nobody can write below it, not even root.
    writeFileSync(folder, '');
    const store = new MemoryAuditStore();
    const log = await openLog({ folder, store });
    const refused = { code: 'storage_failed', message: expect.stringMatching(/^The tool was not called/) };
    const calls = [log.begin(begun('call_1')), log.begin(begun('call_2'))];
    for (const { written } of calls) await expect(written).rejects.toMatchObject(refused);
    // From then on nobody is even asked.
    await expect(log.waitForSpace()).rejects.toMatchObject(refused);
    await rm(folder);
    expect(log.waitForSpace()).toBeUndefined();
    const call = log.begin(begun('call_3'));
    await call.written;
    expect((await linesIn(folder)).map(({ callId }) => callId)).toEqual(['call_3']);
    await log.end(call, begun('call_3'), OK);
    expect((await log.query()).records.map(({ callId }) => callId)).toEqual(['call_3']);
  },
);

verifies(
  ['L9'],
  'a call whose end goes neither to the journal nor to the database is not answered as if it did',
  async () => {
    const stored: string[] = [];
    const broken = { journal: false, database: false };
    const fail = (is: boolean, code: string): void => {
      if (is) throw Object.assign(new Error('it failed'), { code });
    };
    const queue = new AuditQueue({
      append: async (records) => {
        fail(broken.database, 'SQLITE_FULL');
        stored.push(...records.map(({ callId }) => callId));
      },
      journal: {
        folder: '/journal',
        write: () => fail(broken.journal, 'EROFS'),
        turn: () => ({ drop: () => undefined }),
        sync: () => undefined,
        close: () => undefined,
      },
      clock: systemClock,
      ids: systemIds,
      limits: { ...limits, auditStuckMs: 50, storageRetryBaseMs: 5, storageRetryMaxMs: 5 },
      logger: silentLogger,
    });
    const [one, two] = [auditRecord('call_1', 1), auditRecord('call_2', 2)];
    const calls = [queue.begin(textOfBeginning(one)), queue.begin(textOfBeginning(two))] as const;
    await calls[0].written;
    broken.journal = true;
    // The database takes it.
    await queue.add(one, calls[0], textOfEnding(one));
    expect(stored).toEqual(['call_1']);
    broken.database = true;
    await expect(queue.add(two, calls[1], textOfEnding(two))).rejects.toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/was called, but its end cannot be recorded: the disk is read-only/),
      details: { called: true },
    });
    // The truth is stored as soon as it can be.
    broken.database = false;
    await expect.poll(() => stored).toEqual(['call_1', 'call_2']);
    await queue.close();
  },
);

test('closing waits for calls under way, stores their ends, and lets no other begin', async () => {
  const folder = await newFolder();
  const store = new MemoryAuditStore();
  const log = await openLog({ folder, store });
  log.enter();
  const record = begun('call_1');
  const call = log.begin(record);
  await call.written;
  const closing = log.close();
  await expect(log.waitForSpace()).rejects.toMatchObject({ code: 'unavailable' });
  await log.end(call, record, OK);
  log.left();
  await closing;
  expect((await store.queryAudit('local', { limit: 10 })).records).toHaveLength(1);
  expect(await readdir(folder)).toEqual([]);
  await expect(log.end(call, record, OK)).rejects.toMatchObject({ code: 'unavailable' });
});

test('what does not end in time when the hub closes is unknown at the next start', async () => {
  const folder = await newFolder();
  const store = new MemoryAuditStore();
  const log = await openLog({ folder, store, limits: { ...limits, auditCloseMs: 20 } });
  log.enter();
  await log.begin(begun('call_1')).written;
  await log.close();
  const { records } = await (await openLog({ folder, store })).query();
  expect(records).toMatchObject([{ callId: 'call_1', outcome: 'unknown' }]);
});
