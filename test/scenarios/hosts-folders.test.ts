import { basename } from 'node:path';
import { expect } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { published, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { curious, told } from './hosts-world.ts';
import { local, textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C12'],
  'a server whose folder matters runs once in each folder that hosts work in, shared by those who work there',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      const given = local('dot', 'legacy');
      const args = given.endpoint.kind === 'stdio' ? given.endpoint.args : [];
      const named = local('named', 'modern');
      await hub.servers.apply({
        definitions: [
          { ...given, endpoint: { ...given.endpoint, args: [...args, '.'] } as typeof given.endpoint },
          {
            ...named,
            endpoint: { ...named.endpoint, env: { WHERE: '${workspaceFolder}/x' } } as typeof named.endpoint,
          },
          local('plain', 'legacy', { page: 7 }),
        ],
      });
      const [here, there] = [temporaryFolder(), temporaryFolder()];
      const attach = async (cwd: string): Promise<string> =>
        (await hub.hosts.attach({ name: 'editor', handlers: {}, cwd })).id;
      const [one, two, three] = [await attach(here), await attach(here), await attach(there)];
      for (const id of ['dot', 'named']) {
        const before = spawns();
        const pids = [];
        for (const host of [one, two, three]) pids.push(await textOf(hub, `${id}/pid`, {}, host));
        expect(pids[0]).toBe(pids[1]);
        expect(pids[2]).not.toBe(pids[0]);
        expect(await textOf(hub, `${id}/cwd`, {}, two)).toBe(here);
        expect(await textOf(hub, `${id}/cwd`, {}, three)).toBe(there);
        expect(spawns()).toBe(before + 2);
      }
      expect(JSON.parse(await textOf(hub, 'named/env', {}, three))).toMatchObject({ WHERE: `${there}/x` });
      expect(await textOf(hub, 'plain/pid', {}, one)).toBe(await textOf(hub, 'plain/pid', {}, three));
      expect(spawns()).toBe(5);
    });
  },
  SLOW,
);

const names = async (hub: Hub): Promise<readonly string[]> =>
  (await hub.tools.list()).tools.map(({ name }) => name);

verifies(
  ['C12', 'C10'],
  'a server that looks different from another folder keeps its tools, approved as they are, and no list flaps',
  async () => {
    await withHub({ limits: { listRefreshMinMs: 50 } }, async ({ hub, seen }) => {
      await hub.servers.apply({ definitions: [curious('one', { folder: 1 }, { sharing: 'per-host' })] });
      const [here, there] = [temporaryFolder(), temporaryFolder()];
      const first = await hub.hosts.attach({ name: 'editor', handlers: {}, cwd: here });
      await told(hub, 'one/level', { host: first.id });
      await hub.servers.trust({ id: 'one' });
      const before = await names(hub);
      expect(before).toContain(`only-in-${basename(here)}`);
      const changesTold = (): number => seen.filter(({ kind }) => kind === 'manifest-change').length;
      const changes = changesTold();

      const second = await hub.hosts.attach({ name: 'editor', handlers: {}, cwd: there });
      expect(await told(hub, 'one/roots', { host: second.id })).toEqual([]);
      expect(await names(hub)).toEqual(before);
      expect((await hub.tools.list()).withheld).toEqual([]);
      expect(await told(hub, 'one/roots')).toEqual([]);
      expect([await names(hub), changesTold()]).toEqual([before, changes]);

      // What changes while a connection lives is the server's doing, wherever it is seen from.
      await told(hub, 'one/add', { host: second.id });
      await waitFor(async () => (await names(hub)).includes('added'));
      expect(await names(hub)).toEqual([...before, 'added']);
      expect((await hub.tools.list()).withheld).toEqual([]);
    });
  },
  SLOW,
);

verifies(
  ['C12'],
  'ten hosts on three servers that can be shared make three processes',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      const memory = published('memory');
      const endpoint = {
        kind: 'stdio',
        ...memory,
        env: { MEMORY_FILE_PATH: `${temporaryFolder()}/m` },
      } as const;
      await hub.servers.apply({
        definitions: [
          curious('old'),
          curious('new', { era: 'modern' }),
          defineServer({ id: 'memory', endpoint }),
        ],
      });
      const hosts = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          hub.hosts.attach({ name: `host ${at}`, handlers: {}, cwd: temporaryFolder() }),
        ),
      );
      const asked = hosts.flatMap(({ id }) => [
        told(hub, 'old/level', { host: id }),
        told(hub, 'new/level', { host: id }),
        textOf(hub, 'memory/read_graph', {}, id),
      ]);
      expect(await Promise.all(asked)).toHaveLength(30);
      expect(spawns()).toBe(3);
    });
  },
  SLOW,
);
