import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { limits } from '../../base/limits.ts';
import { defineServer, type ServerDefinition } from '../../servers/definition.ts';
import { openSqlite } from './open.ts';

const timing = { clock: systemClock, ids: systemIds };
let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-sqlite-'));
  file = join(folder, 'data', 'plug.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function serverOf(id: string): ServerDefinition {
  return defineServer({ id, endpoint: { kind: 'http', url: 'https://x.test', headers: {} } });
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

verifies(['H2'], 'the database and its journal are readable by the user alone', async () => {
  await using storage = await openSqlite(file, timing);
  await storage.servers.putServer('local', serverOf('s'));
  expect(await modeOf(join(folder, 'data'))).toBe('700');
  expect(await modeOf(file)).toBe('600');
  expect(await modeOf(`${file}-wal`)).toBe('600');
  expect(await modeOf(`${file}-shm`)).toBe('600');
});

test('a database that others could read is closed to them when it is opened', async () => {
  await (await openSqlite(file, timing)).close();
  await chmod(file, 0o644);
  await using storage = await openSqlite(file, timing);
  expect(await modeOf(file)).toBe('600');
  expect(await storage.servers.listServers('local')).toEqual([]);
});

test('a reader does not block the writer and keeps its view', async () => {
  await using storage = await openSqlite(file, timing);
  await storage.servers.putServer('local', serverOf('s'));
  using reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('begin');
  expect(reader.prepare('select count(*) as n from servers').get()).toEqual({ n: 1 });
  await storage.servers.putServer('local', serverOf('t'));
  expect(await storage.servers.listServers('local')).toHaveLength(2);
  expect(reader.prepare('select count(*) as n from servers').get()).toEqual({ n: 1 });
});

verifies(['H2'], 'a database behind a symbolic link is not opened', async () => {
  const real = join(folder, 'real.db');
  await (await openSqlite(real, timing)).close();
  const before = await readFile(real);
  const link = join(folder, 'link.db');
  await symlink(real, link);
  await expect(openSqlite(link, timing)).rejects.toMatchObject({
    code: 'storage_failed',
    owner: 'you',
    message: `The database ${link} is a symbolic link, so it was not opened.`,
  });
  expect((await readFile(real)).equals(before)).toBe(true);

  const dangling = join(folder, 'dangling.db');
  await symlink(join(folder, 'nowhere.db'), dangling);
  await expect(openSqlite(dangling, timing)).rejects.toMatchObject({ code: 'storage_failed' });
  await expect(stat(join(folder, 'nowhere.db'))).rejects.toMatchObject({ code: 'ENOENT' });
});

verifies(['H2'], 'a damaged file is named with the next step and left as it is', async () => {
  const noise = join(folder, 'noise.db');
  await writeFile(noise, 'this was never a database '.repeat(400));
  const halved = join(folder, 'halved.db');
  const storage = await openSqlite(halved, timing);
  for (let index = 0; index < 100; index += 1) await storage.servers.putServer('o', serverOf(`s${index}`));
  await storage.close();
  await truncate(halved, 4096 + 100);

  for (const damaged of [noise, halved]) {
    const before = await readFile(damaged);
    await expect(openSqlite(damaged, timing)).rejects.toMatchObject({
      code: 'storage_failed',
      owner: 'you',
      message: `The database ${damaged} is damaged or isn’t an SQLite database. It was left unchanged.`,
      next: `Restore it from a backup, or start afresh: mv ${damaged} ${damaged}.damaged`,
      details: { file: damaged },
    });
    expect((await readFile(damaged)).equals(before)).toBe(true);
  }
});

verifies(['H2'], 'a newer database that a crash left behind is refused without being tidied up', async () => {
  await using storage = await openSqlite(file, timing);
  using newer = new DatabaseSync(file);
  newer.exec(`insert into kysely_migration values ('9999-from-the-future', '2099')`);
  // What a killed process leaves: the file, and beside it the writes that are not yet in it.
  const left = join(folder, 'left.db');
  await copyFile(file, left);
  await copyFile(`${file}-wal`, `${left}-wal`);
  const [before, waiting] = [await readFile(left), await readFile(`${left}-wal`)];
  expect(waiting.length).toBeGreaterThan(0);
  await expect(openSqlite(left, timing)).rejects.toMatchObject({
    code: 'storage_failed',
    details: { unknown: ['9999-from-the-future'] },
  });
  expect((await readFile(left)).equals(before)).toBe(true);
  expect((await readFile(`${left}-wal`)).equals(waiting)).toBe(true);
  expect(await storage.servers.listServers('local')).toEqual([]);
});

test("another program's database is not taken over", async () => {
  const theirs = join(folder, 'theirs.db');
  const other = new DatabaseSync(theirs);
  other.exec('create table bookmarks (url text)');
  other.close();
  const before = await readFile(theirs);
  await expect(openSqlite(theirs, timing)).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining('belongs to another program'),
  });
  expect((await readFile(theirs)).equals(before)).toBe(true);
});

test('a folder or an unwritable place gives a sentence with the path', async () => {
  const taken = join(folder, 'taken');
  await mkdir(taken);
  await expect(openSqlite(taken, timing)).rejects.toMatchObject({
    code: 'storage_failed',
    message: `The database ${taken} is not a file, so it was not opened.`,
  });
  await writeFile(join(folder, 'plain'), '');
  const below = join(folder, 'plain', 'plug.db');
  await expect(openSqlite(below, timing)).rejects.toMatchObject({
    code: 'storage_failed',
    message: expect.stringContaining(below),
  });
});

test('an empty file is a new database', async () => {
  const empty = join(folder, 'empty.db');
  await writeFile(empty, '');
  await using storage = await openSqlite(empty, timing);
  await storage.servers.putServer('local', serverOf('s'));
  expect(await storage.servers.listServers('local')).toHaveLength(1);
});

verifies(['H2'], 'a write waits for another process that holds the database, and then succeeds', async () => {
  await using storage = await openSqlite(file, timing);
  using other = new DatabaseSync(file);
  other.exec('begin immediate');
  let done = false;
  const write = storage.servers.putServer('local', serverOf('s')).then(() => (done = true));
  // Longer than SQLite itself waits, so that our own waiting is what carries it.
  await sleep(limits.sqliteBusyBlockMs * 3);
  expect(done).toBe(false);
  other.exec('commit');
  await write;
  expect(await storage.servers.getServer('local', 's')).toEqual(serverOf('s'));
});

test('a database that stays locked gives up with a sentence, and works again afterwards', async () => {
  let now = 0;
  const clock = {
    ...systemClock,
    monotonic: () => now,
    sleep: async () => {
      now += limits.sqliteBusyTotalMs / 2;
    },
  };
  await using storage = await openSqlite(file, { clock, ids: systemIds });
  using other = new DatabaseSync(file);
  other.exec('begin immediate');
  await expect(storage.servers.putServer('local', serverOf('s'))).rejects.toMatchObject({
    code: 'storage_failed',
    owner: 'you',
    message: `Another program keeps the database ${file} locked.`,
  });
  other.exec('rollback');
  await storage.servers.putServer('local', serverOf('s'));
  expect(await storage.servers.listServers('local')).toHaveLength(1);
});

test('a damaged row names its table', async () => {
  await using storage = await openSqlite(file, timing);
  await storage.servers.putServer('local', serverOf('s'));
  using other = new DatabaseSync(file);
  other.exec(`update servers set body = '{"id":'`);
  await expect(storage.servers.listServers('local')).rejects.toMatchObject({
    code: 'storage_failed',
    details: { table: 'servers' },
  });
});

test('closing twice is harmless, leaves one file, and a later call says what happened', async () => {
  const storage = await openSqlite(file, timing);
  await storage.servers.putServer('local', serverOf('s'));
  await storage.close();
  await storage.close();
  await expect(stat(`${file}-wal`)).rejects.toMatchObject({ code: 'ENOENT' });
  await expect(storage.servers.listServers('local')).rejects.toMatchObject({ code: 'storage_failed' });
});
