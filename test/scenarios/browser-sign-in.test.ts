import { join } from 'node:path';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { isAlive, waitFor } from '../servers/start.ts';
import { exists, local } from './doctor-situations.ts';
import { newMachine, type Machine } from './doctor-world.ts';

const ADDRESS = 'https://accounts.example.com/o/oauth2/auth?response_type=code&client_id=notes';

/** Prints where to sign in, and answers nothing before a file says that it was done. */
function waiting(machine: Machine): {
  readonly entry: object;
  readonly signIn: () => void;
  readonly pid: () => number;
} {
  const [done, pid] = [join(machine.home, 'signed-in'), join(machine.home, 'pid')];
  const begin = [
    `require('fs').writeFileSync(${JSON.stringify(pid)},String(process.pid))`,
    `if(!${exists(done)}){require('fs').writeSync(2,'Authorize this app by visiting this url:\\n${ADDRESS}\\n');while(!${exists(done)})Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,50)}`,
  ].join(';');
  return {
    entry: { ...local(begin), timeouts: { startMs: 2_000 } },
    signIn: () => writeFileSync(done, ''),
    pid: () => (existsSync(pid) ? Number(readFileSync(pid, 'utf8')) : 0),
  };
}

verifies(
  ['O1', 'C6', 'U4'],
  'a server that waits for a sign-in in the browser says where, has longer for it, and goes on once it is done',
  async () => {
    const machine = newMachine();
    const server = waiting(machine);
    machine.write(join(machine.own, 'mcp.json'), { mcpServers: { notes: { ...server.entry } } });
    const hub = await machine.open();
    await hub.servers.trust({ id: 'notes' });
    const remedy = { do: 'open-address', server: 'notes', url: ADDRESS };

    // Who calls is told at once, and does not wait for a person.
    await expect(hub.tools.call({ tool: 'notes/list_notes' })).rejects.toMatchObject({
      code: 'sign_in_needed',
      owner: 'you',
      remedy,
    });
    expect((await hub.servers.get({ id: 'notes' })).state).toMatchObject({ kind: 'starting', remedy });
    const report = await hub.doctor.run({ server: 'notes', live: true });
    expect(report.rows.filter(({ status }) => status === 'fail')).toMatchObject([
      { check: 'handshake', cause: 'sign_in_needed', remedy },
    ]);

    // Past the limit of a start it still waits: the same process, not another one.
    const pid = server.pid();
    const begun = Date.now();
    await waitFor(() => Date.now() - begun > 3_000);
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('starting');
    server.signIn();
    await expect.poll(async () => (await hub.servers.get({ id: 'notes' })).state.kind).toBe('ready');
    expect(server.pid()).toBe(pid);
    const { result } = await hub.tools.call({ tool: 'notes/list_notes' });
    expect(result['content']).toMatchObject([{ text: 'two notes' }]);
  },
  60_000,
);

verifies(
  ['O1', 'C4'],
  'a stop ends a server that waits for a sign-in, and leaves nothing behind',
  async () => {
    const machine = newMachine();
    const server = waiting(machine);
    machine.write(join(machine.own, 'mcp.json'), { mcpServers: { notes: { ...server.entry } } });
    const hub = await machine.open();
    await expect(hub.servers.start({ id: 'notes' })).rejects.toMatchObject({ code: 'sign_in_needed' });
    const pid = server.pid();
    expect(isAlive(pid)).toBe(true);
    await hub.servers.stop({ id: 'notes' });
    await waitFor(() => !isAlive(pid));
    expect((await hub.servers.get({ id: 'notes' })).state.kind).toBe('asleep');
  },
  60_000,
);
