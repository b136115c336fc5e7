import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { configure } from './open.ts';

test('every commit is synced to the disk before it is acknowledged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plug-configure-'));
  const database = new DatabaseSync(join(folder, 'plug.db'));
  configure(database);
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
  // 2 stands for FULL, https://sqlite.org/pragma.html#pragma_synchronous.
  expect(database.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 });
  database.close();
  await rm(folder, { recursive: true });
});
