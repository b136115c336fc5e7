import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { expect } from 'vitest';
import { openPlugboard } from '../../src/index.ts';
import { verifies } from '../requirements.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { shared } from '../suite/run-resources.ts';

const played = fileURLToPath(new URL('../scenarios/calls-server.ts', import.meta.url));
const TEST_MS = 120_000;

/** Names that a database could take for something else, or not take at all. */
const ODD = [
  "x'; drop table plugboard.audit; --",
  'nul\0inside',
  'half\ud800pair',
  '$1 %s \\ " ` ${HOME}',
  '😀',
  'long'.repeat(30),
];

verifies(
  ['H2', 'L6', 'attack:postgresql'],
  'tools with names that a database cannot hold are called and recorded like others, and block nothing',
  async () => {
    const database = await shared('database');
    const plug = newPlug({ PLUG_DATABASE_URL: database }, { hub: 'process' });
    const file = join(plug.cwd, 'tools.json');
    const tools = ['echo', ...ODD].map((name) => ({ name, inputSchema: { type: 'object' } }));
    writeFileSync(file, JSON.stringify(tools));
    const added = await plug('add', 'odd', '--yes', '--', process.execPath, played, file);
    expect(added).toMatchObject({ code: 0, stderr: '' });

    // Not by the command line: no argument of a program can hold such names.
    const env = { PATH: process.env['PATH'], HOME: plug.home, PLUG_HOME: `${plug.home}/plug` };
    const hub = await openPlugboard({ hub: 'shared', env, cwd: plug.cwd });
    const { tools: listed } = await hub.tools.list({ server: 'odd' });
    const args = { note: 'a\0b \ud800' };
    for (const { ref } of listed) await Promise.allSettled([hub.tools.call({ tool: ref, args })]);
    const last = await hub.tools.call({ tool: 'odd/echo', args });
    expect(last.isError).toBe(false);

    const ran = readFileSync(`${file}.calls`, 'utf8').trim().split('\n').length;
    const { records } = await hub.audit.query({ limit: 100 });
    await hub.close();
    expect(records.filter(({ outcome }) => outcome !== 'refused')).toHaveLength(ran);
    expect(ran).toBeGreaterThan(4);
    expect(await tablesIn(database)).toEqual(expect.arrayContaining(['audit', 'servers', 'grants']));
  },
  TEST_MS,
);

verifies(
  ['V5', 'attack:postgresql'],
  'the password of the database is in no output, file or argument list',
  async () => {
    const url = await shared('database');
    const password = new URL(url).password;
    const plug = newPlug({ PLUG_DATABASE_URL: url }, { hub: 'process' });
    const outputs: string[] = [];
    for (const words of [['status'], ['hub', 'status'], ['doctor'], ['config', 'list'], ['logs'], ['list']]) {
      const { stdout, stderr } = await plug(...words);
      outputs.push(stdout, stderr);
      outputs.push(JSON.stringify(await plug(...words, '--json')));
    }
    const { pid } = (await plug.json('hub', 'status')) as { readonly pid: number };
    outputs.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    for (const name of readdirSync(join(plug.home, 'plug'), { recursive: true, encoding: 'utf8' })) {
      const path = join(plug.home, 'plug', name);
      if (existsSync(path) && /\.(json|log|jsonl|txt|token)$/.test(path))
        outputs.push(readFileSync(path, 'utf8'));
    }
    expect(outputs.filter((text) => text.includes(password))).toEqual([]);
  },
  TEST_MS,
);

verifies(
  ['H2', 'attack:postgresql'],
  'a wrong password, a missing database and a port where nothing listens are named, and nothing starts without storage',
  async () => {
    const right = await shared('database');
    const wrong = right.replace(/:[^:@]+@/, ':wrong-password-of-nobody@');
    const missing = right.replace(/\/\w+$/, '/nowhere');
    const silent = right.replace(/:\d+\//, ':9/');
    for (const [url, says] of [
      [wrong, /password/i],
      [missing, /database/i],
      [silent, /refused|reach/i],
    ] as const) {
      const plug = newPlug({ PLUG_DATABASE_URL: url }, { hub: 'process' });
      const { code, stdout, stderr } = await plug('list');
      expect(code).not.toBe(0);
      expect(stderr).toMatch(says);
      expect(stdout + stderr).not.toContain('wrong-password-of-nobody');
    }
  },
  TEST_MS,
);

async function tablesIn(url: string): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ tablename: string }>(
      "select tablename from pg_tables where schemaname = 'plugboard'",
    );
    return rows.map(({ tablename }) => tablename);
  } finally {
    await client.end();
  }
}
