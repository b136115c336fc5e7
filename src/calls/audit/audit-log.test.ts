import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { silentLogger } from '../../base/logger.ts';
import { createRedactor } from '../../base/redact.ts';
import { TaskGroup } from '../../base/tasks.ts';
import { verifies } from '../../../test/requirements.ts';
import { MemoryAuditStore } from '../../../test/contracts/audit-in-memory.ts';
import type { AuditRecord, WrittenRecord } from '../audit-record.ts';
import { patience } from '../../../test/suite/patience.ts';
import { AuditLog, type AuditLogOptions } from './audit-log.ts';

const folders: string[] = [];
const open: AuditLog[] = [];
afterEach(async () => {
  for (const log of open.splice(0)) await log.close();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'plug-audit-'));
  folders.push(folder);
  return join(folder, 'journal');
}

/** The store in memory, with a switch that makes it fail. */
class Store extends MemoryAuditStore {
  appends = 0;
  broken = false;

  override async appendAudit(
    owner: string,
    records: readonly (AuditRecord | WrittenRecord)[],
  ): Promise<void> {
    this.appends += 1;
    if (this.broken) throw new Error('database is locked');
    for (const each of records) {
      // What was written says all that the record said, and what is looked for in it is the same.
      if ('text' in each) {
        const { text, ...found } = each;
        expect(JSON.parse(text)).toMatchObject(found);
      }
    }
    await super.appendAudit(owner, records);
  }

  /** Oldest first. */
  async all(): Promise<readonly AuditRecord[]> {
    const linked = await this.chainedRecords('local', { after: 0, limit: 10_000 });
    return linked.map(({ text }) => JSON.parse(text) as AuditRecord); // written from one
  }

  async ids(): Promise<readonly string[]> {
    return (await this.all()).map(({ callId }) => callId);
  }
}

async function openLog(options: Partial<AuditLogOptions> = {}): Promise<AuditLog> {
  const log = await AuditLog.open({
    store: new Store(),
    owner: 'local',
    clock: { ...systemClock, now: () => 1_700_000_000_100 },
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

const record = (callId: string, more: Partial<AuditRecord> = {}): AuditRecord => ({
  callId,
  at: 1_700_000_000_000,
  principal: 'local',
  requester: { kind: 'host', id: 'h1', name: 'Claude Code' },
  server: 'github',
  account: 'nick',
  tool: 'search',
  risk: 'read',
  args: { q: 'x' },
  effect: 'allow',
  by: { kind: 'grant', id: 'grant_1' },
  durationMs: 12.5,
  outcome: 'ok',
  argsBytes: 9,
  resultBytes: 120,
  ...more,
});

/** Read at once: a moment later the database has them, and they are gone. */
const lines = (folder: string): readonly string[] =>
  readdirSync(folder)
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '');

verifies(
  ['L6'],
  'a call is on disk at once, for its owner alone, and in the database a moment later',
  async () => {
    const folder = await newFolder();
    const store = new Store();
    const log = await openLog({ folder, store });
    await log.record(record('call_1'));
    expect(lines(folder).map((line) => JSON.parse(line))).toEqual([record('call_1')]);
    if (process.platform !== 'win32') {
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      for (const name of await readdir(folder))
        expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
    }
    await expect.poll(async () => (await store.ids()).length).toBe(1);
    await expect.poll(() => lines(folder)).toEqual([]);
    await log.record(record('call_2'));
    expect((await log.query()).records.map(({ callId }) => callId)).toEqual(['call_2', 'call_1']);
    await log.close();
    expect(await readdir(folder)).toEqual([]);
  },
);

test('calls that end together are all on disk before the first of them is answered', async () => {
  const folder = await newFolder();
  const log = await openLog({ folder, store: new Store() });
  const ids = Array.from({ length: 40 }, (_, index) => `call_${index}`);
  const onDisk = ids.map(async (callId) => {
    await log.record(record(callId));
    return readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  });
  for (const found of await Promise.all(onDisk)) {
    expect(found.filter((line) => line !== '').map((line) => JSON.parse(line).callId)).toEqual(ids);
  }
  await log.close();
  expect(await readdir(folder)).toEqual([]);
});

test('a thousand calls reach the database in a few batches, each once', async () => {
  const store = new Store();
  const log = await openLog({ folder: await newFolder(), store });
  const calls = Array.from({ length: 1_000 }, async (_, index) => log.record(record(`call_${index}`)));
  await Promise.all(calls);
  await log.close();
  expect(await store.ids()).toEqual(Array.from({ length: 1_000 }, (_, index) => `call_${index}`));
  expect(store.appends).toBeLessThan(30);
});

test('what an ended process left behind is stored at the next start, its torn last line left out', async () => {
  const folder = await newFolder();
  const store = new Store();
  store.broken = true;
  const before = await openLog({ folder, store });
  await before.record(record('call_1'));
  await before.record(record('call_2'));
  await before.close();
  expect(lines(folder)).toHaveLength(2);
  // 999999999 is above every pid of this system.
  await writeFile(
    join(folder, '999999999-x-a.audit.jsonl'),
    `${JSON.stringify(record('call_3'))}\n{"callId":"cal`,
  );
  store.broken = false;
  await store.appendAudit('local', [record('call_2', { tool: 'first' })]);
  await openLog({ folder, store });
  expect((await store.ids()).toSorted()).toEqual(['call_1', 'call_2', 'call_3']);
  expect((await store.all()).find(({ callId }) => callId === 'call_2')?.tool).toBe('first');
  expect(lines(folder)).toEqual([]);
});

test('two hubs of one process do not take each other’s records away', async () => {
  const folder = await newFolder();
  const store = new Store();
  store.broken = true;
  const one = await openLog({ folder, store });
  await one.record(record('call_1'));
  await openLog({ folder, store: new Store() });
  expect(lines(folder)).toHaveLength(1);
  store.broken = false;
  await one.close();
  expect(await store.ids()).toEqual(['call_1']);
});

verifies(
  ['L9'],
  'while the database is stuck calls are kept up to a bound; beyond it they fail at once, with the reason',
  async () => {
    const store = new Store();
    store.broken = true;
    const log = await openLog({
      folder: await newFolder(),
      store,
      limits: { ...limits, auditQueueMax: 5, auditStuckMs: 100, storageRetryBaseMs: 5, storageRetryMaxMs: 5 },
    });
    for (let index = 0; index < 4; index += 1) await log.record(record(`call_${index}`));
    expect(log.waitForSpace()).toBeUndefined();
    await log.record(record('call_4'));
    const refused = {
      code: 'storage_failed',
      owner: 'plugboard',
      message: expect.stringContaining('database is locked'),
      next: expect.any(String),
    };
    await expect(log.waitForSpace()).rejects.toMatchObject(refused);
    const started = performance.now();
    await expect(log.waitForSpace()).rejects.toMatchObject(refused);
    expect(performance.now() - started).toBeLessThan(patience(16));
    store.broken = false;
    await expect.poll(() => log.waitForSpace()).toBeUndefined();
    expect((await log.query()).records).toHaveLength(5);
  },
);

verifies(['L6'], 'arguments are recorded without secrets and without their bulk', async () => {
  const redactor = createRedactor();
  redactor.learn('hunter2-hunter2');
  const store = new Store();
  const log = await openLog({ store, redact: (value) => redactor.redactValue(value) });
  const error = {
    code: 'server_error',
    owner: 'server',
    message: `no hunter2-hunter2 ${'y'.repeat(9_000)}`,
  } as const;
  await log.record(
    record('call_1', {
      args: { password: 'abcdef', q: 'hunter2-hunter2', long: 'x'.repeat(100_000) },
      error,
    }),
  );
  const [kept] = (await log.query()).records;
  expect(kept?.args).toMatchObject({ password: '[secret]', q: '[secret]' });
  expect(kept?.args['long']).toMatch(/^x+… \(\d+ more characters\)$/);
  expect(JSON.stringify(kept).length).toBeLessThan(limits.auditArgsBytesMax + 4_000);
  expect(JSON.stringify(kept)).not.toContain('hunter2');
});

verifies(
  ['L6', 'L9'],
  'where recording is switched off, only what was called is kept; old records go',
  async () => {
    const store = new Store();
    let now = 1_700_000_000_000;
    const clock = { ...systemClock, now: () => now };
    const tasks = new TaskGroup(silentLogger);
    const log = await openLog({
      store,
      clock,
      tasks,
      isRecorded: (server) => server !== 'private',
      limits: { ...limits, auditRecordsMax: 3 },
    });
    await tasks.close(); // opening prunes too
    const error = { code: 'server_error', owner: 'server', message: 'no such file: diary.txt' } as const;
    await log.record(record('call_0', { at: now, server: 'private', error }));
    for (let index = 1; index <= 5; index += 1)
      await log.record(record(`call_${index}`, { at: now + index }));
    const [kept] = (await log.query({ server: 'private' })).records;
    expect(kept).toMatchObject({ callId: 'call_0', tool: 'search', outcome: 'ok', args: {}, leftOut: true });
    expect(JSON.stringify(kept)).not.toMatch(/diary|"q"/);
    expect(await log.prune()).toBe(3);
    expect(await store.ids()).toEqual(['call_3', 'call_4', 'call_5']);
    now += limits.auditKeepMs + 5;
    expect(await log.prune()).toBe(2);
  },
);

verifies(['attack:B8'], 'a line break in a value cannot forge a second record (case B8)', async () => {
  const folder = await newFolder();
  const store = new Store();
  store.broken = true;
  const log = await openLog({ folder, store });
  await log.record(record('call_1', { args: { q: `x\n${JSON.stringify(record('forged'))}\n` } }));
  expect(lines(folder)).toHaveLength(1);
  store.broken = false;
  expect((await log.query()).records.map(({ callId }) => callId)).toEqual(['call_1']);
});

test('calls that come faster than the database are all kept, in order', async () => {
  const store = new Store();
  const log = await openLog({ store, folder: await newFolder(), limits: { ...limits, auditQueueMax: 50 } });
  for (let index = 0; index < 2_000; index += 1) await log.record(record(`call_${index}`));
  await log.close();
  expect(await store.ids()).toEqual(Array.from({ length: 2_000 }, (_, index) => `call_${index}`));
});
