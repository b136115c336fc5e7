import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { toPlugError } from '../../src/base/errors.ts';
import { publicOnly } from '../../src/connections/http/address-guard.ts';
import { openHub, type RootHub } from '../../src/hub/open-hub.ts';
import { defineServer, type Endpoint } from '../../src/servers/definition.ts';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { asOrdinaryRole } from './ordinary-role.ts';

const CANARY = 'canary-of-the-machine';
const remote = (id: string, url = 'https://mcp.example.com/'): ReturnType<typeof defineServer> =>
  defineServer({ id, endpoint: { kind: 'http', url, headers: {} }, enabled: false });
const ofTeam = remote('wiki');

let folder: string;
let storage: Storage;
let alice: RootHub;
let bob: RootHub;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-owners-'));
  const url = await asOrdinaryRole(await shared('database'));
  storage = await openStorage({ kind: 'postgres', url });
  await storage.servers.putServer('team', ofTeam);
  // What lies about on the machine is nobody's: neither a config file nor variables.
  const own = { mcpServers: { local: { command: 'true' } } };
  await writeFile(join(folder, 'mcp.json'), JSON.stringify(own));
  await writeFile(join(folder, 'key.txt'), CANARY);
  [alice, bob] = await Promise.all([hubOf('alice'), hubOf('bob')]);
});
afterAll(async () => {
  await Promise.all([alice.close(), bob.close()]);
  await storage.close();
  await rm(folder, { recursive: true, force: true });
});

function hubOf(owner: string): Promise<RootHub> {
  return openHub({
    paths: { config: folder, data: join(folder, owner), state: join(folder, owner) },
    cwd: folder,
    env: { PLUG_REMOTE_ONLY: '1', PLUG_NO_KEYRING: '1' },
    version: '0.0.0-test',
    storage,
    tenancy: {
      owner,
      guard: publicOnly,
      sharedServers: () => storage.servers.listServers('team'),
    },
  });
}

verifies(['M1'], 'what one owner has, another does not find by any id', async () => {
  await alice.servers.add({ definition: remote('bank'), test: false });
  await alice.secrets.set({ name: 'bank/key', value: 'of alice' });
  await alice.profiles.save({ name: 'work', servers: ['bank'] });
  const ids = (await bob.servers.list()).servers.map(({ id }) => id);
  expect(ids).toEqual(['wiki']);
  expect(await bob.profiles.list()).toEqual([]);
  expect(await bob.secrets.list()).toEqual([]);
  expect(await bob.accounts.list()).toEqual([]);
  const one = { id: 'bank' };
  const asks: Readonly<Record<string, () => Promise<unknown>>> = {
    'servers.get': () => bob.servers.get(one),
    'servers.definition': () => bob.servers.definition(one),
    'servers.enable': () => bob.servers.enable(one),
    'servers.start': () => bob.servers.start(one),
    'servers.logs': () => bob.servers.logs(one),
    'servers.remove': () => bob.servers.remove(one),
    'servers.trust': () => bob.servers.trust(one),
    'tools.call': () => bob.tools.call({ tool: 'bank/pay', args: {} }),
    'accounts.signIn': () => bob.accounts.signIn({ server: 'bank' }),
    'profiles.remove': () => bob.profiles.remove({ name: 'work' }),
    'grants.revoke': () => bob.grants.revoke({ id: 'grant_1' }),
    'approvals.get': () => bob.approvals.get({ id: 'approval_1' }),
    'results.page': () => bob.results.page({ id: 'result_1', page: 1 }),
  };
  for (const [name, ask] of Object.entries(asks))
    expect([name, await codeOf(ask())]).toEqual([name, 'not_found']);
  expect((await alice.servers.list()).servers.map(({ id }) => id).toSorted()).toEqual(['bank', 'wiki']);
  expect(await alice.profiles.list()).toMatchObject([{ name: 'work' }]);
});

verifies(
  ['M1'],
  'what a team shares is there for everybody, and nobody removes it for the others',
  async () => {
    expect((await alice.servers.get({ id: 'wiki' })).id).toBe('wiki');
    await codeOf(alice.servers.remove({ id: 'wiki' }));
    await bob.servers.reload();
    expect((await bob.servers.get({ id: 'wiki' })).id).toBe('wiki');
    expect(await storage.servers.listServers('team')).toEqual([ofTeam]);
  },
);

verifies(
  ['M2', 'attack:C14'],
  "an owner's server gets no file, variable, command or program of the machine",
  async () => {
    const started = async (id: string, endpoint: Endpoint): Promise<string> => {
      const definition = {
        ...defineServer({ id, endpoint }),
        source: { kind: 'manual', author: 'user' } as const,
      };
      await storage.servers.putServer('alice', definition);
      await alice.servers.reload();
      return await codeOf(alice.servers.start({ id }));
    };
    const sends = (text: string): Endpoint => ({
      kind: 'http',
      url: 'https://mcp.example.com/',
      headers: { authorization: text },
    });
    expect(await started('file', sends(`\${file:${join(folder, 'key.txt')}}`))).not.toBe('ran');
    expect(await started('command', sends('${cmd:cat key.txt}'))).not.toBe('ran');
    expect(await started('variable', sends('${PATH}'))).toBe('missing_input');
    expect(await started('program', { kind: 'stdio', command: 'true', args: [], env: {} })).toBe('denied');
    expect(await started('loopback', { kind: 'http', url: 'http://127.0.0.1:9/', headers: {} })).not.toBe(
      'ran',
    );
    const seen = JSON.stringify([await alice.servers.list(), await alice.servers.events()]);
    expect(seen).toContain('127.0.0.1 is not a public address');
    expect(seen).not.toContain(CANARY);
    expect((await alice.servers.list()).files).toEqual([]);
  },
);

function codeOf(asked: Promise<unknown>): Promise<string> {
  return asked.then(
    () => 'ran',
    (error: unknown) => toPlugError(error).code,
  );
}
