import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const LONG_MS = 90_000;
const KEY = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

type Entry = Readonly<Record<string, unknown>>;

function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}

function local(behavior: string, env: Readonly<Record<string, string>> = {}): Entry {
  const [command = '', ...args] = fixtureCommand(behavior);
  return { command, args, ...(Object.keys(env).length > 0 ? { env } : {}) };
}

/** Three clients; one server stands in two of them, one has a readable key. */
function fillHome({ home }: Pick<Plug, 'home'>): void {
  write(join(home, '.claude.json'), { mcpServers: { notes: local('dual'), rich: local('modern') } });
  write(join(home, '.cursor', 'mcp.json'), {
    mcpServers: { notes: local('dual'), keyed: local('legacy', { GITHUB_TOKEN: KEY }) },
  });
  write(join(home, '.config', 'Code', 'User', 'mcp.json'), {
    servers: { other: local('dual', { MODE: 'x' }) },
  });
}

function ours(plug: Plug): readonly string[] {
  const folder = join(plug.home, 'plug');
  return existsSync(folder) ? readdirSync(folder) : [];
}

verifies(
  ['U3'],
  'the first plug at a terminal says what other clients have; with yes all of it is here, keys in the vault',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
    fillHome(plug);
    const typing = startInTerminal(plug, [], { NO_COLOR: '1', PLUG_NO_FIRST_LOOKS: '' });
    expect(await typing.says(/Found .*\r?\n/)).toMatch(
      /^Found 5 servers in Claude Code, Cursor, VS Code; 1 duplicate, 1 plaintext key\./,
    );
    await typing.says(/Import them\? \[Y\/pick\/n\]/);
    // Nothing is written before yes: no database, no vault, no hub.
    expect(ours(plug)).toEqual([]);
    typing.type('y\n');
    const { code, stdout } = await typing.answer;
    const shown = stripVTControlCharacters(stdout);
    expect({ code, shown }).toMatchObject({ code: 0 });
    expect(shown).toMatch(/keyed is imported; its key is in the vault\./);
    expect(shown).toMatch(/✔ notes\s+fine/);
    // However the terminal wraps them, commands stay whole.
    for (const command of [/(?:plug|\.js) tools \w+,/, /(?:plug|\.js) chat,/]) expect(shown).toMatch(command);
    expect(shown).not.toContain(KEY);
    const { servers } = await plug.json('list');
    expect((servers as readonly { id: string }[]).map(({ id }) => id).toSorted()).toEqual([
      'keyed',
      'notes',
      'other',
      'rich',
    ]);
    expect(JSON.stringify(await plug.json('secrets', 'list'))).toContain('keyed/GITHUB_TOKEN');
    expect((await plug()).stdout).not.toContain('Found');
  },
  LONG_MS,
);

verifies(
  ['U3'],
  'not now is remembered, nothing else is written, and plug import offers the same later',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
    fillHome(plug);
    const typing = startInTerminal(plug, []);
    await typing.says(/\[Y\/pick\/n\]/);
    typing.type('n\n');
    const { code, stdout } = await typing.answer;
    expect(code).toBe(0);
    expect(stdout).toMatch(/Nothing was imported\. At any time: .*import/);
    expect(stdout).toContain('add everything --');
    expect(ours(plug)).toEqual(['first-run.json']);
    expect(JSON.parse(readFileSync(join(plug.home, 'plug', 'first-run.json'), 'utf8'))).toMatchObject({
      import: 'not now',
    });
    const again = await startInTerminal(plug, []).answer;
    expect(again.stdout).not.toContain('[Y/pick/n]');
    expect((await plug.json('import', '--dry-run'))['found']).toHaveLength(5);
  },
  LONG_MS,
);

verifies(
  ['U3'],
  'picking is done with keys, and only what is ticked is imported',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
    fillHome(plug);
    const typing = startInTerminal(plug, [], { NO_COLOR: '1', COLUMNS: '60' });
    await typing.says(/\[Y\/pick\/n\]/);
    typing.type('pick\n');
    await typing.says(/4 of 4 chosen/);
    typing.type('a'); // none
    await typing.says(/0 of 4 chosen/);
    typing.type('jjk \u001b[B');
    await typing.says(/1 of 4 chosen/);
    typing.type('\r');
    const { code } = await typing.answer;
    expect(code).toBe(0);
    const { servers } = await plug.json('list');
    expect((servers as readonly { id: string }[]).map(({ id }) => id)).toEqual(['rich']);
  },
  LONG_MS,
);

test('leaving the checklist imports nothing', async () => {
  const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', rules: 'shipped' });
  fillHome(plug);
  const typing = startInTerminal(plug, []);
  await typing.says(/\[Y\/pick\/n\]/);
  typing.type('pick\n');
  await typing.says(/4 of 4 chosen/);
  typing.type('\u001b');
  expect((await typing.answer).stdout).toContain('Nothing was imported.');
  expect(ours(plug)).toEqual(['first-run.json']);
});

verifies(
  ['U3'],
  'off a terminal nobody is asked: one line says what was found, and nothing is written',
  async () => {
    const plug = newPlug({}, { hub: 'process', rules: 'shipped' });
    fillHome(plug);
    const { code, stdout } = await plug();
    expect(code).toBe(0);
    expect(stdout).toMatch(/Found 5 servers in .*To import them: .*import\n$/);
    expect(stdout).toContain('add everything --');
    expect(ours(plug)).toEqual([]);
    expect(await plug.json()).toMatchObject({ found: { servers: 5, duplicates: 1, keys: 1 } });
  },
);

test('where no other client is, plug alone says how to begin, at a terminal too', async () => {
  const plug = newPlug({}, { hub: 'process', rules: 'shipped' });
  const { stdout } = await startInTerminal(plug, []).answer;
  expect(stdout).toContain('add everything --');
  expect(stdout).not.toContain('Found');
  expect(ours(plug)).toEqual([]);
});
