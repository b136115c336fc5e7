import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DoctorRow, Hub } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture, stdioFixture } from '../servers/start.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';
import { complaints, newMachine, started } from './doctor-world.ts';

const SLOW = 60_000;

async function live(hub: Hub, server: string): Promise<DoctorRow | undefined> {
  const { rows } = await hub.doctor.run({ server, live: true });
  return rows.find(({ check }) => check === 'live');
}

verifies(
  ['U4'],
  'a live examination starts a server and makes one read that the user allowed, and no other call',
  async () => {
    const server = scriptedServer('notes', [
      toolNamed('delete_note'),
      toolNamed('read_note', { inputSchema: { type: 'object', properties: { id: {} }, required: ['id'] } }),
      toolNamed('list_notes'),
      toolNamed('get_notes'),
    ]);
    const hub = await newMachine().open();
    await hub.servers.add({ definition: server.definition });
    await hub.servers.stop({ id: 'notes' });

    expect(await live(hub, 'notes')).toMatchObject({
      status: 'skip',
      says: expect.stringContaining('No tool was called'),
      next: 'plug trust notes',
    });
    expect(server.calls()).toEqual([]);
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('ready');

    await hub.servers.trust({ id: 'notes' });
    await hub.servers.stop({ id: 'notes' });
    expect(await live(hub, 'notes')).toMatchObject({
      status: 'pass',
      says: expect.stringMatching(/list_notes answered in \d+ ms/),
    });
    expect(server.calls()).toEqual(['list_notes']);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a key that ran out after the start shows in the live examination',
  async () => {
    const machine = newMachine();
    const says = machine.write(join(machine.home, 'says'), 'two notes');
    const words = ['-e', SERVER, '--', says];
    const hub = await machine.open();
    await started(hub, 'notes', [process.execPath, ...words]);
    await hub.servers.trust({ id: 'notes' });
    expect(await live(hub, 'notes')).toMatchObject({ status: 'pass' });
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toEqual([]);

    writeFileSync(says, '401 Unauthorized: expired token');
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toEqual([]);
    expect(await live(hub, 'notes')).toMatchObject({
      status: 'fail',
      cause: 'sign_in_needed',
      says: expect.stringContaining('check your key'),
    });
  },
  SLOW,
);

/** A server with one tool, which answers what stands in a file, as an error when it is about 401. */
const SERVER = `
const { readFileSync } = require('node:fs');
const answer = {
  initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'n', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'list_notes', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    const text = readFileSync(process.argv[1], 'utf8');
    return { content: [{ type: 'text', text }], isError: text.startsWith('401') };
  },
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
  'names that do not resolve and services that speak no TLS are told apart, only when asked to go there',
  async () => {
    const plain = createServer().listen(0, '127.0.0.1');
    await once(plain, 'listening');
    onTestFinished(() => void plain.close());
    const address = plain.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    // A part that is too long for any name server: no question about it leaves this machine.
    const name = `${'a'.repeat(64)}.invalid`;
    const machine = newMachine();
    machine.write(join(machine.own, 'mcp.json'), {
      mcpServers: {
        secure: { url: `https://127.0.0.1:${port}/mcp` },
        nowhere: { url: `https://${name}/mcp` },
      },
    });
    const hub = await machine.open();
    expect(complaints(await hub.doctor.run({ server: 'nowhere' }))).toEqual([]);
    expect(complaints(await hub.doctor.run({ server: 'nowhere', live: true }))).toMatchObject([
      {
        check: 'endpoint',
        cause: 'unreachable',
        says: expect.stringContaining(`DNS lookup failed for ${name}.`),
      },
    ]);
    expect(complaints(await hub.doctor.run({ server: 'secure' }))).toMatchObject([
      { check: 'endpoint', cause: 'unreachable', says: expect.stringContaining('speak TLS') },
    ]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'what was mended since the last start is said, and starting again is offered and done when asked for',
  async () => {
    const machine = newMachine();
    const file = join(machine.bin, 'notes-server');
    const hub = await machine.open();
    await started(hub, 'notes', [file]);
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toMatchObject([
      { check: 'command', status: 'fail', cause: 'missing_command' },
    ]);

    const { command, args } = stdioFixture('legacy');
    machine.write(file, `#!/bin/sh\nexec ${command} ${args.join(' ')}\n`, 0o755);
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toMatchObject([
      { check: 'command', status: 'warn', fix: { id: 'restart:notes' }, next: 'plug restart notes' },
    ]);
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('failed');
    expect(await hub.doctor.fix({ fixes: ['restart:notes'] })).toEqual([
      { id: 'restart:notes', done: true, says: 'notes is ready.' },
    ]);
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toEqual([]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a hub that was started anew still knows that the last start of a server failed',
  async () => {
    const machine = newMachine();
    const { command, args } = stdioFixture('exits-at-once');
    const first = await machine.open();
    await started(first, 'notes', [command, ...args]);
    await first.close();
    const hub = await machine.open();
    expect(complaints(await hub.doctor.run({ server: 'notes' }))).toMatchObject([
      {
        check: 'spawn',
        status: 'warn',
        says: expect.stringContaining('exit code 3'),
        next: 'plug doctor notes --live',
      },
    ]);
    // Asked to try, it finds the cause.
    expect(complaints(await hub.doctor.run({ server: 'notes', live: true }))).toMatchObject([
      { check: 'stderr', status: 'fail', cause: 'missing_input' },
    ]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'files of ours that others can read are made private, a runtime is pinned, and only when asked for',
  async () => {
    const machine = newMachine();
    const runtime = machine.write(
      join(machine.home, '.local/bin/notes-run'),
      `#!/bin/sh\nexec ${[stdioFixture('legacy').command, ...stdioFixture('legacy').args].join(' ')}\n`,
      0o755,
    );
    // A login shell whose PATH lacks the folder in which the runtime is.
    const shell = machine.write(
      join(machine.home, 'sh'),
      '#!/bin/sh\nPATH=/usr/bin:/bin\nshift 2\nexec /bin/sh "$@"\n',
      0o755,
    );
    const hub = await machine.open({ SHELL: shell });
    await started(hub, 'notes', ['notes-run']);
    const database = join(machine.own, 'plugboard.db');
    chmodSync(database, 0o644);

    const report = await hub.doctor.run();
    expect(complaints(report)).toMatchObject([
      { check: 'storage', status: 'warn', details: [database], fix: { id: 'tighten-files' } },
      {
        server: 'notes',
        check: 'command',
        status: 'fail',
        says: expect.stringContaining(runtime),
        fix: { id: 'pin-runtime:notes' },
      },
    ]);
    expect(lstatSync(database).mode & 0o077).not.toBe(0);

    const fixes = ['tighten-files', 'pin-runtime:notes', 'pin-runtime:nobody', 'make-coffee', '__proto__'];
    const done = await hub.doctor.fix({ fixes });
    expect(done.map((fix) => fix.done)).toEqual([true, true, false, false, false]);
    expect(lstatSync(database).mode & 0o077).toBe(0);
    expect((await hub.servers.definition({ id: 'notes' })).endpoint).toMatchObject({ command: runtime });
    await hub.servers.start({ id: 'notes' });
    expect(complaints(await hub.doctor.run())).toEqual([]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a file of the user’s is never changed by a fix',
  async () => {
    const machine = newMachine();
    const file = machine.write(join(machine.own, 'mcp.json'), {
      mcpServers: { notes: { command: 'notes-run' } },
    });
    const before = lstatSync(file);
    const hub = await machine.open();
    const [outcome] = await hub.doctor.fix({ fixes: ['pin-runtime:notes'] });
    expect(outcome).toMatchObject({ done: false, says: expect.stringContaining('in your own file') });
    expect(lstatSync(file)).toMatchObject({ mtimeMs: before.mtimeMs, size: before.size });
    expect(existsSync(`${file}.bak`)).toBe(false);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a locked vault is the cause of what it locks',
  async () => {
    await using listener = await startHttpFixture('modern');
    const machine = newMachine();
    const first = await machine.open();
    const endpoint = { kind: 'http', url: listener.url, headers: { 'X-Key': '${vault:notes/key}' } } as const;
    await first.secrets.set({ name: 'notes/key', value: 'something' });
    await first.servers.apply({ definitions: [defineServer({ id: 'notes', endpoint })] });
    await first.secrets.rotate({ to: 'passphrase', passphrase: 'a long enough passphrase' });
    await first.close();
    const hub = await machine.open();
    expect(complaints(await hub.doctor.run())).toMatchObject([
      { check: 'vault', status: 'warn', next: 'plug secrets unlock' },
      { check: 'variables', status: 'fail', cause: 'missing_input', says: expect.stringContaining('locked') },
    ]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'what a rule keeps from being connected is not connected by a live examination either',
  async () => {
    const machine = newMachine();
    const rule =
      '{ "name": "no notes", "when": { "action": ["connect"], "server": "notes" }, "then": "deny" }';
    machine.write(join(machine.own, 'rules.json'), `{ "rules": [${rule}] }`);
    const server = scriptedServer('notes', [toolNamed('list_notes')]);
    const hub = await machine.open();
    await hub.servers.apply({ definitions: [server.definition] });
    expect((await hub.policy.rules()).problems).toEqual([]);
    expect(complaints(await hub.doctor.run({ live: true }))).toMatchObject([
      { server: 'notes', check: 'config', status: 'warn', cause: 'denied', next: 'plug rules' },
    ]);
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('asleep');
    expect(await hub.servers.events()).toEqual([]);
  },
  SLOW,
);

verifies(
  ['U4'],
  'a service that listens and refuses shows when it is tried',
  async () => {
    await using listener = await startHttpFixture('drops', { method: '*' });
    const machine = newMachine();
    machine.write(join(machine.own, 'mcp.json'), { mcpServers: { notes: { url: listener.url } } });
    const hub = await machine.open();
    expect(complaints(await hub.doctor.run())).toEqual([]);
    const report = await hub.doctor.run({ live: true });
    expect(complaints(report)).toMatchObject([
      { server: 'notes', status: 'fail', owner: expect.any(String) },
    ]);
    expect(report.rows.filter(({ status, check }) => status === 'pass' && check === 'live')).toEqual([]);
  },
  SLOW,
);
