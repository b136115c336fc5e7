import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { openClientFiles } from '../../src/editors/client-files.ts';
import type { ClientFiles } from '../../src/hub/client-files.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub, type HubOptions } from '../../src/hub/open-hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { defined, tool } from './page-fixture.ts';

const KEY = 'canary-7f3a9b2c5d8e1f40';
const files = openClientFiles({ command: 'plug', args: ['gateway'] });

interface World {
  readonly hub: Hub;
  readonly data: string;
}

async function open(data: string, more: Partial<HubOptions> = {}): Promise<World> {
  const hub = await openHub({
    paths: { config: data, data, state: data },
    cwd: data,
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    openClientFiles: () => Promise.resolve(files),
    ...more,
  });
  onTestFinished(() => hub.close());
  return { hub, data };
}

/** A home of its own: hubs look for other clients' files there. */
function ownHome(): string {
  const home = temporaryFolder();
  vi.stubEnv('HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  return home;
}

function withKey(id: string, key = KEY) {
  const made = defined(id, { tools: [tool('look')] });
  if (made.endpoint.kind !== 'stdio') throw new Error('it is local');
  return { ...made, endpoint: { ...made.endpoint, env: { API_KEY: key } } };
}

const ids = async (hub: Hub): Promise<readonly string[]> =>
  (await hub.servers.list()).servers.map(({ id }) => id);
const envOf = async (hub: Hub, id: string): Promise<unknown> => {
  const { endpoint } = await hub.servers.definition({ id });
  return endpoint.kind === 'stdio' ? endpoint.env : undefined;
};
const kinds = async (hub: Hub): Promise<readonly string[]> =>
  (await hub.changes.list()).map(({ kind }) => kind);

verifies(
  ['S20'],
  'each change of definitions is undone in turn, with its keys, which are in no file in the clear',
  async () => {
    const { hub, data } = await open(temporaryFolder());
    await hub.servers.add({ definition: withKey('notes') });
    const references = await envOf(hub, 'notes');
    await hub.servers.trust({ id: 'notes' });
    await hub.servers.add({ definition: withKey('notes', `${KEY}-2`), replace: true });
    await hub.servers.disable({ id: 'notes' });
    await hub.servers.remove({ id: 'notes' });
    expect(await kinds(hub)).toEqual(['remove', 'disable', 'replace', 'add']);
    expect(await hub.secrets.list()).toEqual([]);
    for (const name of readdirSync(data).filter((each) => each.startsWith('plugboard.db'))) {
      expect(readFileSync(join(data, name)).includes(KEY)).toBe(false);
    }

    const shown = await hub.changes.undo({ dryRun: true });
    expect(shown).toMatchObject({ done: false, change: { kind: 'remove' } });
    expect(await ids(hub)).toEqual([]);
    const undone = await hub.changes.undo();
    expect(undone).toMatchObject({ done: true, servers: [{ id: 'notes', outcome: 'restored' }] });
    expect([await ids(hub), await envOf(hub, 'notes')]).toEqual([['notes'], references]);
    expect(await hub.secrets.list()).toEqual(['notes/API_KEY']);
    expect((await hub.servers.get({ id: 'notes' })).enabled).toBe(false);
    expect(await hub.changes.undo()).toMatchObject({ change: { kind: 'disable' } });
    const { enabled, trust } = await hub.servers.get({ id: 'notes' });
    expect({ enabled, trust }).toEqual({ enabled: true, trust: 'kept' });
    expect(await hub.changes.undo()).toMatchObject({ change: { kind: 'replace' }, todo: [] });
    // It still starts, with the first key.
    expect((await hub.servers.restart({ id: 'notes' })).state.kind).toBe('ready');
    expect(await hub.changes.undo()).toMatchObject({ servers: [{ outcome: 'removed' }], left: 0 });
    expect([await ids(hub), await hub.secrets.list()]).toEqual([[], []]);
    expect(await hub.changes.undo()).toEqual({ done: false, files: [], servers: [], todo: [], left: 0 });
  },
  60_000,
);

verifies(
  ['S20'],
  'what changes nothing is no change, and a failed addition leaves none',
  async () => {
    const { hub } = await open(temporaryFolder());
    await expect(hub.servers.add({ definition: defined('bad', { refuses: true }) })).rejects.toMatchObject({
      server: 'bad',
    });
    await hub.servers.add({ definition: withKey('notes') });
    await hub.servers.enable({ id: 'notes' });
    await hub.servers.disable({ id: 'notes' });
    await hub.servers.disable({ id: 'notes' });
    expect(await kinds(hub)).toEqual(['disable', 'enable', 'add']);
  },
  60_000,
);

verifies(
  ['S20'],
  'a key that was set since stays, and a change that was not the last one shown is not undone',
  async () => {
    const { hub } = await open(temporaryFolder());
    await hub.servers.add({ definition: withKey('notes') });
    const [shown] = await hub.changes.list();
    await hub.servers.disable({ id: 'notes' });
    await expect(hub.changes.undo({ change: shown?.id ?? '' })).rejects.toMatchObject({ code: 'denied' });
    await hub.changes.undo();
    await hub.servers.add({ definition: withKey('notes', `${KEY}-2`), replace: true });
    await hub.secrets.set({ name: 'notes/API_KEY', value: `${KEY}-3` });
    expect(await hub.changes.undo()).toMatchObject({ todo: [expect.stringContaining('notes/API_KEY')] });
    expect(await hub.secrets.list()).toEqual(['notes/API_KEY']);
  },
  60_000,
);

verifies(
  ['S20', 'V1'],
  'clear forgets what was kept: keys of a removed server cannot come back',
  async () => {
    const { hub } = await open(temporaryFolder());
    await hub.servers.add({ definition: withKey('notes') });
    await hub.servers.remove({ id: 'notes' });
    expect(await hub.changes.clear()).toEqual({ forgotten: 2 });
    expect(await hub.changes.list()).toEqual([]);
    expect(await hub.changes.undo()).toMatchObject({ done: false });
  },
  60_000,
);

verifies(
  ['S12', 'S20'],
  'disconnecting a client deletes the folders that connecting it made, and none that was there before',
  async () => {
    for (const had of [true, false]) {
      const home = ownHome();
      if (had) mkdirSync(join(home, '.cursor'));
      const { hub } = await open(temporaryFolder());
      await hub.clients.connect({ client: 'cursor' });
      expect(await hub.clients.disconnect({ client: 'cursor' })).toMatchObject({ changed: true });
      expect(readdirSync(home)).toEqual(had ? ['.cursor'] : []);
    }
  },
);

verifies(
  ['S20'],
  'a hub that died between any two steps of a connect leaves a change that the next hub undoes',
  async () => {
    const text = '{\n  "mcpServers": { "a": { "command": "a" } }\n}\n';
    for (const died of ['noted', 'written'] as const) {
      const home = ownHome();
      const file = join(home, '.cursor', 'mcp.json');
      mkdirSync(join(home, '.cursor'));
      writeFileSync(file, text);
      let reached = false;
      const forever = new Promise<never>(() => undefined);
      const dying: ClientFiles = {
        ...files,
        connect: async (client, gateway, options) => {
          if (!options.journal) return await files.connect(client, gateway, options);
          const { journal } = options;
          const note: typeof journal.note = async (each) => {
            await journal.note(each);
            if (died === 'noted') {
              reached = true;
              await forever;
            }
          };
          const edit = await files.connect(client, gateway, {
            ...options,
            journal: { ...journal, note, foldersMadeFor: (path) => journal.foldersMadeFor(path) },
          });
          reached = true;
          return died === 'written' ? await forever : edit;
        },
      };
      const data = temporaryFolder();
      const first = await open(data, { openClientFiles: () => Promise.resolve(dying) });
      void first.hub.clients.connect({ client: 'cursor' }).catch(() => undefined);
      await waitFor(() => Promise.resolve(reached));
      expect(readFileSync(file, 'utf8') === text).toBe(died === 'noted');
      await expect(first.hub.changes.undo()).rejects.toMatchObject({ code: 'unavailable' });
      // As the disk is when the first hub is killed now.
      const left = temporaryFolder();
      cpSync(data, left, { recursive: true });
      const { hub } = await open(left);
      expect(await hub.changes.list()).toMatchObject([{ kind: 'connect', unfinished: true }]);
      expect(await hub.changes.undo()).toMatchObject({ done: died === 'written' });
      expect(readFileSync(file, 'utf8')).toBe(text);
      expect(readdirSync(join(home, '.cursor'))).toEqual(['mcp.json']);
      expect(await hub.changes.list()).toEqual([]);
    }
  },
  60_000,
);

verifies(
  ['S20', 'G7'],
  'undoing a connection by address revokes its token; undoing a disconnection makes the old one work again',
  async () => {
    const home = ownHome();
    mkdirSync(join(home, '.cursor'));
    const file = join(home, '.cursor', 'mcp.json');
    const { hub } = await open(temporaryFolder());
    const url = 'http://127.0.0.1:1/mcp';
    const edit = await hub.clients.connect({ client: 'cursor', url });
    expect(JSON.stringify(edit)).not.toMatch(/plughost_\w/);
    expect(readFileSync(file, 'utf8')).toMatch(/plughost_\w/);
    await hub.clients.disconnect({ client: 'cursor' });
    expect(await hub.hosts.list()).toEqual([]);
    await hub.changes.undo();
    expect(await hub.hosts.list()).toMatchObject([{ name: 'cursor' }]);
    await hub.changes.undo();
    expect(await hub.hosts.list()).toEqual([]);
    expect(existsSync(file)).toBe(false);
  },
  60_000,
);
