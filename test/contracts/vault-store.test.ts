import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';
import { temporaryFolder } from './vault-store-open.ts';
import { vaultStoreContract } from './vault-store.ts';

let folder: { readonly path: string } & AsyncDisposable;
let postgres: PostgresServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  postgres = await startPostgres();
});
afterAll(async () => {
  await postgres.stop();
  await folder[Symbol.asyncDispose]();
});

vaultStoreContract('memory', () => openStorage({ kind: 'memory' }));
vaultStoreContract('sqlite', () => openStorage({ kind: 'sqlite', file: join(folder.path, 'plug.db') }));
vaultStoreContract('postgres', () => openStorage({ kind: 'postgres', url: postgres.url }));
