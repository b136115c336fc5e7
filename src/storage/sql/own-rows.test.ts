import { DatabaseSync } from 'node:sqlite';
import { Kysely } from 'kysely';
import { expect, test } from 'vitest';
import { sqliteDialect } from '../sqlite/open.ts';
import { migrate } from './migrate.ts';
import { OwnRows } from './own-rows.ts';
import type { Database } from './run.ts';
import type { Tables } from './schema.ts';

async function twoOwners(): Promise<{ readonly db: Kysely<Tables>; readonly alice: OwnRows; bob: OwnRows }> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(new DatabaseSync(':memory:')) });
  await migrate(db, { kind: 'sqlite', name: ':memory:' });
  const [alice, bob] = [new OwnRows(db, 'alice'), new OwnRows(db, 'bob')];
  for (const rows of [alice, bob]) await rows.insert('models', { name: 'm', body: rows.owner }).execute();
  return { db, alice, bob };
}

test('a row that brings an owner along gets the one who puts it', async () => {
  const { alice, bob } = await twoOwners();
  const forged = { name: 'forged', body: 'alice', owner: 'bob' };
  await alice.insert('models', forged).execute();
  expect(await alice.select('models').select('name').execute()).toHaveLength(2);
  expect(await bob.select('models').select('name').execute()).toHaveLength(1);
});

test('changes and deletes without a condition of their own stay with the owner', async () => {
  const { alice, bob } = await twoOwners();
  await alice.update('models').set({ body: 'changed' }).execute();
  expect(await bob.select('models').select('body').execute()).toEqual([{ body: 'bob' }]);
  await alice.delete('models').execute();
  expect(await bob.select('models').select('body').execute()).toEqual([{ body: 'bob' }]);
  expect(await alice.select('models').select('body').execute()).toEqual([]);
});

test('an alternative in a condition does not reach the rows of others', async () => {
  const { alice } = await twoOwners();
  const any = alice.select('models').select('body');
  const found = await any.where((row) => row.or([row('name', '=', 'm'), row('name', '=', 'x')])).execute();
  expect(found).toEqual([{ body: 'alice' }]);
});

test('a query that joins another table of owners fails instead of answering', async () => {
  const { alice } = await twoOwners();
  // @ts-expect-error -- the builder of one table knows no other
  const joined = alice.select('models').innerJoin('servers', 'servers.name', 'models.name');
  await expect(joined.select('models.body').execute()).rejects.toThrow(/ambiguous/);
});

test('a store can write no query without an owner', () => {
  const unwritable = (database: Database): readonly unknown[] => [
    // @ts-expect-error -- a store has no way to the bare database
    database.db,
    // @ts-expect-error -- work needs an owner
    database.own((rows: OwnRows) => rows.select('models').execute()),
    // @ts-expect-error -- nor are tables with owners among those without
    database.unowned((db) => db.selectFrom('models').selectAll().execute()),
  ];
  expect(unwritable).toBeTypeOf('function');
});
