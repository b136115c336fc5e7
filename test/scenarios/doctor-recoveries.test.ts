import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DoctorRow } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { answerOf, bin, fixtureCommand, newPlug, type Answer, type Plug } from './plug-command.ts';

const SLOW = 90_000;
const ENV = { PLUG_NO_KEYRING: '1' };
const [NODE = '', ...FIXTURE] = fixtureCommand('dual');

/** A machine as a new user has it, with one server: `sick`. */
interface Ward {
  readonly plug: Plug;
  /** The user's own config file names it so. */
  readonly entry: (value: object) => void;
  /** What is not well with it, worst first. */
  readonly complaints: (...flags: readonly string[]) => Promise<readonly DoctorRow[]>;
  readonly rows: (...flags: readonly string[]) => Promise<readonly DoctorRow[]>;
  /** Runs what the doctor printed as it stands, in a shell; `typed` is what the person then types. */
  readonly recover: (row: DoctorRow | undefined, typed?: string) => Promise<Answer>;
}

function openWard(): Ward {
  const plug = newPlug(ENV, { rules: 'shipped' });
  const folder = join(plug.home, 'bin');
  mkdirSync(folder);
  mkdirSync(join(plug.home, 'plug'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'plug'), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, 'plug'), 0o755);
  const rows: Ward['rows'] = async (...flags) => {
    const { stdout } = await plug('--json', 'doctor', 'sick', ...flags);
    return (JSON.parse(stdout) as { readonly rows: readonly DoctorRow[] }).rows;
  };
  return {
    plug,
    rows,
    entry: (value) =>
      writeFileSync(join(plug.home, 'plug', 'mcp.json'), JSON.stringify({ mcpServers: { sick: value } })),
    complaints: async (...flags) =>
      (await rows(...flags)).filter(({ status }) => status === 'fail' || status === 'warn'),
    recover: (row, typed = '') => {
      const child = spawn('sh', ['-c', row?.next ?? 'false'], {
        cwd: plug.cwd,
        env: {
          ...ENV,
          PATH: `${folder}:${process.env['PATH'] ?? ''}`,
          HOME: plug.home,
          PLUG_HOME: join(plug.home, 'plug'),
        },
      });
      child.stdin.on('error', () => undefined); // it may have ended already
      child.stdin.end(typed);
      return answerOf(child);
    },
  };
}

verifies(
  ['U4'],
  'a secret that is missing: the printed command takes it, and the server is well',
  async () => {
    const { entry, complaints, recover, plug } = openWard();
    entry({ command: NODE, args: FIXTURE, env: { NOTES_KEY: '${vault:notes-key}' } });
    const found = await complaints();
    expect(found).toMatchObject([{ check: 'variables', status: 'fail', cause: 'missing_input' }]);
    expect((await recover(found[0], 'a-key-that-was-missing\n')).code).toBe(0);
    expect(await complaints()).toEqual([]);
    await plug.json('trust', 'sick');
    expect(await complaints('--live')).toEqual([]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a program that may not be executed, a failed start and a server that nobody trusts: each printed command mends its fault',
  async () => {
    const { entry, complaints, rows, recover, plug } = openWard();
    const file = join(plug.home, 'notes server');
    writeFileSync(file, `#!/bin/sh\nexec '${[NODE, ...FIXTURE].join("' '")}'\n`);
    chmodSync(file, 0o644);
    entry({ command: file });
    const locked = await complaints();
    expect(locked).toMatchObject([{ check: 'command', status: 'fail', cause: 'missing_command' }]);
    expect((await plug('call', 'sick/echo', 'message=x')).code).toBe(5);
    expect((await recover(locked[0])).code).toBe(0);

    // It could be started now, and was not since: the doctor says so, and how.
    const stale = await complaints();
    expect(stale).toMatchObject([{ check: 'command', status: 'warn' }]);
    expect((await recover(stale[0])).code).toBe(0);
    expect(await complaints()).toEqual([]);

    // Untrusted, nothing is read, and nothing is said to have passed that was not tried.
    const untried = (await rows('--live')).find(({ check }) => check === 'live');
    expect(untried).toMatchObject({ status: 'skip' });
    expect((await plug.json('audit'))['records']).toEqual([]);
    expect((await recover(untried)).code).toBe(0);
    const tried = (await rows('--live')).find(({ check }) => check === 'live');
    expect(tried).toMatchObject({ status: 'pass' });
  },
  SLOW,
);

verifies(
  ['U4'],
  'a project’s server that waits for trust, a tool that changed and a config file with a near name: each printed command mends its fault',
  async () => {
    const { complaints, recover, plug } = openWard();
    const tools = join(plug.home, 'tools.json');
    const offer = (description: string): void =>
      writeFileSync(
        tools,
        JSON.stringify([{ name: 'list_notes', description, inputSchema: { type: 'object' } }]),
      );
    offer('Lists notes.');
    const value = { command: process.execPath, args: ['-e', SERVER, '--', tools] };
    const text = JSON.stringify({ mcpServers: { sick: value } });
    writeFileSync(join(plug.cwd, 'mcp.json.txt'), text);

    const { stdout } = await plug('--json', 'doctor');
    const all = (JSON.parse(stdout) as { readonly rows: readonly DoctorRow[] }).rows;
    const near = all.find(({ check, status }) => check === 'near-miss' && status === 'warn');
    expect((await recover(near)).code).toBe(0);

    // The hub hears of a changed file a moment later.
    await expect.poll(() => complaints()).toMatchObject([{ check: 'config', cause: 'untrusted' }]);
    const waiting = await complaints();
    expect((await recover(waiting[0], 'y\n')).code).toBe(0);
    expect(await complaints()).toEqual([]);

    expect((await plug('call', 'sick/list_notes')).code).toBe(0);
    await plug.json('tools', 'approve', 'sick/list_notes', '--yes');
    offer('Lists notes, and sends them on.');
    // It runs again, and its one tool waits for an approval.
    expect((await plug('restart', 'sick')).code).toBe(3);
    const changed = await complaints();
    expect(changed).toMatchObject([{ check: 'pins', status: 'fail' }]);
    expect((await recover(changed[0], 'y\n')).code).toBe(0);
    expect(await complaints()).toEqual([]);
    expect((await plug('call', 'sick/list_notes')).code).toBe(0);
  },
  SLOW,
);

/** A server whose tools stand in a file. */
const SERVER = `
const { readFileSync } = require('node:fs');
const answer = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }),
  'tools/list': () => ({ tools: JSON.parse(readFileSync(process.argv[1], 'utf8')) }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'two notes' }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = answer[method]?.();
  const error = { code: -32601, message: 'unknown' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
`;

verifies(
  ['U4'],
  'a locked vault: the printed command opens it, and what it locked is well',
  async () => {
    const { entry, complaints, recover, plug } = openWard();
    entry({ command: NODE, args: FIXTURE, env: { NOTES_KEY: '${vault:notes-key}' } });
    const give = (line: string, ...argv: readonly string[]): Promise<Answer> =>
      answerOf(plug.begin(argv, `${line}\n`));
    expect((await give('a-key', 'secrets', 'set', 'notes-key')).code).toBe(0);
    const phrase = 'several long words';
    expect((await give(phrase, 'secrets', 'rotate', '--to', 'passphrase')).code).toBe(0);
    await plug.json('hub', 'stop');
    const found = await complaints();
    expect(found).toMatchObject([{ check: 'variables', status: 'fail', cause: 'missing_input' }]);
    expect((await recover(found[0], `${phrase}\n`)).code).toBe(0);
    expect(await complaints()).toEqual([]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'an address that answers 200 with a web page is told as that, not as a broken server',
  async () => {
    const site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Notes</title>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    onTestFinished(() => void site.close());
    const { port } = site.address() as AddressInfo; // it listens on a port
    const { entry, complaints } = openWard();
    entry({ url: `http://127.0.0.1:${port}/` });
    const found = await complaints('--live');
    expect(found).toMatchObject([{ check: 'handshake', status: 'fail', cause: 'protocol_error' }]);
    expect(found[0]?.says).toMatch(/web page/);

    // The right address beside it is what mends it.
    await using good = await startHttpFixture('modern');
    entry({ url: good.url });
    await expect.poll(() => complaints('--live'), { timeout: 20_000 }).toEqual([]);
  },
  SLOW,
);
