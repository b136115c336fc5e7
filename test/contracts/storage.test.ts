import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { storageContract } from './storage.ts';

let folder: string;
let postgres: PostgresServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-storage-'));
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});

storageContract('memory', () => openStorage({ kind: 'memory' }));
storageContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder, 'plug.db') }));
storageContract('postgres', () => openStorage({ kind: 'postgres', url: postgres.url }));
