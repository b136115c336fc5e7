import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { asOrdinaryRole } from './ordinary-role.ts';

/** Tables that hold nothing of anybody: processes of a machine or a team, and what the migrator keeps. */
const UNOWNED = new Set(['kysely_migration', 'kysely_migration_lock', 'processes', 'replicas']);

let storage: Storage;
let client: Client;
let tables: readonly string[];
beforeAll(async () => {
  const url = await asOrdinaryRole(await shared('database'));
  storage = await openStorage({ kind: 'postgres', url });
  client = new Client(url);
  await client.connect();
  const rows = await ask<{ name: string }>(`select table_name as name from information_schema.tables
    where table_schema = 'plugboard' order by 1`);
  tables = rows.map(({ name }) => name).filter((name) => !UNOWNED.has(name));
  await fillAs('alice');
  await fillAs('bob');
});
afterAll(async () => {
  await client.end();
  await storage.close();
});

verifies(['H2'], 'every table of the database has an owner and a policy that nobody is above', async () => {
  const guarded = await ask<{ name: string }>(`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'owner' and a.attnotnull
    join pg_policy p on p.polrelid = c.oid and p.polcmd = '*'
    where c.relnamespace = 'plugboard'::regnamespace and c.relkind = 'r'
      and c.relrowsecurity and c.relforcerowsecurity order by 1`);
  expect(guarded.map(({ name }) => name)).toEqual(tables);
  expect(tables.length).toBeGreaterThan(25);
});

verifies(['H2'], 'without a single condition of ours, an owner reads their own rows alone', async () => {
  for (const table of tables) {
    expect([table, await ownersSeenBy('alice', table)]).toEqual([table, ['alice']]);
    expect([table, await ownersSeenBy('bob', table)]).toEqual([table, ['bob']]);
  }
});

verifies(['H2'], 'who says no owner, or one that there is not, reads nothing', async () => {
  for (const table of tables) {
    expect([table, await ask(`select * from plugboard.${table}`)]).toEqual([table, []]);
    for (const owner of ['', 'carol', "' or true --", 'alice%', 'ALICE']) {
      expect([table, owner, await ownersSeenBy(owner, table)]).toEqual([table, owner, []]);
    }
  }
});

verifies(['H2'], "another owner's rows are neither changed nor deleted", async () => {
  for (const table of tables) {
    const before = await rowsOf('bob', table);
    const changed = await as('alice', () =>
      client.query(`update plugboard.${table} set owner = owner where owner = 'bob'`),
    );
    const gone = await as('alice', () => client.query(`delete from plugboard.${table} where owner = 'bob'`));
    expect([table, changed.rowCount, gone.rowCount]).toEqual([table, 0, 0]);
    expect([table, await rowsOf('bob', table)]).toEqual([table, before]);
  }
});

verifies(['H2'], 'no row is put in the name of another owner, and none is given away', async () => {
  for (const table of tables) {
    const before = await rowsOf('bob', table);
    expect([table, await failure('alice', insertOf(table, await columnsOf(table), 'bob', 'forged'))]).toEqual(
      [table, '42501'],
    );
    expect([table, await failure('alice', [`update plugboard.${table} set owner = 'bob'`])]).toEqual([
      table,
      '42501',
    ]);
    expect([table, await rowsOf('bob', table)]).toEqual([table, before]);
    expect([table, await ownersSeenBy('alice', table)]).toEqual([table, ['alice']]);
  }
});

verifies(['H2'], 'a connection that worked for one owner brings nothing of it to the next', async () => {
  // More work than connections: every connection serves many owners.
  const owners = Array.from({ length: 60 }, (_, index) => `owner ${index}`);
  const profile = (name: string) => ({ name, servers: [] });
  await Promise.all(owners.map((owner) => storage.servers.putProfile(owner, profile(owner))));
  const lists = await Promise.all(owners.map((owner) => storage.servers.listProfiles(owner)));
  expect(lists).toEqual(owners.map((owner) => [profile(owner)]));
});

verifies(['H2'], 'an owner with quotes and backslashes in the name is only that owner', async () => {
  for (const owner of ["o'brien", "x', true); select 1; --", 'back\\slash', "\\'; drop schema plugboard"]) {
    await storage.servers.putProfile(owner, { name: 'mine', servers: [] });
    expect(await storage.servers.listProfiles(owner)).toHaveLength(1);
    expect(await ownersSeenBy(owner, 'profiles')).toEqual([owner]);
  }
});

interface Column {
  readonly name: string;
  readonly type: string;
}

function columnsOf(table: string): Promise<readonly Column[]> {
  return ask<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'plugboard' and table_name = $1 and is_nullable = 'NO'
       and (column_default is null or column_name = 'owner')`,
    [table],
  );
}

/** A row with something in each column that needs it. */
function insertOf(
  table: string,
  columns: readonly Column[],
  owner: string,
  text: string,
): readonly [string, unknown[]] {
  const values = columns.map(({ name, type }) =>
    name === 'owner' ? owner : type === 'text' ? textFor(name, text) : 1,
  );
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  return [`insert into plugboard.${table} (${names}) values (${places})`, values];
}

/** Rows that refer to others find them under the owner's name. */
function textFor(column: string, text: string): string {
  return column === 'body' ? '{}' : text;
}

async function fillAs(owner: string): Promise<void> {
  // Those that others refer to come first.
  const order = ['vault_keys', 'results', ...tables.filter((name) => !/^(vault_keys|results)$/.test(name))];
  for (const table of order) {
    const [text, values] = insertOf(table, await columnsOf(table), owner, owner);
    await as(owner, () => client.query(text, values));
  }
}

async function as<T>(owner: string, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    await client.query(`select set_config('app.owner', $1, true)`, [owner]);
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function failure(owner: string, [text, values = []]: readonly [string, unknown[]?]): Promise<unknown> {
  return as(owner, () => client.query(text, values)).then(
    ({ rowCount }) => `${rowCount} rows`,
    (error: { readonly code?: string }) => error.code,
  );
}

async function ownersSeenBy(owner: string, table: string): Promise<readonly string[]> {
  const { rows } = await as(owner, () =>
    client.query<{ owner: string }>(`select distinct owner from plugboard.${table}`),
  );
  return rows.map((row) => row.owner);
}

async function rowsOf(owner: string, table: string): Promise<unknown[]> {
  return (await as(owner, () => client.query(`select * from plugboard.${table}`))).rows;
}

async function ask<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows;
}
