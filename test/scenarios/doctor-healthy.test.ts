import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { lstatSync, readdirSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { startHttpFixture, stdioFixture } from '../servers/start.ts';
import { descendantsOf } from './plug-command.ts';
import { complaints, newMachine } from './doctor-world.ts';

const SLOW = 60_000;

verifies(
  ['U4'],
  'a machine in good order gets no warning: a program, a remote server, a config file, a secret, a model',
  async () => {
    const machine = newMachine();
    await using listener = await startHttpFixture('unauthorized', { inner: 'modern', token: 's3cret-k3y' });
    machine.write(join(machine.own, 'mcp.json'), {
      mcpServers: {
        local: { ...stdioFixture('legacy') },
        remote: { url: listener.url, headers: { Authorization: 'Bearer ${vault:remote-key}' } },
        off: { command: 'gone-for-ever', disabled: true },
      },
    });
    const hub = await machine.open({ PLUG_MASTER_KEY: randomBytes(32).toString('base64') });
    await hub.secrets.set({ name: 'remote-key', value: 's3cret-k3y' });
    await hub.models.save({
      name: 'fast',
      provider: 'openai',
      model: 'some-model',
      key: 'sk-0123456789abcdef',
    });

    const before = await hub.doctor.run();
    expect(complaints(before)).toEqual([]);
    expect(before.rows).toContainEqual(
      expect.objectContaining({
        server: 'off',
        check: 'config',
        status: 'pass',
        says: expect.stringContaining('disabled by you'),
      }),
    );

    await hub.servers.waitUntilReady();
    const after = await hub.doctor.run();
    expect(complaints(after)).toEqual([]);
    expect(after.counts).toMatchObject({ warn: 0, fail: 0 });
    expect(after.rows).toContainEqual(
      expect.objectContaining({
        server: 'local',
        check: 'config',
        says: expect.stringContaining('mcp.json:3'),
      }),
    );
    const live = await hub.doctor.run({ live: true });
    expect(complaints(live)).toEqual([]);
    expect(JSON.stringify([before, after, live])).not.toContain('s3cret');
  },
  SLOW,
);

verifies(
  ['U4'],
  'a static examination starts no process, changes no file and contacts nobody',
  async () => {
    const machine = newMachine();
    await using listener = await startHttpFixture('modern');
    machine.write(join(machine.own, 'mcp.json'), {
      mcpServers: {
        local: { ...stdioFixture('legacy') },
        remote: { url: listener.url },
        far: { url: 'http://192.0.2.1:9/mcp' },
        key: {
          command: 'node',
          args: ['x.js'],
          env: { KEY: '${command:touch ' + join(machine.home, 'ran') + '}' },
        },
      },
    });
    const hub = await machine.open({ SHELL: shellThatTells(machine) });
    const [processes, files] = [descendantsOf(process.pid), snapshot(machine.home)];
    const requests = (await listener.stats()).requests;
    const seen = new Set<number>();
    const watching = setInterval(() => descendantsOf(process.pid).forEach((pid) => seen.add(pid)), 5);
    const attempts: string[] = [];
    const onSocket = (message: unknown): void => {
      const { socket } = message as { socket: Socket }; // Node documents this channel so
      socket.on('connectionAttempt', (ip: string, port: number) => attempts.push(`${ip}:${port}`));
    };
    subscribe('net.client.socket', onSocket);
    const report = await hub.doctor.run();
    unsubscribe('net.client.socket', onSocket);
    clearInterval(watching);
    // Whether something listens on this very machine is all that is asked, and nothing is sent.
    expect(attempts).toEqual([`127.0.0.1:${listener.port}`]);
    expect(report.rows.length).toBeGreaterThan(20);
    expect([...seen].filter((pid) => !processes.includes(pid))).toEqual([]);
    expect(snapshot(machine.home)).toEqual(files);
    expect((await listener.stats()).requests).toBe(requests);
    expect((await hub.servers.list()).servers.map(({ state }) => state.kind)).toEqual(
      Array(4).fill('asleep'),
    );
    expect((await hub.audit.query()).records).toEqual([]);
    expect(await hub.servers.events()).toEqual([]);
  },
  SLOW,
);

/** A login shell that leaves a trace when somebody asks it. */
function shellThatTells({ home, write }: ReturnType<typeof newMachine>): string {
  return write(join(home, 'bash'), `#!/bin/sh\ntouch ${home}/asked\nexec /bin/sh "$@"\n`, 0o755);
}

/** Every file of a folder with its content and its times; the database may be read. */
function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const { mtimeMs, mode, size } = lstatSync(join(folder, name));
      return [name, `${mode} ${size} ${name.endsWith('-shm') ? '' : mtimeMs}`];
    }),
  );
}
