import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { answerOf, newPlug, type Plug } from '../scenarios/plug-command.ts';
import { listen, officialApi, registriesAt } from '../scenarios/registry-listener.ts';
import { startInTerminal, startTyping } from '../scenarios/typed-plug.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { FORGED, forgedLines } from './forging-server.ts';

const LONG_MS = 180_000;
const SERVER = fileURLToPath(new URL('forging-server.ts', import.meta.url));

/** Of each command those lines that look like ours and are not. */
async function forgedBy(
  plug: Plug,
  commands: readonly (readonly string[])[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const argv of commands) {
    const { stdout, stderr } = await plug(...argv);
    const lines = [...forgedLines(stdout), ...forgedLines(stderr)];
    if (lines.length > 0) found[argv.join(' ')] = lines.slice(0, 3);
  }
  return found;
}

/** A server whose name, command and folder forge lines, in a file of a project and in one of the user's. */
function hostileFile(): string {
  const entry = { command: process.execPath, args: [SERVER, FORGED], cwd: `/nowhere${FORGED}` };
  const url = { url: `https://forger.test/mcp?x=${FORGED}`, headers: { [`X${FORGED}`]: FORGED } };
  return JSON.stringify({ mcpServers: { [`bad${FORGED}`]: entry, web: url, broken: { command: FORGED } } });
}

verifies(
  ['attack:13'],
  'no name, description, error or log line of a server prints a line that looks like ours',
  async () => {
    const official = await listen(
      officialApi([
        { name: `io.forger/one${FORGED}`, description: `Finds${FORGED}`, title: FORGED },
        { name: 'io.forger/two', description: FORGED, version: `1${FORGED}` },
      ]),
    );
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const file = join(folder, 'mcp.json');
    writeFileSync(file, hostileFile());
    const plug = newPlug({
      PLUG_NO_KEYRING: '1',
      PLUG_MCP_CONFIG: file,
      ...registriesAt({ official: official.url }),
    });
    writeFileSync(join(plug.cwd, 'mcp.json'), hostileFile());
    const added = await forgedBy(plug, [
      ['add', 'forger', '--yes', '--', process.execPath, SERVER],
      ['add', `an${FORGED}`, '--yes', '--', process.execPath, SERVER],
      ['profile', 'save', `mine${FORGED}`, '--servers', 'forger'],
      ['profile', 'save', 'mine', '--servers', `forger${FORGED}`],
    ]);
    const seen = await forgedBy(plug, [
      ['list'],
      ['status'],
      ['status', 'forger'],
      ['tools'],
      ['tools', 'forger'],
      ['tools', 'forger', '--search', 'reads'],
      ['tools', 'audit'],
      ['trust'],
      ['trust', 'forger', '--yes'],
      ['call', 'forger/get_error'],
      ['call', 'forger/get_failure'],
      ['call', 'forger/nothing'],
      ['call', `forger/get_bad${FORGED}`],
      ['call', 'forger/delete_all'],
      ['call', `nowhere${FORGED}`],
      ['results'],
      ['prompts'],
      ['prompts', 'forger', 'ask'],
      ['resources'],
      ['search', 'forger'],
      ['logs', 'forger'],
      ['logs'],
      ['events'],
      ['audit'],
      ['grants'],
      ['grants', 'add', 'forger/get_text'],
      ['grants', 'list'],
      ['approvals'],
      ['profile', 'list'],
      ['auth', 'list'],
      ['doctor'],
      ['doctor', '--live', 'forger'],
      ['restart', 'forger'],
      ['parse', join(plug.cwd, 'mcp.json')],
      ['export', 'forger', '--to', 'mcp-json'],
      ['types', 'forger'],
      ['remove', `forger${FORGED}`],
    ]);
    expect({ ...added, ...seen }).toEqual({});
    // The server was heard: what it says is there, on one line.
    const { stderr } = await plug('call', 'forger/get_failure');
    expect(stderr).toContain(String.raw`It failed\n✔ FORGED`);
  },
  LONG_MS,
);

test('only the output, and what draws over its own lines, writes to a stream of the terminal', () => {
  const folder = fileURLToPath(new URL('../../src/cli/', import.meta.url));
  const writers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) =>
      /\b(?:stdout|stderr|writer|output|stream)\.write\(/.test(readFileSync(join(folder, name), 'utf8')),
    );
  expect(writers.toSorted()).toEqual(WRITERS);
});

/** Each cleans what it writes, or writes texts of ours alone. A new one belongs into `Output`. */
const WRITERS: readonly string[] = [
  'chat/hide-echoed.ts',
  'chat/keyboard.ts',
  'chat/line-editor.ts',
  'chat/mcp.ts',
  'chat/screen.ts',
  'commands/audit.ts',
  'commands/backup.ts',
  'commands/completion.ts',
  'documents/answer.ts',
  'key-input.ts',
  'live-rows.ts',
  'output.ts',
  'progress.ts',
  'run.ts',
  'terminal.ts',
];

verifies(
  ['attack:13'],
  'a result reaches a program as the server sent it, and stands behind a bar on a terminal',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    expect((await plug('add', 'forger', '--yes', '--', process.execPath, SERVER)).code).toBe(0);
    const piped = await plug('call', 'forger/get_text');
    expect(piped.stdout.startsWith('Text\n✔ FORGED\n')).toBe(true);
    expect(forgedLines(piped.stderr)).toEqual([]);
    await plug('call', 'forger/get_much');
    const { results } = (await plug.json('results')) as { results: readonly { id: string }[] };
    for (const argv of [
      ['results', results[0]?.id ?? ''],
      ['call', 'forger/get_text'],
      ['call', 'forger/get_error'],
      ['call', 'forger/get_much'],
      ['resources', 'forger', 'memo://a'],
      ['prompts', 'forger', 'ask'],
      ['logs', 'forger'],
    ]) {
      const { stdout } = await startInTerminal(plug, argv, { NO_COLOR: '1' }).answer;
      const shown = stripVTControlCharacters(stdout);
      expect(shown, argv.join(' ')).toContain('FORGED');
      expect({ [argv.join(' ')]: forgedLines(shown) }).toEqual({ [argv.join(' ')]: [] });
    }
  },
  LONG_MS,
);

verifies(
  ['attack:13'],
  'a host’s name and a note cannot forge a line among approvals and records',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { rules: 'shipped' });
    expect((await plug('add', 'forger', '--yes', '--', process.execPath, SERVER)).code).toBe(0);
    const host = startTyping(plug, ['gateway', '--server', 'forger']);
    const say = (message: object): void => host.type(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: `host${FORGED}`, title: FORGED, version: `1${FORGED}` };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    say({ id: 1, method: 'initialize', params: hello });
    await host.says(/"id":1/);
    say({ method: 'notifications/initialized' });
    const args = { [`key${FORGED}`]: `value${FORGED}`, path: FORGED };
    say({ id: 2, method: 'tools/call', params: { name: 'delete_all', arguments: args } });
    let id = '';
    for (let tries = 0; id === '' && tries < 50; tries += 1) {
      const { approvals } = (await plug.json('approvals')) as { approvals: readonly { id: string }[] };
      id = approvals[0]?.id ?? '';
    }
    const found = await forgedBy(plug, [
      ['approvals'],
      ['approvals', id],
      ['status'],
      ['deny', id, '--note', `no${FORGED}`],
      ['audit'],
      ['events'],
      ['doctor'],
    ]);
    host.child.stdin?.end();
    const { stderr } = await host.answer;
    expect({ ...found, host: forgedLines(stderr) }).toEqual({ host: [] });
    expect(id).not.toBe('');
  },
  LONG_MS,
);

verifies(
  ['attack:13'],
  'in a chat, rows of calls and errors stay one line each whatever a server says',
  async () => {
    const plug = newPlug({ PLUG_NO_KEYRING: '1' });
    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    expect((await plug('add', 'forger', '--yes', '--', process.execPath, SERVER)).code).toBe(0);
    expect((await plug('model', 'add', 'fast', 'compatible', 'scripted', '--url', model.url)).code).toBe(0);
    model.answer(
      calls({ name: 'forger__get_error', args: { [`a${FORGED}`]: FORGED } }),
      calls({ name: 'forger__get_failure', args: { a: FORGED } }),
      calls({ name: `forger__no${FORGED}`, args: {} }),
      text('Done.'),
    );
    const { stdout, stderr } = await answerOf(
      plug.begin(['chat'], '/verbose\nuse forger\n/mcp\n/mcp tools\n'),
    );
    expect(model.requests.length).toBeGreaterThan(2);
    expect([...forgedLines(stdout), ...forgedLines(stderr)]).toEqual([]);
    expect(stderr).toContain('get_failure');
  },
  LONG_MS,
);
