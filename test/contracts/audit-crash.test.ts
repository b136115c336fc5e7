import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { TaskGroup } from '../../src/base/tasks.ts';
import { AuditLog } from '../../src/calls/audit/audit-log.ts';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { temporaryFolder } from './vault-store-open.ts';
import { programFile } from '../suite/program-file.ts';

let root: { readonly path: string } & AsyncDisposable;
beforeAll(async () => {
  root = await temporaryFolder();
});
afterAll(async () => root[Symbol.asyncDispose]());

/** Starts a writer, kills it somewhere around its thousandth record, and answers what it had acknowledged. */
async function killOnce(prefix: string): Promise<readonly string[]> {
  const program = programFile('contracts/audit-writer');
  const child = spawn(process.execPath, [program, root.path, prefix], { stdio: ['ignore', 'pipe', 'pipe'] });
  const acknowledged: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const wanted = 200 + Math.floor(Math.random() * 1_000);
  const enough = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(line);
    if (acknowledged.length >= wanted) enough.resolve();
  });
  const closed = once(child, 'close');
  await Promise.race([enough.promise, closed]);
  child.kill('SIGKILL');
  const [code] = await closed;
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
  return acknowledged;
}

verifies(
  ['L6'],
  'after kill -9 in the middle of a thousand records none that was acknowledged is lost and none is doubled',
  async () => {
    const acknowledged: string[] = [];
    // Two at once: each finds the files of the other, which still lives.
    for (let round = 0; round < 3; round += 1) {
      const pair = await Promise.all([`a${round}`, `b${round}`].map(killOnce));
      acknowledged.push(...pair.flat());
    }
    await using storage = await openStorage({ kind: 'sqlite', file: join(root.path, 'plug.db') });
    const tasks = new TaskGroup(silentLogger);
    const folder = join(root.path, 'audit');
    const log = await AuditLog.open({
      store: storage.audit,
      owner: 'local',
      folder,
      clock: systemClock,
      ids: systemIds,
      limits,
      logger: silentLogger,
      tasks,
      redact: (value) => value,
      isRecorded: () => true,
    });
    const recorded: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
      const page = await log.query(cursor === undefined ? {} : { cursor });
      recorded.push(...page.records.map(({ callId }) => callId));
      ({ cursor } = page);
    }
    await log.close();
    await tasks.close();
    expect(acknowledged.length).toBeGreaterThan(1_000);
    expect(new Set(recorded).size).toBe(recorded.length);
    expect(new Set(acknowledged).difference(new Set(recorded))).toEqual(new Set());
    // At most the one record per process that was kept and not yet acknowledged.
    expect(recorded.length).toBeLessThanOrEqual(acknowledged.length + 6);
    expect(await readdir(folder)).toEqual([]);
  },
  120_000,
);
