import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { textWidth } from '../../src/cli/render/text.ts';
import { verifies } from '../requirements.ts';
import { published } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { fixtureCommand, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';

const LONG_MS = 120_000;
const CRASHES = [process.execPath, '-e', 'process.exit(1)'];

verifies(
  ['U1'],
  'restart --failed exits with 5 while something is still failed, and with 0 once nothing is',
  async () => {
    const plug = newPlug();
    await plug.json('add', 'broken', '--no-test', '--yes', '--', ...CRASHES);
    expect((await plug('restart', 'broken')).code).toBe(5);
    const { code, stdout } = await plug('--json', 'restart', '--failed');
    expect(code).toBe(5);
    expect(JSON.parse(stdout)).toMatchObject({
      restarted: ['broken'],
      servers: [{ state: { kind: 'failed' } }],
    });
    await plug.json('remove', 'broken', '--yes');
    expect((await plug('restart', '--failed')).code).toBe(0);
  },
  LONG_MS,
);

verifies(
  ['U1', 'T1'],
  'profile alone lists, and an argument that is missing or no JSON is answered with the call as it is typed',
  async () => {
    const plug = newPlug();
    const { command, args } = published('everything');
    await plug.json('add', 'every', '--yes', '--', command, ...args);
    await plug.json('profile', 'save', 'few', '--servers', 'every');
    expect(await plug.json('profile')).toEqual(await plug.json('profile', 'list'));
    const nextOf = async (...argv: readonly string[]): Promise<unknown> => {
      const { code, stdout } = await plug('--json', 'call', ...argv);
      expect({ argv, code }).toEqual({ argv, code: 2 });
      return (JSON.parse(stdout) as { error: { next?: string } }).error.next;
    };
    expect(await nextOf('every/echo')).toBe('plug call every/echo message=VALUE');
    expect(await nextOf('every/get-sum', 'a=1')).toBe('plug call every/get-sum a=VALUE b=VALUE');
    expect(await nextOf('every/echo', '--args', '{bad')).toBe('plug call every/echo message=VALUE');
    expect(await nextOf('every/echo', '{bad')).toBe('plug call every/echo message=VALUE');
    expect(await nextOf('every/echo', 'message:={bad')).toBe('plug call every/echo message=VALUE');
  },
  LONG_MS,
);

verifies(
  ['S11', 'U1'],
  'an import that cannot read a file exits with 1, and --dry-run names the command with the flags it was given',
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, '.cursor'));
    writeFileSync(join(home, '.cursor/mcp.json'), '{"mcpServers": {');
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { home });
    expect((await plug('import', '--all')).code).toBe(1);
    expect((await plug('import', '--dry-run')).code).toBe(1);
    const [command = '', ...args] = fixtureCommand('dual');
    writeFileSync(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { one: { command, args } } }));
    const shown = async (...argv: readonly string[]): Promise<unknown> => {
      const { code, stdout } = await plug('import', '--dry-run', ...argv);
      expect(code).toBe(0);
      return /Next: (.*)/.exec(stdout)?.[1];
    };
    expect(await shown('--follow')).toBe('plug import --all --follow');
    expect(await shown('cursor', '--follow')).toBe('plug import cursor --follow');
    expect(await shown()).toBe('plug import --all');
  },
  LONG_MS,
);

verifies(
  ['U1', 'T6'],
  'status counts the tools that are offered, as tools lists them',
  async () => {
    const plug = newPlug();
    await plug.json('add', 'rich', '--yes', '--', ...fixtureCommand('dual'));
    const counted = async (): Promise<readonly unknown[]> => [
      (await plug.json('status'))['tools'],
      ((await plug.json('tools'))['tools'] as readonly unknown[]).length,
    ];
    const [all, listed] = await counted();
    expect(all).toBe(listed);
    await plug.json('tools', 'disable', 'rich/echo');
    expect(await counted()).toEqual([Number(all) - 1, Number(all) - 1]);
    await plug.json('disable', 'rich');
    expect(await counted()).toEqual([0, 0]);
  },
  LONG_MS,
);

/** A line of progress is drawn again in its place. */
const lastDrawn = (line: string): string => line.slice(Math.max(0, line.search(/[✔✖⚠][^✔✖⚠]*$/)));

/** What a command shows on a terminal of 80 columns, line by line. */
async function at80(plug: Plug, ...argv: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await startInTerminal(plug, argv, { NO_COLOR: '1', COLUMNS: '80' }).answer;
  return stripVTControlCharacters(stdout).split(/\r*\n/);
}

verifies(
  ['U1', 'U5'],
  'at 80 columns no sentence runs over the edge, and the audit list has room for descriptions',
  async () => {
    const plug = newPlug();
    const folder = temporaryFolder();
    const { command, args } = published('filesystem', folder);
    await plug.json('add', 'filesystem', '--yes', '--', command, ...args);
    const every = published('everything');
    await plug.json('add', 'everything', '--yes', '--', every.command, ...every.args);
    await plug.json('add', 'broken', '--no-test', '--yes', '--', ...CRASHES);
    await plug('restart', 'broken');
    const lines: string[] = [];
    for (const line of [
      'list',
      'status',
      'status everything',
      'tools',
      'tools --audit',
      'audit',
      'model list',
      'doctor',
      'hub status',
      'config',
      'untrust everything',
      'connect cursor --dry-run',
      'setup --dry-run',
      'call everything/nothing',
      'remove broken --yes',
      'undo --list',
      'add again --yes --replace -- node missing.js --with-a-long-argument of-several-words',
    ])
      lines.push(...(await at80(plug, ...line.split(' '))).map(lastDrawn));
    // A path or a command is not broken, so that it can be copied.
    const long = lines.filter((line) => textWidth(line) > 80 && !/^ +(runs|next|process|[+│]) /.test(line));
    expect(long.filter((line) => / /.test(line.trim()))).toEqual([]);
    const audit = await at80(plug, 'tools', '--audit', 'everything');
    expect(audit.some((line) => line.includes('Returns the sum of two numbers'))).toBe(true);
  },
  LONG_MS,
);
