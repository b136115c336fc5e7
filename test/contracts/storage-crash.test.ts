import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { openStorage, type StorageOptions } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { startTogether, startWriter } from './storage-process.ts';

const KILLS = 10;

let folder: string;
let database: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-crash-'));
  database = await shared('database');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function killWhileWriting(options: StorageOptions): Promise<readonly string[]> {
  const acknowledged: string[] = [];
  for (let round = 0; round < KILLS; round += 1) {
    const writer = startWriter(options, `round${round}`, 100_000);
    await writer.reached(1 + Math.floor(Math.random() * 60));
    await sleep(Math.random() * 10);
    writer.child.kill('SIGKILL');
    const { code, stderr } = await writer.ended;
    expect({ code, stderr }).toEqual({ code: null, stderr: '' });
    expect(writer.acknowledged.length).toBeGreaterThan(0);
    acknowledged.push(...writer.acknowledged);
  }
  return acknowledged;
}

async function expectAllThere(options: StorageOptions, names: readonly string[]): Promise<void> {
  await using storage = await openStorage(options);
  const servers = new Map((await storage.servers.listServers('local')).map((server) => [server.id, server]));
  for (const name of names) {
    expect(servers.get(name)?.endpoint).toMatchObject({ command: name });
  }
  // What was written after the last acknowledgement may be there: at most one row for each kill.
  expect(servers.size - names.length).toBeLessThanOrEqual(KILLS);
}

for (const kind of ['sqlite', 'postgres'] as const) {
  verifies(
    ['H2'],
    `no acknowledged row is lost when the process is killed ten times while it writes to ${kind}`,
    async () => {
      const options: StorageOptions =
        kind === 'sqlite' ? { kind, file: join(folder, 'kill.db') } : { kind, url: database };
      const acknowledged = await killWhileWriting(options);
      expect(new Set(acknowledged).size).toBe(acknowledged.length);
      await expectAllThere(options, acknowledged);
    },
    120_000,
  );
}

verifies(
  ['H2'],
  'a process killed while it makes the database leaves one that opens',
  async () => {
    for (let round = 0; round < KILLS; round += 1) {
      const options: StorageOptions = { kind: 'sqlite', file: join(folder, `half-made-${round}.db`) };
      const writer = startWriter(options, 'w', 100_000);
      await writer.opening;
      await sleep(Math.random() * 30);
      writer.child.kill('SIGKILL');
      expect(await writer.ended).toEqual({ code: null, stderr: '' });
      await expectAllThere(options, writer.acknowledged);
    }
  },
  60_000,
);

verifies(
  ['H2'],
  'several processes write to one database file at once and none fails',
  async () => {
    const options: StorageOptions = { kind: 'sqlite', file: join(folder, 'shared.db') };
    const writers = await startTogether(options, ['hub', 'cli', 'editor'], 200);
    const ends = await Promise.all(writers.map((writer) => writer.ended));
    expect(ends).toEqual(writers.map(() => ({ code: 0, stderr: '' })));
    await using storage = await openStorage(options);
    expect(await storage.servers.listServers('local')).toHaveLength(600);
    expect(await storage.connections.listEvents('local', { server: 'cli', limit: 500 })).toHaveLength(200);
  },
  60_000,
);
