import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const LONG_MS = 300_000;

type Fault = (database: string) => void;

/** Overwrites bytes in the middle of a page with what cannot be right there. */
function scribble(from: number, bytes: number): Fault {
  return (file) => {
    const content = readFileSync(file);
    content.fill(0xff, from, Math.min(from + bytes, content.length));
    writeFileSync(file, content);
  };
}

/** What must be refused, with the file untouched. */
const REFUSED: Readonly<Record<string, Fault>> = {
  'random bytes': (file) => writeFileSync(file, randomBytes(64 * 1024)),
  'a text': (file) => writeFileSync(file, 'this is no database'.repeat(100)),
  'cut in the middle': (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
  'the header scribbled over': scribble(16, 84),
  'a newer version': (file) => {
    using database = new DatabaseSync(file);
    const table = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE '%migration%'")
      .get() as { name: string } | undefined;
    if (!table) throw new Error('where the versions are kept is not known');
    const columns = database.prepare(`PRAGMA table_info(${table.name})`).all() as {
      name: string;
      type: string;
    }[];
    const values = columns.map(({ type }) => (type === 'INTEGER' ? 9_999 : "'from the future'"));
    database.exec(`INSERT INTO ${table.name} VALUES (${values.join(', ')})`);
  },
};

/** What may be answered either way, but never by a crash, a hang or a made-up success. */
const EITHER: Readonly<Record<string, Fault>> = {
  'a page of the schema scribbled over': scribble(200, 400),
  'every page but the first scribbled over': scribble(4096, Number.MAX_SAFE_INTEGER),
  'a log of writes that is garbage': (file) => writeFileSync(`${file}-wal`, randomBytes(40_000)),
  'an index of the log that is garbage': (file) => writeFileSync(`${file}-shm`, randomBytes(32_768)),
};

async function madeHome(): Promise<string> {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
  const command = fixtureCommand('dual');
  expect((await plug('add', 'demo', '--yes', '--', ...command)).code).toBe(0);
  expect((await plug('call', 'demo/echo', 'message=hi')).stdout).toBe('hi\n');
  expect((await plug('hub', 'stop')).code).toBe(0);
  const kept = temporaryFolder();
  cpSync(join(plug.home, 'plug'), kept, { recursive: true, filter: (path) => !/\/run(\/|$)/.test(path) });
  return kept;
}

verifies(
  ['attack:sqlite-corruption', 'H2'],
  'a database that is damaged, cut, replaced or newer stops the hub with a sentence and stays as it is; nothing crashes or hangs',
  async () => {
    const kept = await madeHome();
    for (const [name, fault] of [...Object.entries(REFUSED), ...Object.entries(EITHER)]) {
      const home = temporaryFolder();
      cpSync(kept, join(home, 'plug'), { recursive: true });
      const database = join(home, 'plug', 'plugboard.db');
      for (const beside of ['-wal', '-shm']) rmSync(database + beside, { force: true });
      fault(database);
      const before = readFileSync(database);
      const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', home });
      const answers = [await plug('list')];
      if (name in EITHER) answers.push(await plug('call', 'demo/echo', 'message=hi'));
      for (const { code, stdout, stderr } of answers) {
        const said = stdout + stderr;
        expect({ name, said }).not.toMatchObject({
          said: expect.stringMatching(/plug crashed|\bat .*\.js:\d+/),
        });
        if (code === 0) continue;
        expect({ name, said }).toMatchObject({ said: expect.stringContaining('plugboard.db') });
      }
      const [listed, called] = answers;
      if (name in REFUSED) {
        expect({ name, code: listed?.code }).not.toMatchObject({ code: 0 });
        expect({ name, same: readFileSync(database).equals(before) }).toEqual({ name, same: true });
      } else if (called?.code === 0) {
        expect({ name, stdout: called.stdout }).toEqual({ name, stdout: 'hi\n' });
      }
      expect(existsSync(database)).toBe(true);
    }
  },
  LONG_MS,
);
