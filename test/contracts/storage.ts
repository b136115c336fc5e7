import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hashManifest, type Manifest } from '../../src/connections/manifest.ts';
import type { ServerEvent } from '../../src/connections/state.ts';
import type { ProcessRecord, Verdict } from '../../src/connections/store.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { limits } from '../../src/base/limits.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';

/** What every storage promises. Each test has an owner of its own, so that one storage serves all. */
export function storageContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let owners = 0;
    const newOwner = (): string => `owner-${(owners += 1)}`;

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(async () => {
      await storage.close();
      await storage.close();
    });

    verifies(['H2'], 'a server comes back exactly as it was put, unknown fields included', async () => {
      const owner = newOwner();
      const definition = richDefinition('rich');
      await storage.servers.putServer(owner, definition);
      const back = await storage.servers.getServer(owner, 'rich');
      // A field named “constructor” confuses the matcher, so Node's own comparison decides.
      expect(isDeepStrictEqual(back, definition)).toBe(true);
      expect(Object.keys(back?.extra ?? {})).toContain('__proto__');
      expect(JSON.stringify(back)).toBe(JSON.stringify(definition));
      expect(isDeepStrictEqual(await storage.servers.listServers(owner), [definition])).toBe(true);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    verifies(['H2'], 'what was stored cannot be changed through the object that was put or got', async () => {
      const owner = newOwner();
      const given = { ...stdio('held'), config: { region: 'eu' } };
      await storage.servers.putServer(owner, given);
      given.config.region = 'us';
      const got = await storage.servers.getServer(owner, 'held');
      Object.assign(got?.config ?? {}, { region: 'us' });
      expect((await storage.servers.getServer(owner, 'held'))?.config).toEqual({ region: 'eu' });
    });

    verifies(['H2'], 'putting a server again replaces it as a whole', async () => {
      const owner = newOwner();
      await storage.servers.putServer(owner, richDefinition('again'));
      await storage.servers.putServer(owner, stdio('again'));
      expect(await storage.servers.listServers(owner)).toStrictEqual([stdio('again')]);
    });

    verifies(['H2'], 'servers are listed in the order of their ids', async () => {
      const owner = newOwner();
      for (const id of ['b', 'a-z', 'a.z', 'a_z', 'a', '10', '9']) {
        await storage.servers.putServer(owner, stdio(id));
      }
      const ids = (await storage.servers.listServers(owner)).map((server) => server.id);
      expect(ids).toEqual(['10', '9', 'a', 'a-z', 'a.z', 'a_z', 'b']);
    });

    verifies(['H2'], 'an owner never sees or deletes what belongs to another', async () => {
      const [mine, theirs] = [newOwner(), newOwner()];
      const event = eventOf({ id: 'shared-id', server: 's', at: 1 });
      await storage.servers.putServer(theirs, stdio('s'));
      await storage.servers.putOverride(theirs, { server: 's', enabled: false });
      await storage.servers.putTrust(theirs, { file: 'f', server: 's', fingerprint: 'x', trustedAt: 1 });
      await storage.servers.putProfile(theirs, { name: 'p' });
      await storage.connections.putManifest(theirs, manifestOf('s', []));
      await storage.connections.putVerdict(theirs, verdictOf('s'));
      await storage.connections.appendEvent(theirs, event);

      const seen = await Promise.all([
        storage.servers.listServers(mine),
        storage.servers.listOverrides(mine),
        storage.servers.listTrust(mine),
        storage.servers.listProfiles(mine),
        storage.connections.listManifests(mine),
        storage.connections.listEvents(mine, { limit: 10 }),
      ]);
      expect(seen).toEqual([[], [], [], [], [], []]);
      expect(await storage.servers.getServer(mine, 's')).toBeUndefined();
      expect(await storage.connections.getManifest(mine, 's')).toBeUndefined();
      expect(await storage.connections.getVerdict(mine, 's')).toBeUndefined();

      const deleted = await Promise.all([
        storage.servers.deleteServer(mine, 's'),
        storage.servers.deleteOverride(mine, 's'),
        storage.servers.deleteTrust(mine, 'f', 's'),
        storage.servers.deleteProfile(mine, 'p'),
        storage.connections.deleteManifest(mine, 's'),
        storage.connections.deleteVerdict(mine, 's'),
      ]);
      expect(deleted).toEqual([false, false, false, false, false, false]);
      expect(await storage.connections.pruneEvents(mine, 0)).toBe(0);

      // The same id may exist once for each owner.
      await storage.connections.appendEvent(mine, event);
      expect(await storage.connections.listEvents(mine, { limit: 10 })).toEqual([event]);
      expect(await storage.connections.listEvents(theirs, { limit: 10 })).toEqual([event]);
      expect(await storage.servers.getServer(theirs, 's')).toEqual(stdio('s'));
    });

    verifies(['H2'], 'deleting says whether there was something, and twice is harmless', async () => {
      const owner = newOwner();
      const record = processOf(owner, 4242);
      await storage.servers.putServer(owner, stdio('s'));
      await storage.servers.putOverride(owner, { server: 's', enabled: true });
      await storage.servers.putTrust(owner, { file: 'f', server: 's', fingerprint: 'x', trustedAt: 1 });
      await storage.servers.putProfile(owner, { name: 'p' });
      await storage.connections.putManifest(owner, manifestOf('s', []));
      await storage.connections.putVerdict(owner, verdictOf('s'));
      await storage.connections.putProcess(record);
      const deleteAll = (): Promise<boolean[]> =>
        Promise.all([
          storage.servers.deleteServer(owner, 's'),
          storage.servers.deleteOverride(owner, 's'),
          storage.servers.deleteTrust(owner, 'f', 's'),
          storage.servers.deleteProfile(owner, 'p'),
          storage.connections.deleteManifest(owner, 's'),
          storage.connections.deleteVerdict(owner, 's'),
          storage.connections.deleteProcess(record.hub, record.pid),
        ]);
      expect(await deleteAll()).toEqual(Array.from({ length: 7 }, () => true));
      expect(await deleteAll()).toEqual(Array.from({ length: 7 }, () => false));
      expect(await storage.servers.listServers(owner)).toEqual([]);
    });

    verifies(['H2'], 'an override keeps the fields that a later one does not name', async () => {
      const owner = newOwner();
      await storage.servers.putOverride(owner, { server: 'b', enabled: false });
      await storage.servers.putOverride(owner, { server: 'b', readOnly: true });
      await storage.servers.putOverride(owner, { server: 'a' });
      expect(await storage.servers.listOverrides(owner)).toStrictEqual([
        { server: 'a' },
        { server: 'b', enabled: false, readOnly: true },
      ]);
      await storage.servers.putOverride(owner, { server: 'b', enabled: true });
      await storage.servers.putOverride(owner, { server: 'b', apps: true, recorded: false });
      expect(await storage.servers.listOverrides(owner)).toStrictEqual([
        { server: 'a' },
        { server: 'b', enabled: true, readOnly: true, recorded: false, apps: true },
      ]);
      const pinned = { registry: 'npm', name: '@acme/ü', version: '1.2.3', integrity: 'sha512-a' } as const;
      await storage.servers.putOverride(owner, { server: 'a', package: pinned });
      await storage.servers.putOverride(owner, { server: 'a', enabled: true });
      await storage.servers.putOverride(owner, { server: 'b', apps: false });
      expect(await storage.servers.listOverrides(owner)).toMatchObject([
        { enabled: true, package: pinned },
        { recorded: false, apps: false },
      ]);
    });

    verifies(['H2'], 'a later trust replaces the earlier one of the same file and server only', async () => {
      const owner = newOwner();
      const trust = { file: '/home/ü/mcp.json', server: 's', fingerprint: 'old', trustedAt: 1 };
      const long = { ...trust, file: `/${'deep/'.repeat(900)}mcp.json` };
      await storage.servers.putTrust(owner, trust);
      await storage.servers.putTrust(owner, { ...trust, server: 't' });
      await storage.servers.putTrust(owner, long);
      await storage.servers.putTrust(owner, { ...trust, fingerprint: 'new', trustedAt: 1_789_000_000_000 });
      expect(await storage.servers.listTrust(owner)).toStrictEqual([
        long,
        { ...trust, fingerprint: 'new', trustedAt: 1_789_000_000_000 },
        { ...trust, server: 't' },
      ]);
    });

    verifies(['H2'], 'a profile has any name a person gives it', async () => {
      const owner = newOwner();
      const names = ['', ' ', 'Ärger & Café', 'a\u0000b', '\ud800', '\ud801', 'sha256:x', 'x'.repeat(5000)];
      for (const name of names) await storage.servers.putProfile(owner, { name, servers: [name] });
      const back = (await storage.servers.listProfiles(owner)).map((profile) => profile.name);
      expect(back.toSorted()).toEqual(names.toSorted());
      expect(await storage.servers.deleteProfile(owner, 'a\u0000b')).toBe(true);
      expect(await storage.servers.deleteProfile(owner, '\ud801')).toBe(true);
      expect(await storage.servers.deleteProfile(owner, '\ud802')).toBe(false);
      expect(await storage.servers.listProfiles(owner)).toHaveLength(names.length - 2);
    });

    verifies(['H2'], 'asking for an impossible name finds nothing instead of failing', async () => {
      const owner = `owner\u0000${newOwner()}`;
      expect(await storage.servers.getServer(owner, 'a\u0000')).toBeUndefined();
      expect(await storage.servers.deleteOverride(owner, '\ud800')).toBe(false);
      expect(await storage.connections.listEvents(owner, { server: '\u0000', limit: 5 })).toEqual([]);
    });

    verifies(['H2'], 'a manifest is replaced as a whole and keeps what the server sent', async () => {
      const owner = newOwner();
      const odd = JSON.parse(
        '{"name":"t","__proto__":{"x":1},"note":"\\u0000\\ud800 é 😀"}',
      ) as JsonObject & {
        name: string;
      };
      await storage.connections.putManifest(owner, manifestOf('s', [{ name: 'old' }]));
      await storage.connections.putManifest(owner, manifestOf('s', [odd]));
      await storage.connections.putManifest(owner, manifestOf('a', []));
      const back = await storage.connections.getManifest(owner, 's');
      expect(back).toStrictEqual(manifestOf('s', [odd]));
      expect(JSON.stringify(back?.tools)).toBe(JSON.stringify([odd]));
      const listed = await storage.connections.listManifests(owner);
      expect(listed.map((manifest) => manifest.server)).toEqual(['a', 's']);
    });

    verifies(['H2'], 'a manifest of several megabytes comes back whole', async () => {
      const owner = newOwner();
      const tools = Array.from({ length: 4_000 }, (_, index) => ({
        name: `tool-${index}`,
        description: 'd'.repeat(1_000),
      }));
      const manifest = manifestOf('large', tools);
      await storage.connections.putManifest(owner, manifest);
      expect((await storage.connections.getManifest(owner, 'large'))?.tools).toEqual(tools);
    });

    verifies(['H2'], 'the last verdict about a server counts', async () => {
      const owner = newOwner();
      await storage.connections.putVerdict(owner, verdictOf('s'));
      await storage.connections.putVerdict(owner, { ...verdictOf('s'), era: 'modern', usesHost: true });
      expect(await storage.connections.getVerdict(owner, 's')).toStrictEqual({
        ...verdictOf('s'),
        era: 'modern',
        usesHost: true,
      });
      expect(await storage.connections.getVerdict(owner, 'other')).toBeUndefined();
    });

    verifies(['H2'], 'events come newest first, also those of one moment', async () => {
      const owner = newOwner();
      const times = [1_789_000_000_005, 1_789_000_000_001, 1_789_000_000_009, 1_789_000_000_005];
      for (const [index, at] of times.entries()) {
        await storage.connections.appendEvent(owner, eventOf({ id: `e${index}`, server: 's', at }));
      }
      const ids = (await storage.connections.listEvents(owner, { limit: 10 })).map((event) => event.id);
      expect(ids).toEqual(['e2', 'e3', 'e0', 'e1']);
    });

    verifies(['H2'], 'an event is kept as it was first written, whatever its reason holds', async () => {
      const owner = newOwner();
      const event = eventOf({ id: 'e', server: 's', at: 7, reason: 'stderr said \u0000 and \ud800' });
      await storage.connections.appendEvent(owner, event);
      await storage.connections.appendEvent(owner, { ...event, reason: 'a repeated append' });
      expect(await storage.connections.listEvents(owner, { limit: 10 })).toStrictEqual([event]);
    });

    verifies(['H2'], 'events are found by server and time, up to a limit', async () => {
      const owner = newOwner();
      for (let at = 1; at <= 6; at += 1) {
        const server = at % 2 === 0 ? 'even' : 'odd';
        await storage.connections.appendEvent(owner, eventOf({ id: `e${at}`, server, at }));
      }
      const find = async (query: { server?: string; since?: number; limit: number }): Promise<number[]> =>
        (await storage.connections.listEvents(owner, query)).map((event) => event.at);
      expect(await find({ limit: 2 })).toEqual([6, 5]);
      expect(await find({ server: 'odd', limit: 10 })).toEqual([5, 3, 1]);
      expect(await find({ since: 4, limit: 10 })).toEqual([6, 5]);
      expect(await find({ since: 3.5, limit: 10 })).toEqual([6, 5, 4]);
      expect(await find({ server: 'even', since: 2, limit: 1 })).toEqual([6]);
      expect(await find({ limit: 0 })).toEqual([]);
      expect(await find({ limit: -1 })).toEqual([]);
      expect(await find({ limit: 2.9 })).toEqual([6, 5]);
      expect(await find({ since: Number.POSITIVE_INFINITY, limit: 10 })).toEqual([]);
    });

    verifies(
      ['H2'],
      'a list of events has an end, however many are asked for',
      async () => {
        const owner = newOwner();
        const count = limits.eventsListMax + 20;
        await Promise.all(
          Array.from({ length: count }, (_, at) =>
            storage.connections.appendEvent(owner, eventOf({ id: `e${at}`, server: 's', at })),
          ),
        );
        const listed = await storage.connections.listEvents(owner, { limit: Number.POSITIVE_INFINITY });
        expect(listed).toHaveLength(limits.eventsListMax);
        expect(listed[0]?.at).toBe(count - 1);
      },
      20_000,
    );

    verifies(['H2'], 'pruning keeps the newest events of each server and says how many went', async () => {
      const [owner, other] = [newOwner(), newOwner()];
      for (let at = 1; at <= 5; at += 1) {
        await storage.connections.appendEvent(owner, eventOf({ id: `a${at}`, server: 'a', at }));
      }
      await storage.connections.appendEvent(owner, eventOf({ id: 'b1', server: 'b', at: 1 }));
      await storage.connections.appendEvent(other, eventOf({ id: 'a1', server: 'a', at: 1 }));
      expect(await storage.connections.pruneEvents(owner, 2)).toBe(3);
      expect(await storage.connections.pruneEvents(owner, 2)).toBe(0);
      const left = (await storage.connections.listEvents(owner, { limit: 10 })).map((event) => event.id);
      expect(left).toEqual(['a5', 'a4', 'b1']);
      expect(await storage.connections.pruneEvents(owner, 0)).toBe(3);
      expect(await storage.connections.listEvents(other, { limit: 10 })).toHaveLength(1);
    });

    verifies(
      ['H2'],
      'processes are known by hub and pid, and a recycled pid replaces the old one',
      async () => {
        const hub = `hub-${newOwner()}`;
        const ours = async (): Promise<ProcessRecord[]> =>
          (await storage.connections.listProcesses()).filter((record) => record.hub.startsWith(hub));
        await storage.connections.putProcess(processOf(hub, 4_194_304));
        await storage.connections.putProcess(processOf(`${hub}-b`, 4_194_304));
        await storage.connections.putProcess({
          ...processOf(hub, 4_194_304),
          startTime: '99999999999999999999',
        });
        expect(await ours()).toStrictEqual([
          { ...processOf(hub, 4_194_304), startTime: '99999999999999999999' },
          processOf(`${hub}-b`, 4_194_304),
        ]);
        expect(await storage.connections.deleteProcess(hub, 1)).toBe(false);
        expect(await storage.connections.deleteProcess(hub, 4_194_304)).toBe(true);
        expect(await ours()).toEqual([processOf(`${hub}-b`, 4_194_304)]);
      },
    );

    verifies(
      ['H2'],
      'writes at the same time all count',
      async () => {
        const owner = newOwner();
        const numbers = Array.from({ length: 100 }, (_, index) => index);
        await Promise.all([
          ...numbers.map((number) => storage.servers.putServer(owner, stdio(`s${number}`))),
          ...numbers.map((number) =>
            storage.servers.putOverride(owner, {
              server: 'one',
              ...(number % 2 === 0 ? { enabled: true } : { readOnly: false }),
            }),
          ),
          ...numbers.map((at) =>
            storage.connections.appendEvent(owner, eventOf({ id: `e${at}`, server: 's', at })),
          ),
          ...numbers.map(() => storage.connections.putVerdict(owner, verdictOf('s'))),
        ]);
        expect(await storage.servers.listServers(owner)).toHaveLength(100);
        expect(await storage.servers.listOverrides(owner)).toEqual([
          { server: 'one', enabled: true, readOnly: false },
        ]);
        expect(await storage.connections.listEvents(owner, { limit: 200 })).toHaveLength(100);
        expect(await storage.connections.getVerdict(owner, 's')).toEqual(verdictOf('s'));
      },
      20_000,
    );
  });
}

function stdio(id: string): ServerDefinition {
  return defineServer({ id, endpoint: { kind: 'stdio', command: 'npx', args: ['-y', id], env: {} } });
}

function richDefinition(id: string): ServerDefinition {
  const extra = JSON.parse(
    `{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":null,"":"empty key",
      "z":1,"a":[1.5,-0.25,1e21,true,null,{"deep":{"deeper":["ü","😀","\\u0000","\\ud800"]}}],
      "hasOwnProperty":"x","long":"${'l'.repeat(100_000)}"}`,
  ) as JsonObject;
  return defineServer({
    id,
    name: 'A “rich” server — with 引用',
    endpoint: {
      kind: 'http',
      url: 'https://example.test/mcp?q=%20&x=${input:x}',
      headers: { Authorization: 'Bearer ${vault:token}', __proto__x: 'y' },
    },
    auth: 'oauth',
    enabled: false,
    source: { kind: 'file', file: '/home/me/a b/mcp.json', scope: 'project' },
    package: { registry: 'npm', name: '@scope/pkg', version: '1.2.3', runtimeHint: 'npx' },
    config: { x: ['a', 1, false, null, { y: {} }] },
    timeouts: { startMs: 1, callMs: 2, idleMs: 3, toolMs: { 'a/b': 4 } },
    tools: { allow: ['read_*'], deny: [] },
    readOnly: true,
    keepAlive: true,
    sharing: 'per-host',
    extra,
  });
}

function manifestOf(server: string, tools: Manifest['tools']): Manifest {
  const offered: Omit<Manifest, 'hash' | 'fetchedAt'> = {
    server,
    fingerprint: 'f'.repeat(64),
    era: 'legacy',
    protocolVersion: '2025-11-25',
    serverInfo: { name: server, version: '1', icons: [{ src: 'data:' }] },
    capabilities: { tools: { listChanged: true } },
    tools,
    resources: [],
    resourceTemplates: [],
    prompts: [],
    problems: ['Two tools have the same name.'],
  };
  return { ...offered, fetchedAt: 1_789_000_000_123, hash: hashManifest(offered) };
}

function verdictOf(server: string): Verdict {
  return {
    server,
    fingerprint: 'f',
    era: 'legacy',
    transport: 'stdio',
    usesHost: false,
    decidedAt: 1_789_000_000_000,
  };
}

function eventOf(given: Pick<ServerEvent, 'id' | 'server' | 'at'> & Partial<ServerEvent>): ServerEvent {
  return { kind: 'CONNECTED', by: 'SYSTEM', reason: 'It answered.', state: 'ready', ...given };
}

function processOf(hub: string, pid: number): ProcessRecord {
  return { hub, server: 's', pid, startTime: '123', marker: 'm' };
}
