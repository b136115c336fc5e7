import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { shared } from '../suite/run-resources.ts';
import { countingServer } from './06-world.ts';

const CALLS = 6;

/** Each is done by somebody who may write to the database, and taken back by the second statement. */
const TAMPERINGS: readonly {
  readonly what: string;
  readonly sql: readonly string[];
  readonly found: RegExp;
  readonly place: number;
}[] = [
  {
    what: 'an argument is changed',
    sql: [`update audit set body = replace(body, '"n":"2"', '"n":"9"') where place = 3`],
    found: /Record 3 \(call_\S+\) was changed/,
    place: 3,
  },
  {
    what: 'the time under which it is looked for is changed',
    sql: [`update audit set at = at - 1000 where place = 4`],
    found: /Record 4 \(call_\S+\) was changed/,
    place: 4,
  },
  {
    what: 'a record is deleted',
    sql: [`delete from audit where place = 5`],
    found: /Record 5 is missing/,
    place: 5,
  },
  {
    what: 'the last record is deleted',
    sql: [`delete from audit where place = ${CALLS}`],
    found: new RegExp(`Record ${CALLS} is missing`),
    place: CALLS,
  },
  {
    what: 'two records are swapped',
    sql: [
      `update audit set seq = -1 where place = 2`,
      `update audit set seq = seq - 1 where place = 3`,
      `update audit set seq = (select seq from audit as other where other.place = 3) + 1 where place = 2`,
    ],
    found: /Record 2 \(call_\S+\) is not in its place/,
    place: 2,
  },
  {
    what: 'two records exchange their texts',
    sql: [
      `update audit set body = body || ' ' where place = 1`,
      `update audit set body = (select body from audit as other where other.place = 2) where place = 1`,
    ],
    found: /Record 1 \(call_\S+\) was changed/,
    place: 1,
  },
  {
    what: 'a record is put behind the last one',
    sql: [
      `insert into audit (owner, call_id, at, server, tool, outcome, body, place, hash) select owner, 'forged', at, server, tool, outcome, body, ${CALLS + 1}, hash from audit where place = ${CALLS}`,
    ],
    found: new RegExp(`Record ${CALLS + 1} \\(forged\\) is not in its place`),
    place: CALLS + 1,
  },
];

for (const kind of ['sqlite', 'postgres'] as const) {
  verifies(
    ['L9', 'attack:6'],
    `plug audit verify finds a record that was changed, taken away, moved or added in ${kind}, and names it`,
    async () => {
      const url = kind === 'postgres' ? await shared('database') : '';
      const plug = newPlug({ PLUG_NO_KEYRING: '1', ...(url ? { PLUG_DATABASE_URL: url } : {}) });
      const counted = countingServer(temporaryFolder());
      const { endpoint } = counted.definition;
      if (endpoint.kind !== 'stdio') throw new Error('It is a command.');
      const command = [endpoint.command, ...endpoint.args];
      expect((await plug('add', 'counted', '--yes', '--', ...command)).code).toBe(0);
      for (let index = 0; index < CALLS; index += 1) await plug('call', 'counted/get_one', `n=${index}`);
      const intact = await plug('audit', 'verify');
      expect(intact).toMatchObject({ code: 0 });
      expect(intact.stdout).toContain(`✔ ${CALLS} records, none changed or missing.`);
      expect(await plug.json('audit', 'verify')).toMatchObject({
        intact: true,
        records: CALLS,
        pruned: 0,
        end: { place: CALLS, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });

      for (const { what, sql, found, place } of TAMPERINGS) {
        const takeBack = await tamper(url || join(plug.home, 'plug', 'plugboard.db'), sql);
        const told = await plug('audit', 'verify');
        expect({ what, code: told.code, stdout: told.stdout }).toEqual({
          what,
          code: 1,
          stdout: expect.stringMatching(found),
        });
        const { code, stdout } = await plug('audit', 'verify', '--json');
        expect({ code, ...(JSON.parse(stdout) as object) }).toMatchObject({
          code: 1,
          intact: false,
          problem: { place },
        });
        await takeBack();
        expect((await plug('audit', 'verify')).code).toBe(0);
      }
    },
    120_000,
  );
}

/** Changes the table as it lies there; answers how to make it as it was. */
async function tamper(where: string, sql: readonly string[]): Promise<() => Promise<void>> {
  const all = 'select * from audit order by seq';
  if (where.startsWith('postgres')) {
    const client = new Client(where);
    await client.connect();
    await client.query('set search_path to plugboard');
    await client.query('create table if not exists kept as select * from audit');
    for (const text of sql) await client.query(text);
    return async () => {
      await client.query('delete from audit; insert into audit select * from kept; drop table kept');
      await client.end();
    };
  }
  const database = new DatabaseSync(where);
  const rows = database.prepare(all).all();
  for (const text of sql) database.exec(text);
  return async () => {
    database.exec('delete from audit');
    for (const row of rows) {
      const marks = Object.keys(row).map(() => '?');
      database
        .prepare(`insert into audit (${Object.keys(row).join(', ')}) values (${marks.join(', ')})`)
        .run(...Object.values(row));
    }
    database.close();
    await Promise.resolve();
  };
}
