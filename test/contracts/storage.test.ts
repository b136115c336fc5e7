import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { shared } from '../suite/run-resources.ts';
import { storageContract } from './storage.ts';

let folder: string;
let database: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-storage-'));
  database = await shared('database');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

storageContract('memory', () => openStorage({ kind: 'memory' }));
storageContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder, 'plug.db') }));
storageContract('postgres', () => openStorage({ kind: 'postgres', url: database }));
