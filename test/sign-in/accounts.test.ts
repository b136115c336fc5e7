import { expect } from 'vitest';
import { openCore } from '../../src/hub/core.ts';
import { verifies } from '../requirements.ts';
import { stdioFixture } from '../servers/start.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { scratchFolder } from './scratch-folder.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';
import { startTwin } from './twin.ts';

const SLOW = 40_000;

verifies(
  ['V8'],
  'two accounts at one server: each call goes out as the one it names, else as the default',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub, { server: 'site', account: 'home' });
    await as.post('/_person?name=bob');
    expect((await signIn(hub, { server: 'site', account: 'work' })).account).toMatchObject({
      account: 'work',
      displayName: '@bob',
      isDefault: false,
    });
    const callers = async (...accounts: (string | undefined)[]): Promise<readonly string[]> => {
      const before = (await server.seen()).length;
      for (const account of accounts) await callTool(hub, 'site/echo', { message: 'x' }, account);
      const seen = (await server.seen()).slice(before).filter(({ method }) => method === 'tools/call');
      return seen.map(({ subject }) => subject);
    };
    expect(await callers(undefined, 'work', 'home', undefined)).toEqual(['alice', 'bob', 'alice', 'alice']);
    await Promise.all(
      ['work', 'home', 'work'].map((account) => callTool(hub, 'site/echo', { message: account }, account)),
    );
    // One connection for each account, however it is named.
    expect((await hub.status()).live).toBe(2);
    await expect(callTool(hub, 'site/echo', { message: 'x' }, 'nobody')).rejects.toMatchObject({
      code: 'not_found',
      next: 'plug auth site --account nobody',
    });
    await hub.accounts.setDefault({ server: 'site', account: 'work' });
    expect(await callers(undefined, 'home')).toEqual(['bob', 'alice']);
    // The default goes: the one that is left takes its place.
    await hub.accounts.signOut({ server: 'site', account: 'work' });
    expect(await callers(undefined)).toEqual(['alice']);
    expect(await hub.accounts.list()).toMatchObject([{ account: 'home', isDefault: true, signedIn: true }]);
  },
  SLOW,
);

verifies(
  ['V8', 'C12', 'attack:F16'],
  'two names for one address have their own accounts and connections',
  async () => {
    await using twin = await startTwin();
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await hub.servers.add({ definition: remoteServer(twin.url, { id: 'other' }), test: false });
    await signIn(hub);
    expect(await callTool(hub, 'site/echo', { message: 'in' })).toBe('in');
    const before = twin.requests.length;
    await expect(callTool(hub, 'other/echo', { message: 'x' })).rejects.toMatchObject({
      code: 'sign_in_needed',
    });
    const sent = twin.requests.slice(before).filter(({ path }) => path === '/mcp');
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  },
  SLOW,
);

verifies(
  ['V4'],
  'one call answers the credentials of an account, ready to use, whatever their kind',
  async () => {
    using folder = scratchFolder();
    await using twin = await startTwin();
    let ahead = 0;
    const clock = clockAhead(() => ahead);
    {
      await using hub = await openTestHub({ folder: folder.path, clock });
      await hub.servers.add({ definition: remoteServer(twin.url), test: false });
      await signIn(hub);
      await hub.secrets.set({ name: 'keyed/key', value: 'the key' });
      await hub.secrets.set({ name: 'local/key', value: 'the other key' });
    }
    const core = await openCore({
      paths: { config: folder.path, data: folder.path, state: folder.path },
      cwd: folder.path,
      env: { PLUG_NO_KEYRING: '1', PLUG_MASTER_KEY: Buffer.alloc(32, 7).toString('base64') },
      version: '0.1.0',
      clock,
    });
    try {
      // Its token has expired meanwhile: it is renewed on the way.
      ahead = 4_000_000;
      const oauth = await core.signIn.credentials(remoteServer(twin.url));
      const fresh = String(oauth.headers['authorization']?.reveal());
      expect(fresh).toMatch(/^Bearer twin-\d+$/);
      expect(twin.to('/token').at(-1)?.form.get('grant_type')).toBe('refresh_token');
      expect(JSON.stringify(oauth)).not.toContain('twin-');
      const again = await core.signIn.credentials(remoteServer(twin.url));
      expect(again.headers['authorization']?.reveal()).toBe(fresh);

      const headers = { 'X-Api-Key': '${vault:keyed/key}' };
      const keyed = defineServer({
        id: 'keyed',
        endpoint: { kind: 'http', url: twin.url, headers },
      });
      const header = await core.signIn.credentials(keyed);
      expect(header.headers['X-Api-Key']?.reveal()).toBe('the key');
      expect(header.headers['authorization']).toBeUndefined();

      const { command, args } = stdioFixture('modern');
      const env = { API_KEY: '${vault:local/key}' };
      const local = defineServer({ id: 'local', endpoint: { kind: 'stdio', command, args, env } });
      expect((await core.signIn.credentials(local)).env['API_KEY']?.reveal()).toBe('the other key');
    } finally {
      await core[Symbol.asyncDispose]();
    }
  },
  SLOW,
);

verifies(
  ['V8'],
  'a server whose address lacks an input does not hide the accounts of the others',
  async () => {
    await using twin = await startTwin();
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    const endpoint = { kind: 'http', url: `${twin.url}?team=\${input:team}`, headers: {} } as const;
    const config = { team: 'blue' };
    await hub.servers.add({
      definition: remoteServer(twin.url, { id: 'teams', endpoint, config }),
      test: false,
    });
    await signIn(hub);
    await signIn(hub, { server: 'teams' });
    expect(await callTool(hub, 'teams/echo', { message: 'in' })).toBe('in');
    const gone = remoteServer(twin.url, { id: 'teams', endpoint });
    await hub.servers.add({ definition: gone, test: false, replace: true });
    expect(await hub.accounts.list()).toMatchObject([
      { server: 'site', signedIn: true },
      { server: 'teams', signedIn: false },
    ]);
    await hub.accounts.signOut({ server: 'teams' });
    expect(await hub.accounts.list()).toMatchObject([{ server: 'site' }]);
  },
  SLOW,
);
