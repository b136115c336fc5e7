import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { write } from '../clients/prepared-home.ts';
import { verifies } from '../requirements.ts';
import { isAlive, waitFor } from '../servers/start.ts';
import { answerOf, newPlug, type Plug } from './plug-command.ts';
import { startInTerminal } from './typed-plug.ts';
import { pasted, tool } from './page-fixture.ts';

const LONG_MS = 120_000;
const KEY = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

/** Three clients: a file with comments and a key, one in TOML that others may read, one that has no file yet. */
function threeClients(hub: 'here' | 'process' = 'here'): Plug {
  const plug = newPlug({}, { rules: 'shipped', hub });
  const entries = (id: string, env = {}): { command: string; args: readonly string[]; env: object } => {
    const text = pasted(
      id,
      { tools: [tool(`list_${id}`), { name: 'write', inputSchema: { type: 'object' } }] },
      env,
    );
    return (JSON.parse(text) as { mcpServers: Record<string, never> }).mcpServers[id] as never; // made above
  };
  const notes = JSON.stringify(entries('notes', { GITHUB_TOKEN: KEY }));
  write(
    join(plug.home, '.cursor', 'mcp.json'),
    `{\r\n  // mine\r\n  "mcpServers": { "notes": ${notes}, }\r\n}\r\n`,
  );
  const { command, args } = entries('tasks');
  const toml = write(
    join(plug.home, '.codex', 'config.toml'),
    `model = "o3" # keep\n\n[mcp_servers.tasks]\ncommand = '${command}'\nargs = ${JSON.stringify(args)}\n`,
  );
  chmodSync(toml, 0o640);
  mkdirSync(join(plug.home, '.config', 'Code', 'User'), { recursive: true });
  return plug;
}

/** Every file and folder of a home with its bytes and rights, but for our own. */
function treeOf(home: string): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(home, path);
    if (name === 'plug' || name.startsWith('plug/')) continue;
    const mode = (lstatSync(path).mode & 0o7777).toString(8);
    tree[name] = `${mode} ${entry.isFile() ? readFileSync(path, 'base64') : 'folder'}`;
  }
  return tree;
}

verifies(
  ['S20'],
  'setup imports, connects three clients and makes a call; a second run changes nothing; one undo restores every byte',
  async () => {
    const plug = threeClients();
    const before = treeOf(plug.home);
    const shown = await plug('setup', '--dry-run');
    expect(shown.code).toBe(0);
    for (const file of ['.cursor/mcp.json', '.codex/config.toml', 'Code/User/mcp.json']) {
      expect(shown.stdout).toContain(file);
    }
    expect(shown.stdout + shown.stderr).not.toContain(KEY);
    expect(treeOf(plug.home)).toEqual(before);
    expect((await plug.json('list'))['servers']).toEqual([]);

    const begun = Date.now();
    const done = await plug.json('setup', '--yes');
    expect(Date.now() - begun).toBeLessThan(60_000);
    expect(done).toMatchObject({
      imported: [{ id: 'notes', keys: ['notes/GITHUB_TOKEN'] }, { id: 'tasks' }],
      connected: [{ client: 'cursor' }, { client: 'vscode' }, { client: 'codex' }],
      failed: [],
      unconnected: [],
      call: { kind: 'done', tool: 'notes/list_notes', text: 'done' },
    });
    expect(JSON.stringify(done)).not.toContain(KEY);
    const after = treeOf(plug.home);
    expect(existsSync(join(plug.home, '.config', 'Code', 'User', 'mcp.json'))).toBe(true);

    const again = await plug.json('setup', '--yes');
    expect(again).toMatchObject({ imported: [], connected: [], call: { kind: 'done' } });
    expect(again).not.toHaveProperty('change');
    expect(treeOf(plug.home)).toEqual(after);
    expect((await plug.json('undo', '--list'))['changes']).toMatchObject([{ kind: 'setup' }]);

    expect(await plug.json('undo', '--dry-run')).toMatchObject({ done: false });
    expect(treeOf(plug.home)).toEqual(after);
    const undone = await plug.json('undo');
    expect(undone).toMatchObject({ done: true, left: 0, change: { kind: 'setup' } });
    expect(treeOf(plug.home)).toEqual(before);
    expect((await plug.json('list'))['servers']).toEqual([]);
    expect(await plug.json('secrets', 'list')).toMatchObject({ secrets: [] });
    expect((await plug('undo')).stdout).toContain('nothing to undo');
  },
  LONG_MS,
);

verifies(
  ['S20'],
  'a setup whose hub is killed at any moment is undone like any other',
  async () => {
    for (const delayMs of [0, 15, 40, 90]) {
      const plug = threeClients('process');
      const before = treeOf(plug.home);
      const { hub } = await plug
        .json('hub', 'start')
        .then(() => plug.json('hub', 'status'))
        .then((status) => ({ hub: status }));
      const pid = Number(hub['pid']);
      const running = plug.begin(['setup', '--yes']);
      const ended = new Promise((resolve) => void running.once('close', resolve));
      // The command itself needs a moment to come to the hub.
      await sleep(250 + delayMs);
      process.kill(pid, 'SIGKILL');
      running.kill('SIGKILL');
      await ended;
      // Until it is gone, it still takes requests that it never answers.
      await waitFor(() => !isAlive(pid));
      for (let step = 0; step < 3; step += 1) {
        // In a process of its own: the command that follows a crash has no link to the hub that is gone.
        const { code, stderr } = await answerOf(plug.begin(['undo', '--yes']));
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      }
      expect(treeOf(plug.home)).toEqual(before);
      expect((await plug.json('list'))['servers']).toEqual([]);
      expect(await plug.json('secrets', 'list')).toMatchObject({ secrets: [] });
    }
  },
  LONG_MS,
);

verifies(
  ['S20', 'U7'],
  'Ctrl-C and no at the questions of setup and undo change nothing',
  async () => {
    const plug = threeClients();
    const before = treeOf(plug.home);
    const answer = async (
      argv: readonly string[],
      question: RegExp,
      typed: string,
    ): Promise<number | null> => {
      const typing = startInTerminal(plug, argv, { NO_COLOR: '1' });
      await typing.says(question);
      typing.type(typed);
      return (await typing.answer).code;
    };
    const setup = /make one read-only call\? \[y\/N\]/;
    expect(await answer(['setup'], setup, '\u0003')).toBe(130);
    expect(await answer(['setup'], setup, 'n\r')).toBe(1);
    expect(treeOf(plug.home)).toEqual(before);
    expect((await plug.json('undo', '--list'))['changes']).toEqual([]);
    expect(await answer(['setup'], setup, 'y\r')).toBe(0);
    const after = treeOf(plug.home);
    expect(await answer(['undo'], /Undo this\? \[y\/N\]/, '\u0003')).toBe(130);
    expect(await answer(['undo'], /Undo this\? \[y\/N\]/, '\r')).toBe(1);
    expect(treeOf(plug.home)).toEqual(after);
    expect(await answer(['undo'], /Undo this\? \[y\/N\]/, 'y\r')).toBe(0);
    expect(treeOf(plug.home)).toEqual(before);
  },
  LONG_MS,
);
