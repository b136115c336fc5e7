import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { shared } from '../suite/run-resources.ts';
import { temporaryFolder } from './vault-store-open.ts';
import { vaultStoreContract } from './vault-store.ts';

let folder: { readonly path: string } & AsyncDisposable;
let database: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  database = await shared('database');
});
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

vaultStoreContract('memory', () => openStorage({ kind: 'memory' }));
vaultStoreContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder.path, 'plug.db') }));
vaultStoreContract('postgres', () => openStorage({ kind: 'postgres', url: database }));
