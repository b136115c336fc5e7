import { once } from 'node:events';
import { expect } from 'vitest';
import { PlugError } from '../../src/base/errors.ts';
import type { Hub, SignInRequest } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { browse } from './browser.ts';
import { freePort, takePort } from './free-port.ts';
import { callTool, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import {
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationFixture,
  type ProtectedFixture,
} from './start.ts';
import { startTwin } from './twin.ts';

const SLOW = 40_000;

interface World extends AsyncDisposable {
  readonly as: AuthorizationFixture;
  readonly server: ProtectedFixture;
  readonly hub: Hub;
}

/** A server whose authorization server registers nobody by itself. */
async function openWorld(): Promise<World> {
  await using half = new AsyncDisposableStack();
  const as = half.use(await startAuthorizationServer({ registration: 'none' }));
  const server = half.use(await startProtectedServer({ issuer: as.url }));
  const hub = half.use(await openTestHub());
  await hub.servers.add({ definition: remoteServer(server.url), test: false });
  const whole = half.move();
  return { as, server, hub, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}

async function guidanceOf(hub: Hub, request: SignInRequest): Promise<PlugError> {
  const error: unknown = await signIn(hub, request).catch((thrown: unknown) => thrown);
  if (error instanceof PlugError) return error;
  throw new Error('It signed in without a registration.');
}

verifies(
  ['O1'],
  'a program registered by hand with the address that was told signs in, and again later without being named',
  async () => {
    await using world = await openWorld();
    const { as, hub } = world;
    const callbackPort = await freePort();
    const { message, next, details } = await guidanceOf(hub, { server: 'site', callbackPort });
    const redirect = `http://127.0.0.1:${callbackPort}/callback`;
    expect(message).toContain(`exactly the redirect URL ${redirect},`);
    expect(next).toBe(`plug auth site --client-id ID --callback-port ${callbackPort}`);
    expect(details).toMatchObject({ redirectUri: redirect, issuer: as.url });

    await as.post(`/_client?id=mine&secret=kept&redirect=${encodeURIComponent(redirect)}`);
    const request = { server: 'site', clientId: 'mine', clientSecret: 'kept', callbackPort };
    expect((await signIn(hub, request)).account).toMatchObject({ signedIn: true, displayName: '@alice' });
    expect(await callTool(hub, 'site/echo', { message: 'in' })).toBe('in');

    // The registration is remembered, with its port: the next time a name is enough.
    const { opened } = await signIn(hub, { server: 'site' });
    const renewed = await signIn(hub, { server: 'site', clientId: 'mine', clientSecret: 'kept' });
    const addresses = [...opened, ...renewed.opened];
    const redirects = addresses.map((address) => new URL(address).searchParams.get('redirect_uri'));
    expect(redirects).toEqual([redirect, redirect]);
    expect((await as.grants('authorization_code')).good).toBe(3);
    // This authorization server does compare ports, as many do.
    const elsewhere = new URL(opened[0] ?? '');
    elsewhere.searchParams.set('redirect_uri', `http://127.0.0.1:${callbackPort + 1}/callback`);
    expect((await fetch(elsewhere)).status).toBe(400);
  },
  SLOW,
);

verifies(
  ['O1'],
  'without a wish the address to register is the same for every server and every try',
  async () => {
    await using first = await openWorld();
    await using second = await openWorld();
    const addresses = [];
    for (const { hub } of [first, first, second]) {
      const { details, next } = await guidanceOf(hub, { server: 'site' });
      expect(next).toBe('plug auth site --client-id ID');
      addresses.push(details?.['redirectUri']);
    }
    expect(new Set(addresses)).toEqual(new Set(['http://127.0.0.1:17584/callback']));
  },
  SLOW,
);

verifies(
  ['O1'],
  'a port that is taken is told with its address, no other one is tried, and once it is free the same command works',
  async () => {
    await using world = await openWorld();
    const { as, hub } = world;
    const taken = await takePort();
    const redirect = `http://127.0.0.1:${taken.port}/callback`;
    await as.post(`/_client?id=mine&redirect=${encodeURIComponent(redirect)}`);
    const request = { server: 'site', clientId: 'mine', callbackPort: taken.port };
    try {
      await expect(signIn(hub, request)).rejects.toMatchObject({
        code: 'sign_in_needed',
        owner: 'you',
        message: expect.stringContaining(`can’t return to ${redirect}: another program on this machine`),
        next: `plug auth site --client-id mine --callback-port ${taken.port}`,
        details: { redirectUri: redirect, port: taken.port },
      });
      expect((await as.stats()).authorizations).toEqual([]);
    } finally {
      taken.listener.close();
      await once(taken.listener, 'close');
    }
    // Once the port is free, the command that was told works.
    expect((await signIn(hub, request)).account.signedIn).toBe(true);
  },
  SLOW,
);

verifies(
  ['O1', 'attack:F7'],
  'a page that guesses the address cannot end the sign-in that waits there, nor answer for it',
  async () => {
    await using twin = await startTwin({
      metadata: ({ registration_endpoint: _none, ...honest }) => honest,
    });
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    const callbackPort = await freePort();
    const at = `http://127.0.0.1:${callbackPort}/callback`;
    const statuses: number[] = [];
    const visited = Promise.withResolvers<void>();
    const visit = async (address: string): Promise<void> => {
      for (const query of ['', '?code=theirs', '?code=theirs&state=', '?error=access_denied&state=guessed']) {
        statuses.push((await fetch(`${at}${query}`)).status);
      }
      const ended = await browse(address, { stopAt: '/callback' });
      statuses.push((await fetch(ended, { method: 'POST' })).status);
      statuses.push((await fetch(ended)).status);
      const again = await fetch(ended).then(
        ({ status }) => status,
        () => 404, // it is gone already
      );
      statuses.push(again);
    };
    const { signedIn } = await hub.accounts.signIn(
      { server: 'site', clientId: 'mine', callbackPort },
      { onProgress: ({ address }) => void visit(address).then(visited.resolve, visited.reject) },
    );
    await visited.promise;
    expect(signedIn).toBe(true);
    expect(statuses).toEqual([400, 400, 400, 400, 404, 200, 404]);
    expect(twin.to('/token').map(({ form }) => form.get('code'))).toEqual(['code']);
    await expect(fetch(at)).rejects.toThrow('fetch failed');
  },
  SLOW,
);

verifies(
  ['O1'],
  'a published document is met at its path on a free port, and a registration at an address of its own',
  async () => {
    await using reads = await startTwin({
      metadata: (honest) => ({ ...honest, client_id_metadata_document_supported: true }),
    });
    const document = 'https://plug.example/client.json';
    const redirects: (string | null)[] = [];
    for (const env of [{ PLUG_CLIENT_METADATA_URL: document }, {}]) {
      await using hub = await openTestHub({ env });
      await hub.servers.add({ definition: remoteServer(reads.url), test: false });
      for (let time = 0; time < 2; time += 1) {
        const { opened } = await signIn(hub);
        redirects.push(...opened.map((address) => new URL(address).searchParams.get('redirect_uri')));
      }
    }
    const paths = redirects.map((address) => new URL(address ?? '').pathname);
    expect(paths.slice(0, 2)).toEqual(['/callback', '/callback']);
    expect(new Set(paths.slice(2)).size).toBe(2);
    // Each sign-in with a registration has one of its own, made with the address that it then uses.
    expect(reads.to('/register')).toHaveLength(2);
  },
  SLOW,
);

verifies(
  ['O1', 'O2'],
  'the client that is named now counts, not the one from before',
  async () => {
    await using twin = await startTwin();
    await using hub = await openTestHub();
    await hub.servers.add({ definition: remoteServer(twin.url), test: false });
    const callbackPort = await freePort();
    for (const clientId of ['first', 'second']) await signIn(hub, { server: 'site', clientId, callbackPort });
    expect(twin.to('/authorize').map(({ query }) => query.get('client_id'))).toEqual(['first', 'second']);
    expect(twin.to('/register')).toEqual([]);
  },
  SLOW,
);
