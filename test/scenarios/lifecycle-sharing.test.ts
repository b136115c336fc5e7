import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import { verifies } from '../requirements.ts';
import { isAlive, stdioFixture, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { local, stateOf, textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C12'],
  'two definitions of the same command share one process, each with its own tools and history',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.add({ definition: local('one', 'legacy') });
      const { server, summary } = await hub.servers.add({ definition: local('two', 'legacy') });
      expect(summary).toMatch(/^Connected to Fixture server, \d+ tools including/);
      expect(server).toMatchObject({ state: { kind: 'ready' }, serverInfo: { name: 'fixture' } });
      expect(await textOf(hub, 'two/pid')).toBe(await textOf(hub, 'one/pid'));
      expect(spawns()).toBe(1);
      // What one of them does not want any more goes on for the other.
      await hub.servers.disable({ id: 'two' });
      await hub.servers.add({ definition: local('three', 'modern') });
      expect((await stateOf(hub, 'one')).kind).toBe('ready');
      await hub.servers.remove({ id: 'one' });
      await hub.servers.enable({ id: 'two' });
      expect(await textOf(hub, 'two/echo', { message: 'alone' })).toBe('alone');
      expect(spawns()).toBe(3);
    });
  },
  SLOW,
);

verifies(
  ['C12'],
  'a definition with a placeholder shares with nobody, as it may stand for another secret',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      const withKey = (id: string, key: string): ReturnType<typeof local> => {
        const definition = local(id, 'legacy');
        const endpoint = {
          ...definition.endpoint,
          env: { KEY: '${input:key}' },
        } as typeof definition.endpoint;
        return { ...definition, endpoint, config: { key } };
      };
      await hub.servers.apply({ definitions: [withKey('one', 'same'), withKey('two', 'same')] });
      expect(JSON.parse(await textOf(hub, 'one/env'))).toMatchObject({ KEY: 'same' });
      expect(await textOf(hub, 'two/pid')).not.toBe(await textOf(hub, 'one/pid'));
      expect(spawns()).toBe(2);
    });
  },
  SLOW,
);

verifies(
  ['C12', 'C5'],
  'many first calls at once start one process, also of a server that bears no second one',
  async () => {
    await withHub({}, async ({ hub, folder, spawns }) => {
      const file = `${folder}/lock`;
      await hub.servers.apply({ definitions: [local('one', 'lock', { file })] });
      const pids = await Promise.all(Array.from({ length: 10 }, () => textOf(hub, 'one/pid')));
      expect(new Set(pids).size).toBe(1);
      expect(readFileSync(file, 'utf8')).toBe(pids[0]);
      expect(spawns()).toBe(1);
      // Neither a restart nor another definition makes two live at once.
      await Promise.all([hub.servers.restart({ id: 'one' }), hub.servers.restart({ id: 'one' })]);
      expect((await stateOf(hub, 'one')).kind).toBe('ready');
      await hub.servers.apply({ definitions: [local('one', 'lock', { file, page: 5 })] });
      expect(await textOf(hub, 'one/pid')).toBe(readFileSync(file, 'utf8'));
      expect(spawns()).toBe(3);
    });
  },
  SLOW,
);

for (const era of ['legacy', 'modern'] as const) {
  verifies(
    ['C12'],
    `a ${era} server that must not be shared has one process per host, in the host's own folder, while it is there`,
    async () => {
      await withHub({}, async ({ hub, spawns }) => {
        await hub.servers.apply({ definitions: [local('one', era, {}, { sharing: 'per-host' })] });
        const [here, there] = [temporaryFolder(), temporaryFolder()];
        const first = await hub.hosts.attach({ name: 'first', handlers: {}, cwd: here });
        const second = await hub.hosts.attach({ name: 'second', handlers: {}, cwd: there });
        expect(await textOf(hub, 'one/cwd', {}, first.id)).toBe(here);
        expect(await textOf(hub, 'one/cwd', {}, second.id)).toBe(there);
        const pid = Number(await textOf(hub, 'one/pid', {}, first.id));
        const other = Number(await textOf(hub, 'one/pid', {}, second.id));
        expect([pid === other, spawns()]).toEqual([false, 2]);

        const running = hub.tools.call({ tool: 'one/hang', host: first.id });
        const ended = running.catch((error: unknown) => error);
        await textOf(hub, 'one/echo', { message: 'busy' }, first.id);
        await first.close();
        await first.close();
        expect(await ended).toBeInstanceOf(PlugError);
        expect(await ended).toMatchObject({ code: 'unavailable' });
        expect([isAlive(pid), isAlive(other)]).toEqual([false, true]);
        await expect(textOf(hub, 'one/pid', {}, first.id)).rejects.toMatchObject({ code: 'not_found' });
        expect(Number(await textOf(hub, 'one/pid', {}, second.id))).toBe(other);
        await second.close();
        expect(isAlive(other)).toBe(false);
        expect(spawns()).toBe(2);
      });
    },
    SLOW,
  );
}

verifies(
  ['C12', 'attack:D7'],
  'closing the hub while servers start, crash and stop leaves nothing behind and starts nothing more',
  async () => {
    await withHub({ limits: { restartBackoffBaseMs: 300 } }, async ({ hub, folder, spawns }) => {
      await hub.servers.apply({
        definitions: [
          local('hangs', 'hangs-in-handshake'),
          local('crashed', 'legacy'),
          local('stubborn', 'ignores-stop', { file: `${folder}/stubborn` }),
          local('late', 'late-start', { ms: 1_000 }),
        ],
      });
      await textOf(hub, 'crashed/pid');
      await textOf(hub, 'stubborn/pid');
      await expect(textOf(hub, 'crashed/crash')).rejects.toMatchObject({ code: 'crashed' });
      await hub.servers.ensureStarted({ ids: ['hangs', 'late'] });
      const stopping = hub.servers.stop({ id: 'stubborn' });
      const waiting = textOf(hub, 'late/echo', { message: 'never' }).catch((error: unknown) => error);
      await hub.close();
      const after = spawns();
      expect(await waiting).toMatchObject({ code: 'unavailable' });
      await stopping;
      const stubborn = Number(readFileSync(`${folder}/stubborn`, 'utf8'));
      expect(isAlive(stubborn)).toBe(false);
      await expect(textOf(hub, 'crashed/pid')).rejects.toMatchObject({ code: 'unavailable' });
      await new Promise((resolve) => setTimeout(resolve, 700));
      expect(spawns()).toBe(after);
    });
  },
  SLOW,
);

verifies(
  ['C12', 'attack:D9'],
  'killing the hub with SIGKILL leaves no process of its servers, however they resist',
  async () => {
    const folder = temporaryFolder();
    const file = `${folder}/pids`;
    const { command, args } = stdioFixture('grandchild', { file, setsid: true });
    const program = fileURLToPath(new URL('hub-program.ts', import.meta.url));
    const child = spawn(process.execPath, [program, folder, command, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    try {
      await once(createInterface({ input: child.stdout }), 'line');
      const pids = readFileSync(file, 'utf8').trim().split('\n').map(Number);
      expect(pids.map(isAlive)).toEqual([true, true]);
      child.kill('SIGKILL');
      await exited;
      await waitFor(() => !pids.some(isAlive), 10_000);
      expect(pids.map(isAlive)).toEqual([false, false]);
    } finally {
      child.kill('SIGKILL');
    }
  },
  SLOW,
);
