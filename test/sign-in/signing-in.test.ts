import { expect } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import type { SignInProgress } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { browse } from './browser.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { freePort } from './free-port.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';
import { startTwin } from './twin.ts';

const SLOW = 40_000;

verifies(
  ['O1', 'O4'],
  'a person signs in once, is greeted by name, and calls work from then on',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({
      code: 'sign_in_needed',
      owner: 'you',
      next: 'plug auth site',
    });
    expect((await hub.servers.get({ id: 'site' })).state).toMatchObject({ kind: 'needs-sign-in' });
    const { account, opened } = await signIn(hub);
    expect(account).toMatchObject({
      server: 'site',
      account: 'default',
      displayName: '@alice',
      isDefault: true,
      signedIn: true,
      issuer: as.url,
    });
    expect(opened).toHaveLength(1);
    expect((await hub.servers.get({ id: 'site' })).state.kind).toBe('ready');
    for (let call = 0; call < 3; call += 1) {
      expect(await callTool(hub, 'site/echo', { message: `${call}` })).toBe(`${call}`);
    }
    const { tokens, authorizations, registrations } = await as.stats();
    expect(tokens).toEqual([{ grant: 'authorization_code', resource: server.url, status: 200 }]);
    expect(registrations).toBe(1);
    expect(authorizations[0]).toMatchObject({ code_challenge_method: 'S256', resource: server.url });
    const calls = (await server.seen()).filter(({ method }) => method === 'tools/call');
    expect(calls.map(({ subject, query }) => `${subject}${query}`)).toEqual(['alice', 'alice', 'alice']);
  },
  SLOW,
);

verifies(
  ['O2'],
  'who has no browser here opens the address elsewhere and pastes where it ended',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    const asked = Promise.withResolvers<SignInProgress>();
    const signedIn = hub.accounts.signIn({ server: 'site' }, { onProgress: asked.resolve });
    const { id, address } = await asked.promise;
    // The browser of another machine cannot reach the callback; its address bar shows it.
    const ended = await browse(address, { stopAt: '/callback' });
    await hub.accounts.answer({ id, address: ` ${ended.href}\n` });
    expect((await signedIn).signedIn).toBe(true);
    expect(await callTool(hub, 'site/echo', { message: 'far away' })).toBe('far away');
    await expect(hub.accounts.answer({ id, address: ended.href })).rejects.toMatchObject({
      code: 'not_found',
    });
  },
  SLOW,
);

verifies(
  ['O2'],
  'what is pasted must be the address, and belong to this sign-in',
  async () => {
    await using twin = await startTwin();
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    for (const [address, code] of [
      ['the code is 1234', 'usage'],
      ['http://127.0.0.1:1/callback?code=x&state=other', 'denied'],
    ] as const) {
      const tried = hub.accounts.signIn(
        { server: 'site' },
        { onProgress: ({ id }) => void hub.accounts.answer({ id, address }) },
      );
      await expect(tried).rejects.toMatchObject({ code, server: 'site', next: 'plug auth site' });
    }
    expect(twin.to('/token')).toEqual([]);
  },
  SLOW,
);

verifies(
  ['O3'],
  'a token is renewed before it expires, so that no call ever meets a refusal',
  async () => {
    let ahead = 0;
    await using as = await startAuthorizationServer({ ttl: 600 });
    await using server = await startProtectedServer({ issuer: as.url });
    await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub);
    const before = await server.seen();
    ahead = 530_000;
    await callTool(hub, 'site/echo', { message: 'still good' });
    expect(await as.grants('refresh_token')).toEqual({ good: 0, bad: 0 });
    ahead = 545_000;
    await Promise.all(Array.from({ length: 5 }, () => callTool(hub, 'site/echo', { message: 'soon over' })));
    expect(await as.grants('refresh_token')).toEqual({ good: 1, bad: 0 });
    const seen = (await server.seen()).slice(before.length);
    expect(seen.map(({ subject }) => subject)).not.toContain('');
  },
  SLOW,
);

verifies(
  ['O4'],
  'a tool that wants more rights gets them in one more visit, on top of the ones before',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url, step: 'echo:files', scopes: 'tools' });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub);
    expect(await callTool(hub, 'site/add', { a: 1, b: 2 })).toBe('3');
    await expect(callTool(hub, 'site/echo', { message: 'x' })).rejects.toMatchObject({
      code: 'sign_in_needed',
      details: { httpStatus: 403, scope: 'files' },
    });
    const { account } = await signIn(hub);
    expect(account.scope?.split(' ').toSorted()).toEqual(['files', 'tools']);
    expect(await callTool(hub, 'site/echo', { message: 'x' })).toBe('x');
    const scopes = (await as.stats()).authorizations.map(({ scope }) => scope?.split(' ').toSorted());
    expect(scopes.at(-1)).toEqual(expect.arrayContaining(['files', 'tools']));
  },
  SLOW,
);

verifies(
  ['O4', 'attack:F14'],
  'a server that is never content with the rights it was given is believed after three visits',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url, step: 'echo:files', never: 1 });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub);
    const first = (await as.stats()).authorizations.length;
    let visits = 0;
    let last: unknown;
    for (let round = 0; round < 10; round += 1) {
      last = await callTool(hub, 'site/echo', { message: 'x' }).catch((error: unknown) => error);
      if (!(last instanceof PlugError) || last.code !== 'sign_in_needed') break;
      visits += (await signIn(hub)).opened.length;
    }
    expect(last).toMatchObject({ code: 'denied', owner: 'server', server: 'site' });
    expect(visits).toBe(3);
    await expect(signIn(hub)).rejects.toMatchObject({ code: 'denied' });
    const own = (await as.stats()).authorizations.slice(first).filter(({ prompt }) => prompt !== 'none');
    expect(new Set(own.map(({ state }) => state)).size).toBe(3);
    // What needs no such right goes on.
    expect(await callTool(hub, 'site/add', { a: 1, b: 1 })).toBe('2');
  },
  SLOW,
);

verifies(
  ['O4'],
  'signing out forgets the tokens here and ends them there; signing in again may be somebody else',
  async () => {
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(server.url), test: false });
    await signIn(hub);
    await hub.accounts.signOut({ server: 'site' });
    expect((await as.stats()).revocations).toBe(1);
    expect(await hub.accounts.list()).toEqual([]);
    const before = (await server.seen()).length;
    await expect(callTool(hub, 'site/echo', { message: 'x' })).rejects.toMatchObject({
      code: 'sign_in_needed',
    });
    expect((await server.seen()).slice(before).filter(({ subject }) => subject !== '')).toEqual([]);
    await expect(hub.accounts.signOut({ server: 'site' })).rejects.toMatchObject({ code: 'not_found' });
    await as.post('/_person?name=bob');
    expect((await signIn(hub)).account).toMatchObject({ account: 'default', displayName: '@bob' });
    // Without signing out first: the newest word counts.
    await as.post('/_person?name=carol');
    expect((await signIn(hub)).account).toMatchObject({ account: 'default', displayName: '@carol' });
    await callTool(hub, 'site/echo', { message: 'x' });
    expect((await server.seen()).at(-1)).toMatchObject({ method: 'tools/call', subject: 'carol' });
  },
  SLOW,
);

verifies(
  ['O4'],
  'a name comes from the userinfo endpoint where there is no ID token, and cannot redraw the screen',
  async () => {
    await using twin = await startTwin({
      metadata: (honest) => ({ ...honest, userinfo_endpoint: `${String(honest['issuer'])}/userinfo` }),
      userinfo: { name: '\u001b[2JNick \u202egnp', email: '' },
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    expect((await signIn(hub)).account.displayName).toBe('[2JNick gnp');
    expect(twin.to('/userinfo').map(({ authorization }) => authorization)).toEqual([
      expect.stringMatching(/^Bearer twin-/),
    ]);
  },
);

verifies(
  ['O4'],
  'a userinfo endpoint elsewhere is not shown the token',
  async () => {
    await using trap = await startTwin();
    await using twin = await startTwin({
      metadata: (honest) => ({ ...honest, userinfo_endpoint: `${trap.origin}/userinfo` }),
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    expect((await signIn(hub)).account.signedIn).toBe(true);
    expect(trap.requests).toEqual([]);
  },
  SLOW,
);

verifies(
  ['O1'],
  'a server that registers nobody says what to register where',
  async () => {
    await using twin = await startTwin({
      metadata: ({ registration_endpoint: _none, ...honest }) => honest,
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await expect(signIn(hub)).rejects.toMatchObject({
      code: 'sign_in_needed',
      next: 'plug auth site --client-id ID',
      message: expect.stringContaining('http://127.0.0.1:'),
      details: { issuer: twin.origin },
    });
    const callbackPort = await freePort();
    const request = { server: 'site', clientId: 'mine', clientSecret: 'kept', callbackPort };
    const { account } = await signIn(hub, request);
    expect(account.signedIn).toBe(true);
    expect(twin.to('/token')[0]?.form.get('client_id')).toBe('mine');
  },
  SLOW,
);

verifies(
  ['O1'],
  'our own document is our name where the server reads such documents',
  async () => {
    await using twin = await startTwin({
      metadata: (honest) => ({ ...honest, client_id_metadata_document_supported: true }),
    });
    const document = 'https://plug.example/client.json';
    await using hub = await openTestHub({ env: { PLUG_CLIENT_METADATA_URL: document } });
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    await signIn(hub);
    expect(twin.to('/register')).toEqual([]);
    expect(twin.to('/authorize').map(({ query }) => query.get('client_id'))).toEqual([document]);
  },
  SLOW,
);

verifies(
  ['O5'],
  'a server of 2025-03-26 that publishes no description is its own authorization server',
  async () => {
    for (const metadata of [undefined, 'none'] as const) {
      await using twin = await startTwin({
        resource: 'none',
        challenge: () => 'Bearer',
        ...(metadata ? { metadata } : {}),
      });
      await using hub = await openTestHub();
      await hub.servers.add({ definition: remoteServer(twin.url), test: false });
      expect((await signIn(hub)).account.signedIn).toBe(true);
      expect(await callTool(hub, 'site/echo', { message: 'old' })).toBe('old');
      expect(twin.to('/register')).toHaveLength(1);
      expect(twin.to('/authorize')).toHaveLength(1);
    }
  },
);

verifies(
  ['O6'],
  'a bearer token from the vault opens a server, and nobody is asked to sign in',
  async () => {
    await using server = await startHttpFixture('unauthorized', {
      token: 'key-from-the-vault',
      inner: 'dual',
    });
    await using hub = await openTestHub();
    const headers = { Authorization: 'Bearer ${vault:site/key}', 'X-Team': 'blue ${input:team}' };
    const endpoint = { kind: 'http', url: server.url, headers } as const;
    await hub.servers.add({
      definition: remoteServer(server.url, { endpoint, config: { team: 'whale' } }),
      test: false,
    });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({ code: 'missing_input', server: 'site' });
    expect((await server.stats()).requests).toBe(0);
    await hub.secrets.set({ name: 'site/key', value: 'key-from-the-vault' });
    expect(await callTool(hub, 'site/echo', { message: 'in' })).toBe('in');
    const { lastHeaders } = await server.stats();
    expect(lastHeaders).toMatchObject({ authorization: 'Bearer key-from-the-vault', 'x-team': 'blue whale' });
  },
  SLOW,
);

verifies(
  ['O6'],
  'a wrong bearer token is told, and no sign-in is put in its place',
  async () => {
    await using server = await startHttpFixture('unauthorized', { token: 'right', inner: 'dual' });
    await using hub = await openTestHub();
    const headers = { authorization: 'Bearer ${vault:site/key}' };
    const endpoint = { kind: 'http', url: server.url, headers } as const;
    await hub.servers.add({ definition: remoteServer(server.url, { endpoint }), test: false });
    await hub.secrets.set({ name: 'site/key', value: 'wrong' });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({ code: 'sign_in_needed' });
    const { lastHeaders } = await server.stats();
    expect(lastHeaders['authorization']).toBe('Bearer wrong');
  },
  SLOW,
);
