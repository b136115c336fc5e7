import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { createServer as createSite } from 'node:http';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { DoctorReport, DoctorRow, Hub } from '../../src/hub/hub.ts';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { isAlive, startHttpFixture, stdioFixture, waitFor } from '../servers/start.ts';
import { scriptedServer, toolNamed } from './catalog-server.ts';
import { complaints, newMachine, program, started, type Machine } from './doctor-world.ts';

/** Plants one fault, and examines. */
type Plant = (machine: Machine) => Promise<DoctorReport>;

interface Fault {
  readonly check: DoctorRow['check'];
  readonly status: 'warn' | 'fail';
  readonly cause: NonNullable<DoctorRow['cause']>;
  /** Words of the sentence that name the very thing. */
  readonly says: RegExp;
  /** What the row must advise. */
  readonly remedy?: object;
  readonly plant: Plant;
}

const entry = (machine: Machine, value: object): Promise<Hub> => {
  machine.write(join(machine.own, 'mcp.json'), { mcpServers: { sick: { ...value } } });
  return machine.open();
};

const faults: Readonly<Record<string, Fault>> = {
  'a config file with a comma missing': {
    check: 'files',
    status: 'fail',
    cause: 'bad_config',
    says: /mcp\.json, line 3, column \d+/,
    remedy: { do: 'say', text: expect.stringContaining('Correct line 3') },
    plant: async (machine) => {
      machine.write(
        join(machine.own, 'mcp.json'),
        '{\n  "mcpServers": { "a": { "command": "node" }\n    "b": {} }\n}\n',
      );
      return (await machine.open()).doctor.run();
    },
  },
  'an entry that says neither what to run nor whom to contact': {
    check: 'config',
    status: 'fail',
    cause: 'bad_config',
    says: /mcp\.json, line 3: “sick”/,
    plant: async (machine) => (await entry(machine, { args: ['x'] })).doctor.run({ server: 'sick' }),
  },
  'a variable that nobody has set': {
    check: 'variables',
    status: 'fail',
    cause: 'missing_input',
    says: /no value for \$\{NOTES_TOKEN\} in env\.TOKEN/,
    remedy: { do: 'say', text: expect.stringContaining('Set NOTES_TOKEN') },
    plant: async (machine) =>
      (await entry(machine, { ...stdioFixture('legacy'), env: { TOKEN: '${NOTES_TOKEN}' } })).doctor.run({
        server: 'sick',
      }),
  },
  'a secret that the vault does not hold': {
    check: 'variables',
    status: 'fail',
    cause: 'missing_input',
    says: /no value for \$\{vault:notes-key\}/,
    remedy: { do: 'set-secret', name: 'notes-key' },
    plant: async (machine) =>
      (
        await entry(machine, {
          url: 'https://example.com/mcp',
          headers: { Authorization: '${vault:notes-key}' },
        })
      ).doctor.run({ server: 'sick' }),
  },
  'a variable that turns an address into none': {
    check: 'variables',
    status: 'fail',
    cause: 'bad_config',
    says: /placeholders filled in, url cannot be used/,
    plant: async (machine) => {
      machine.write(join(machine.own, 'mcp.json'), { mcpServers: { sick: { url: '${NOTES_URL}' } } });
      return (await machine.open({ NOTES_URL: 'notes, please' })).doctor.run({ server: 'sick' });
    },
  },
  'a mistyped command': {
    check: 'command',
    status: 'fail',
    cause: 'missing_command',
    says: /The command frobnicat was not found\. Did you mean frobnicate/,
    remedy: { do: 'edit-server', field: 'command', to: 'frobnicate' },
    plant: async (machine) => {
      machine.write(join(machine.bin, 'frobnicate'), '#!/bin/sh\n', 0o755);
      return (await entry(machine, { command: 'frobnicat' })).doctor.run({ server: 'sick' });
    },
  },
  'a runtime that is not installed': {
    check: 'command',
    status: 'fail',
    cause: 'missing_command',
    says: /The command uvx was not found/,
    remedy: { do: 'install', program: 'uv' },
    plant: async (machine) =>
      (await entry(machine, { command: 'uvx', args: ['notes'] })).doctor.run({ server: 'sick' }),
  },
  'a program that may not be executed': {
    check: 'command',
    status: 'fail',
    cause: 'missing_command',
    says: /is there, but it may not be executed/,
    remedy: { do: 'run', line: expect.stringMatching(/^chmod \+x /) },
    plant: async (machine) => {
      const file = machine.write(join(machine.bin, 'notes'), '#!/bin/sh\n', 0o644);
      return (await entry(machine, { command: file })).doctor.run({ server: 'sick' });
    },
  },
  'a folder that is gone': {
    check: 'command',
    status: 'fail',
    cause: 'bad_config',
    says: /The folder .*nowhere that it starts in isn't there/,
    plant: async (machine) =>
      (await entry(machine, { ...stdioFixture('legacy'), cwd: join(machine.home, 'nowhere') })).doctor.run({
        server: 'sick',
      }),
  },
  'a script that was moved': {
    check: 'command',
    status: 'fail',
    cause: 'bad_config',
    says: /The file .*build\/index\.js that node should run isn't there/,
    plant: async (machine) =>
      (await entry(machine, { command: 'node', args: [join(machine.home, 'build/index.js')] })).doctor.run({
        server: 'sick',
      }),
  },
  'a script whose interpreter is gone': {
    check: 'spawn',
    status: 'fail',
    cause: 'missing_command',
    says: /can’t be run: .*interpreter/,
    plant: async (machine) => {
      const file = machine.write(join(machine.bin, 'notes'), '#!/opt/nowhere/python9\n', 0o755);
      const hub = await machine.open();
      await started(hub, 'sick', [file]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a program that is killed': {
    check: 'spawn',
    status: 'fail',
    cause: 'start_failed',
    says: /ended by SIGKILL/,
    plant: async (machine) => {
      const hub = await machine.open();
      await started(hub, 'sick', program('process.kill(process.pid, "SIGKILL")'));
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a program that wants a variable and says so': {
    check: 'stderr',
    status: 'fail',
    cause: 'missing_input',
    says: /needs the variable DATABASE_URL/,
    remedy: { do: 'edit-server', server: 'sick', field: 'env.DATABASE_URL', to: '${DATABASE_URL}' },
    plant: async (machine) => {
      const { command, args } = stdioFixture('exits-at-once');
      const hub = await machine.open();
      await started(hub, 'sick', [command, ...args]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a module that is not installed': {
    check: 'stderr',
    status: 'fail',
    cause: 'start_failed',
    says: /The module “@notes\/core” isn't installed/,
    remedy: { do: 'run', line: 'npm install @notes/core' },
    plant: async (machine) => {
      const hub = await machine.open();
      await started(hub, 'sick', program('require("@notes/core/client")'));
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a Python program that fails': {
    check: 'stderr',
    status: 'fail',
    cause: 'start_failed',
    says: /Python module “notes_core” isn't installed/,
    plant: async (machine) => {
      const hub = await machine.open();
      await started(hub, 'sick', ['/usr/bin/env', 'python3', '-c', 'import notes_core']);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a port that is taken': {
    check: 'stderr',
    status: 'fail',
    cause: 'unavailable',
    says: /The port \d+ it needs is used by node \(pid \d+\)/,
    plant: async (machine) => {
      const port = await takenPort();
      const hub = await machine.open();
      await started(hub, 'sick', program(`require("net").createServer().listen(${port}, "127.0.0.1")`));
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a database behind a server that is not running': {
    check: 'stderr',
    status: 'fail',
    cause: 'unreachable',
    says: /Nothing listens at 127\.0\.0\.1:\d+/,
    plant: async (machine) => {
      const port = await freePort();
      const hub = await machine.open();
      await started(hub, 'sick', program(`require("net").connect(${port}, "127.0.0.1")`));
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a program that never answers': {
    check: 'handshake',
    status: 'fail',
    cause: 'start_timeout',
    says: /was not ready within/,
    plant: async (machine) => {
      const { command, args } = stdioFixture('hangs-in-handshake');
      const hub = await machine.open();
      await started(hub, 'sick', [command, ...args], { timeouts: { startMs: 1_500 } });
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a remote server that is started as if it were a local one': {
    check: 'handshake',
    status: 'fail',
    cause: 'start_timeout',
    says: /listens on a port instead of using stdin and stdout/,
    remedy: { do: 'say', text: expect.stringContaining('Add it by its URL') },
    plant: async (machine) => {
      const hub = await machine.open();
      const words = program(
        'const s = require("http").createServer().listen(0, "127.0.0.1", () => console.log("Server listening on http://localhost:" + s.address().port + "/mcp"))',
      );
      await started(hub, 'sick', words, { timeouts: { startMs: 1_500 } });
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a server that logs where its messages belong': {
    check: 'handshake',
    status: 'warn',
    cause: 'protocol_error',
    says: /wrote \d+ lines to its output that aren't MCP messages/,
    plant: async (machine) => {
      const { command, args } = stdioFixture('noise');
      const hub = await machine.open();
      await started(hub, 'sick', [command, ...args]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a service of this machine that is not running': {
    check: 'endpoint',
    status: 'fail',
    cause: 'unreachable',
    says: /Nothing listens at 127\.0\.0\.1:\d+/,
    remedy: { do: 'say', text: expect.stringContaining('Start the service') },
    plant: async (machine) =>
      (await entry(machine, { url: `http://127.0.0.1:${await freePort()}/mcp` })).doctor.run({
        server: 'sick',
      }),
  },
  'a key that is rejected': {
    check: 'auth',
    status: 'fail',
    cause: 'sign_in_needed',
    says: /rejected the key in Authorization: check your key/,
    remedy: { do: 'set-secret', name: 'notes-key', server: 'sick' },
    plant: async (machine) => {
      const listener = await startHttpFixture('unauthorized', { token: 'the-right-one' });
      onTestFinished(() => listener.close());
      const hub = await entry(machine, {
        url: listener.url,
        headers: { Authorization: 'Bearer ${vault:notes-key}' },
      });
      await hub.secrets.set({ name: 'notes-key', value: 'the-wrong-one' });
      await Promise.allSettled([hub.servers.start({ id: 'sick' })]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a server that wants a sign-in': {
    check: 'auth',
    status: 'fail',
    cause: 'sign_in_needed',
    says: /sign in/,
    remedy: { do: 'sign-in', server: 'sick' },
    plant: async (machine) => {
      const metadata = 'http://127.0.0.1:1/meta';
      const listener = await startHttpFixture('unauthorized', { metadata });
      onTestFinished(() => listener.close());
      const hub = await entry(machine, { url: listener.url });
      await Promise.allSettled([hub.servers.start({ id: 'sick' })]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a page where a server should be': {
    check: 'handshake',
    status: 'fail',
    cause: 'protocol_error',
    says: /404.* Most servers are at \/mcp/,
    remedy: { do: 'edit-server', server: 'sick', field: 'url' },
    plant: async (machine) => {
      const site = createSite((_request, response) => void response.writeHead(404).end('<h1>Not here</h1>'));
      site.listen(0, '127.0.0.1');
      await once(site, 'listening');
      onTestFinished(() => void site.close());
      const hub = await entry(machine, { url: `http://127.0.0.1:${portOf(site)}/elsewhere` });
      await Promise.allSettled([hub.servers.start({ id: 'sick' })]);
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a server without tools': {
    check: 'tools',
    status: 'warn',
    cause: 'not_found',
    says: /offers nothing/,
    plant: async (machine) => {
      const hub = await machine.open();
      await hub.servers.add({ definition: scriptedServer('sick', []).definition });
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'a tool that is another one than was approved': {
    check: 'pins',
    status: 'warn',
    cause: 'approval_required',
    says: /1 tool changed since it was approved/,
    remedy: { do: 'approve-tools', tools: ['sick/read_note'] },
    plant: async (machine) => {
      const server = scriptedServer('sick', [toolNamed('read_note'), toolNamed('list_notes')]);
      const hub = await machine.open();
      await hub.servers.add({ definition: server.definition });
      await hub.servers.trust({ id: 'sick' });
      server.write([
        toolNamed('read_note', { description: 'Reads, and tells others.' }),
        toolNamed('list_notes'),
      ]);
      await hub.servers.restart({ id: 'sick' });
      return hub.doctor.run({ server: 'sick' });
    },
  },
  'an entry of a project that nobody has trusted': {
    check: 'config',
    status: 'warn',
    cause: 'untrusted',
    says: /project\/mcp\.json:\d+: the entry is new in this project/,
    remedy: { do: 'trust', server: 'sick' },
    plant: async (machine) => {
      machine.write(join(machine.project, 'mcp.json'), { mcpServers: { sick: { command: 'node' } } });
      return (await machine.open()).doctor.run({ server: 'sick' });
    },
  },
  'the same server under two names': {
    check: 'config',
    status: 'warn',
    cause: 'already_exists',
    says: /same server as other/,
    remedy: { do: 'disable', server: 'sick' },
    plant: async (machine) => {
      const one = stdioFixture('legacy');
      machine.write(join(machine.own, 'mcp.json'), { mcpServers: { other: { ...one }, sick: { ...one } } });
      return (await machine.open()).doctor.run({ server: 'sick' });
    },
  },
  'a config file with almost the right name': {
    check: 'near-miss',
    status: 'warn',
    cause: 'bad_config',
    says: /mcp\.json\.txt looks like a config file, but Plugboard reads .*mcp\.json/,
    remedy: { do: 'run', line: expect.stringMatching(/^mv /) },
    plant: async (machine) => {
      machine.write(join(machine.own, 'mcp.json.txt'), { mcpServers: { notes: { command: 'node' } } });
      return (await machine.open()).doctor.run();
    },
  },
  'servers in a file of another client that it does not read': {
    check: 'near-miss',
    status: 'warn',
    cause: 'bad_config',
    says: /settings\.json.* is ignored/,
    plant: async (machine) => {
      machine.write(join(machine.home, '.claude/settings.json'), {
        mcpServers: { notes: { command: 'node' } },
      });
      return (await machine.open()).doctor.run();
    },
  },
  'a named config file that is not there': {
    check: 'files',
    status: 'fail',
    cause: 'bad_config',
    says: /PLUG_MCP_CONFIG names .*work\.json, which is not there/,
    plant: async (machine) =>
      (await machine.open({ PLUG_MCP_CONFIG: join(machine.home, 'work.json') })).doctor.run(),
  },
  'a rules file with a mistake': {
    check: 'rules',
    status: 'fail',
    cause: 'bad_config',
    says: /rules\.json, line \d+, column \d+/,
    remedy: { do: 'check-rules' },
    plant: async (machine) => {
      machine.write(join(machine.own, 'rules.json'), '{ "defaults": { "call": { "read": "perhaps" } } }');
      return (await machine.open()).doctor.run();
    },
  },
  'a vault whose key file was lost': {
    check: 'vault',
    status: 'fail',
    cause: 'missing_input',
    says: /its key .*\.key is not there/,
    plant: async (machine) => {
      const hub = await machine.open();
      await hub.secrets.set({ name: 'notes-key', value: 'something' });
      const folder = join(machine.own, 'vault');
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
      return hub.doctor.run();
    },
  },
  'a vault whose key others can read': {
    check: 'vault',
    status: 'fail',
    cause: 'denied',
    says: /other users may read it/,
    plant: async (machine) => {
      const hub = await machine.open();
      await hub.secrets.set({ name: 'notes-key', value: 'something' });
      const folder = join(machine.own, 'vault');
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
      return hub.doctor.run();
    },
  },
  'certificates that are not there': {
    check: 'proxy',
    status: 'warn',
    cause: 'bad_config',
    says: /NODE_EXTRA_CA_CERTS names .*corp\.pem, which cannot be read/,
    plant: async (machine) =>
      (await machine.open({ NODE_EXTRA_CA_CERTS: join(machine.home, 'corp.pem') })).doctor.run(),
  },
  'a proxy that is no address': {
    check: 'proxy',
    status: 'warn',
    cause: 'bad_config',
    says: /HTTPS_PROXY isn’t a proxy URL/,
    plant: async (machine) => (await machine.open({ HTTPS_PROXY: 'proxy.example:8080' })).doctor.run(),
  },
  'a clock that was set back': {
    check: 'clock',
    status: 'warn',
    cause: 'unavailable',
    says: /files were written \d+ minutes later/,
    plant: async (machine) => {
      const hub = await machine.open();
      const later = new Date(Date.now() + 3_600_000);
      utimesSync(join(machine.own, 'plugboard.db'), later, later);
      return hub.doctor.run();
    },
  },
  'a model without its key': {
    check: 'models',
    status: 'warn',
    cause: 'missing_input',
    says: /fast has no key for openai/,
    plant: async (machine) => {
      const hub = await machine.open();
      await hub.models.save({ name: 'fast', provider: 'openai', model: 'some-model' });
      return hub.doctor.run();
    },
  },
};

for (const [what, { plant, ...fault }] of Object.entries(faults)) {
  verifies(
    ['U4'],
    `the doctor finds ${what}, by its true cause`,
    async () => {
      const report = await plant(newMachine());
      const [cause, ...others] = complaints(report);
      expect(cause).toMatchObject({ check: fault.check, status: fault.status, cause: fault.cause });
      expect(cause?.says).toMatch(fault.says);
      if (fault.remedy) expect(cause?.remedy).toMatchObject(fault.remedy);
      expect(cause?.owner).toBeDefined();
      // One fault, one finding: what follows from it is not told as if it were another.
      expect(others).toEqual([]);
      const chain = report.rows.filter(({ server }) => server !== undefined);
      const at = chain.findIndex(({ status }) => status === 'fail');
      if (at >= 0) expect(new Set(chain.slice(at + 1).map(({ status }) => status))).not.toContain('pass');
    },
    40_000,
  );
}

verifies(
  ['U4'],
  'what a hub left running when it died is found, and ended only when that is asked for',
  async () => {
    const machine = newMachine();
    const hub = await machine.open();
    const marker = 'tree_left_behind_4711';
    const left = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      detached: true,
      stdio: 'ignore',
      env: { PLUG_TREE: marker, PLUGBOARD_TREE: marker },
    });
    onTestFinished(() => void left.kill('SIGKILL'));
    await once(left, 'spawn');
    const { startTimeOf } = await import('../../src/connections/processes/process-table.ts');
    const pid = left.pid ?? 0;
    await using storage = await openStorage({ kind: 'sqlite', file: join(machine.own, 'plugboard.db') });
    const startTime = (await startTimeOf(pid)) ?? '';
    await storage.connections.putProcess({ hub: '999999:1', server: 'notes', pid, startTime, marker });

    const report = await hub.doctor.run();
    expect(complaints(report)).toMatchObject([
      {
        check: 'orphans',
        status: 'warn',
        says: expect.stringContaining('1 process'),
        fix: { id: 'end-orphans' },
      },
    ]);
    expect(isAlive(pid)).toBe(true);
    expect(await hub.doctor.fix({ fixes: ['end-orphans'] })).toMatchObject([{ done: true }]);
    await waitFor(() => !isAlive(pid));
    expect(complaints(await hub.doctor.run())).toEqual([]);
  },
  40_000,
);

async function takenPort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  onTestFinished(() => void holder.close());
  return portOf(holder);
}

async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const port = portOf(holder);
  holder.close();
  await once(holder, 'close');
  return port;
}

function portOf(holder: Server): number {
  const address = holder.address();
  return typeof address === 'object' && address ? address.port : 0;
}
