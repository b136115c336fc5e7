import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { browse } from '../sign-in/browser.ts';
import { JWT_BEARER, TOKEN_EXCHANGE } from '../sign-in/assertion-grants.ts';
import {
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationFixture,
} from '../sign-in/start.ts';
import { directoryOf } from './scim-client.ts';
import { asking, definitionOf, openTeam, PASSWORD, post, type Member, type TeamWorld } from './team-world.ts';

let provider: AuthorizationFixture;
let world: TeamWorld;
beforeAll(async () => {
  // So short that each use of an ID token needs another one.
  provider = await startAuthorizationServer({ idTtl: 20 });
  world = await openTeam({
    PLUG_OIDC_ISSUER: provider.url,
    PLUG_OIDC_CLIENT_ID: 'team',
    PLUG_OIDC_CLIENT_SECRET: 'of the team',
  });
  const redirect = encodeURIComponent(`${world.team.url}/api/auth/callback/sso`);
  await provider.post(`/_client?id=team&secret=${encodeURIComponent('of the team')}&redirect=${redirect}`);
}, 200_000);
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

interface Outcome {
  readonly cookie: string;
  readonly failed: boolean;
}

/** As a browser does after a click on the button. */
async function signInAs(name: string, verified: boolean): Promise<Outcome> {
  const { url } = world.team;
  await provider.post(`/_person?name=${name}&verified=${verified ? '1' : ''}`);
  const begun = await fetch(`${url}/api/auth/sign-in/social`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'sso', callbackURL: '/', errorCallbackURL: '/sign-in' }),
  });
  const { url: address } = (await begun.json()) as { readonly url: string };
  const back = await browse(address, { stopAt: '/api/auth/callback' });
  const answer = await fetch(back, { headers: { cookie: cookiesIn(begun) }, redirect: 'manual' });
  const target = new URL(answer.headers.get('location') ?? '', url);
  return { cookie: cookiesIn(answer), failed: target.searchParams.has('error') };
}

function cookiesIn(answer: Response): string {
  const lines = answer.headers.getSetCookie().filter((line) => !/max-age=0/i.test(line));
  return lines.map((line) => line.split(';')[0]).join('; ');
}

const me = async ({ cookie }: Outcome) => asking(world.team.url, 'GET', '/v1/team/me', { cookie });
const invite = async (email: string, role: string): Promise<string> =>
  (await world.owner.ask('POST', '/v1/team/invitations', { email, role })).body.url;

verifies(
  ['M1'],
  'single sign-on lets in who was invited, with a verified address and in that role',
  async () => {
    const stranger = await signInAs('mallory', true);
    expect([stranger.failed, (await me(stranger)).status]).toEqual([true, 401]);
    await invite('anna@example.com', 'admin');
    const unverified = await signInAs('anna', false);
    expect([unverified.failed, (await me(unverified)).status]).toEqual([true, 401]);
    const anna = await signInAs('anna', true);
    expect((await me(anna)).body).toMatchObject({ email: 'anna@example.com', role: 'admin' });
    // The invitation was used: a second person of that address is the same.
    expect((await me(await signInAs('anna', true))).body.id).toBe((await me(anna)).body.id);
    expect(await world.sql(`select email from plugboard_people."user" where email like 'mallory%'`)).toEqual(
      [],
    );
  },
);

verifies(
  ['M1'],
  'an account with a password is not taken over by an address that nobody verified',
  async () => {
    const link = await invite('carol@example.com', 'member');
    await post(link, { name: 'Carol', password: PASSWORD });
    const carol = await world.signIn('carol@example.com');
    const taker = await signInAs('carol', false);
    expect([taker.failed, (await me(taker)).status]).toEqual([true, 401]);
    expect((await me(await signInAs('carol', true))).body.id).toBe(carol.id);
  },
);

verifies(
  ['M1'],
  'what the identity provider gave is in no table of the sign-in, and nobody registers another one',
  async () => {
    const rows = await world.sql(
      `select "accessToken", "refreshToken", "idToken" from plugboard_people.account where "providerId" = 'sso'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.values(row)).toEqual([null, null, null]);
    // How each token begins.
    expect(world.logged.join('\n')).not.toContain('eyJ');
    for (const path of [
      '/api/auth/sso/register',
      '/api/auth/oauth2/create-client',
      '/api/auth/link-social',
    ]) {
      expect([path, (await world.owner.ask('POST', path, {})).status]).toEqual([path, 404]);
    }
  },
);

verifies(
  ['M1'],
  'an admin makes a link that sets a password once, and nothing of before is signed in',
  async () => {
    const lost = await world.invited('member', 'lola');
    const admin = await world.invited('admin', 'ines');
    const link = async (who: Member, id: string) =>
      (await who.ask('POST', `/v1/team/people/${id}/password-link`)).body;
    expect((await link(admin, world.owner.id)).error.code).toBe('denied');
    expect((await link(lost, lost.id)).error.code).toBe('denied');
    const { url: older } = await link(admin, lost.id);
    const { url } = await link(admin, lost.id);
    const password = 'a new horse, and a battery';
    // The older one is of no use, and a bad password does not use up the link.
    expect(await post(older, { password })).toBe(404);
    expect(await post(url, { password: 'short' })).toBe(400);
    expect((await lost.ask('GET', '/v1/team/me')).status).toBe(200);
    const set = await Promise.all([1, 2].map(() => post(url, { password })));
    expect(set.toSorted((one, next) => one - next)).toEqual([303, 404]);
    expect((await lost.ask('GET', '/v1/team/me')).status).toBe(401);
    await expect(world.signIn('lola@team.test')).rejects.toThrow('not signed in');
    expect((await world.signIn('lola@team.test', password)).id).toBe(lost.id);
    // Who is deactivated meanwhile comes in by no link.
    const { url: late } = await link(admin, lost.id);
    await admin.ask('PUT', `/v1/team/people/${lost.id}`, { active: false });
    expect(await post(late, { password })).toBe(404);
    expect((await link(admin, lost.id)).error.code).toBe('disabled');
    // Who came by single sign-on gets no way around it.
    const { body: people } = await admin.ask('GET', '/v1/team/people');
    const { id } = people.find((one: { email: string }) => one.email === 'anna@example.com');
    expect((await link(admin, id)).error.code).toBe('unsupported');
  },
);

verifies(
  ['M5', 'M1'],
  'a person whom the directory brought signs in by single sign-on, as themselves',
  async () => {
    const directory = await directoryOf(world.owner, world.team.url);
    const person = { userName: 'Dora', emails: [{ value: 'dora@example.com' }], roles: [{ value: 'admin' }] };
    const { body: made } = await directory.ask('POST', '/Users', person);
    const unverified = await signInAs('dora', false);
    expect([unverified.failed, (await me(unverified)).status]).toEqual([true, 401]);
    expect((await me(await signInAs('dora', true))).body).toMatchObject({ id: made.id, role: 'member' });
    await directory.patch(`/Users/${made.id}`, { op: 'replace', value: { active: false } });
    const late = await signInAs('dora', true);
    expect([late.failed, (await me(late)).status]).toEqual([true, 401]);
    // Whom the directory has removed may not come in by themselves.
    expect((await directory.ask('DELETE', `/Users/${made.id}`)).status).toBe(204);
    expect((await signInAs('dora', true)).failed).toBe(true);
  },
);

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Signed by the provider; without a claim where it is undefined. */
async function assertion(claims: object, typ = 'oauth-id-jag+jwt'): Promise<string> {
  const { url } = world.team;
  const now = Math.floor(Date.now() / 1_000);
  const whole = {
    iss: provider.url,
    sub: 'anna',
    aud: `${url}/api/auth`,
    client_id: host.id,
    jti: crypto.randomUUID(),
    iat: now,
    exp: now + 120,
    resource: `${url}/mcp`,
    scope: 'mcp',
    ...claims,
  };
  const query = new URLSearchParams({ typ, claims: JSON.stringify(whole) });
  return await (await provider.post(`/_assertion?${query.toString()}`)).text();
}

let host: { readonly id: string; readonly secret: string };

async function exchange(
  given: string,
  secret = host.secret,
): Promise<{ status: number; body: { error?: string; access_token?: string; refresh_token?: string } }> {
  const answer = await fetch(`${world.team.url}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from(`${host.id}:${secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: GRANT, assertion: given }).toString(),
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

verifies(
  ['M5'],
  'a host comes in with an assertion of the identity provider, which is checked whole and good once',
  async () => {
    host = (await world.owner.ask('POST', '/v1/team/clients', { name: 'desktop' })).body;
    expect((await asking(world.team.url, 'POST', '/v1/team/clients', {}, { name: 'x' })).status).toBe(401);
    const good = await assertion({});
    const { status, body } = await exchange(good);
    expect([status, body.refresh_token]).toEqual([200, undefined]);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'h', version: '1' },
    };
    const opened = await fetch(`${world.team.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${body.access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
    });
    await opened.body?.cancel();
    expect(opened.status).toBe(200);
    expect((await exchange(good)).body.error).toBe('invalid_grant');
    const past = Math.floor(Date.now() / 1_000) - 3_600;
    const bad: Readonly<Record<string, object>> = {
      issuer: { iss: 'https://other.example.com' },
      audience: { aud: 'https://other.example.com' },
      client: { client_id: 'another' },
      resource: { resource: 'https://other.example.com/mcp' },
      'no resource': { resource: undefined },
      'no jti': { jti: undefined },
      expired: { iat: past, exp: past + 60 },
      'too old': { iat: past, exp: past + 7_200 },
      stranger: { sub: 'mallory', email: 'mallory@example.com', email_verified: true },
      'unverified address': { sub: 'new', email: 'anna@example.com' },
    };
    for (const [why, claims] of Object.entries(bad)) {
      expect([why, (await exchange(await assertion(claims))).body.error]).toEqual([why, 'invalid_grant']);
    }
    expect((await exchange(await assertion({}, 'JWT'))).body.error).toBe('invalid_grant');
    expect((await exchange(await assertion({ scope: 'admin' }))).body.error).toBe('invalid_scope');
    const signed = await assertion({});
    expect((await exchange(`${signed.slice(0, -4)}AAAA`)).body.error).toBe('invalid_grant');
    expect((await exchange(await assertion({}), 'wrong')).status).toBe(401);
  },
);

verifies(
  ['M5', 'O3', 'O5'],
  'a server that takes the word of the identity provider needs no browser of who came by single sign-on',
  async () => {
    await using as = await startAuthorizationServer({ idp: provider.url });
    await using server = await startProtectedServer({ issuer: as.url, scopes: 'tools' });
    const by = async (cookie: string) => {
      const ask = (method: string, path: string, body: object) =>
        asking(world.team.url, method, path, { cookie }, body);
      const definition = definitionOf('site', { kind: 'http', url: server.url, headers: {} });
      expect((await ask('POST', '/v1/servers', { definition, test: false })).status).toBe(200);
      await ask('PUT', '/v1/policy/defaults', { call: { read: 'allow', write: 'allow', unknown: 'allow' } });
      return () => ask('POST', '/v1/calls', { tool: 'site/echo', args: { message: 'in' } });
    };
    const anna = await by((await signInAs('anna', true)).cookie);
    // The provider has not been told of that server: it vouches for nobody there.
    expect((await anna()).body.error).toMatchObject({ code: 'sign_in_needed' });
    await provider.post(`/_app?audience=${encodeURIComponent(as.url)}&client=plug-here`);
    // Adding the server may look at it at once.
    const before = (await provider.grants(TOKEN_EXCHANGE)).good;
    const again = await signInAs('carol', true);
    const carol = await by(again.cookie);
    const answers = await Promise.all(Array.from({ length: 5 }, carol));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect((await server.seen()).at(-1)).toMatchObject({ method: 'tools/call', subject: 'carol' });
    expect(await as.grants(JWT_BEARER)).toEqual({ good: 1, bad: 0 });
    expect((await provider.grants(TOKEN_EXCHANGE)).good - before).toBe(1);
    // The ID token was over: the refresh token of the provider gave the one that was exchanged.
    expect(await provider.grants('refresh_token')).toMatchObject({ bad: 0 });
    const stats = await as.stats();
    expect([stats.authorizations, stats.registrations]).toEqual([[], 0]);
    // Who came with a password is not known there.
    const owner = await by(world.owner.cookie);
    expect((await owner()).body.error).toMatchObject({ code: 'sign_in_needed', remedy: { do: 'sign-in' } });
  },
);

/** A host that its person has signed in to, by the same provider. */
async function idTokenOf(client: string, secret: string, person: string): Promise<string> {
  const redirect = 'http://127.0.0.1:9/host/callback';
  const entered = new URLSearchParams({ id: client, secret, redirect });
  await provider.post(`/_client?${entered.toString()}`);
  await provider.post(`/_person?name=${person}&verified=1`);
  const verifier = 'v'.repeat(64);
  const address = new URL(`${provider.url}/auth`);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { client_id: client, redirect_uri: redirect, response_type: 'code', scope: 'openid' };
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  for (const [name, value] of Object.entries({ ...asked, ...pkce })) address.searchParams.set(name, value);
  const back = await browse(address.href, { stopAt: '/host/callback' });
  const code = back.searchParams.get('code') ?? '';
  const given = { grant_type: 'authorization_code', code, redirect_uri: redirect, code_verifier: verifier };
  return (await tokenAt(client, secret, given)).id_token ?? '';
}

async function tokenAt(
  client: string,
  secret: string,
  given: Readonly<Record<string, string>>,
): Promise<{ readonly id_token?: string; readonly access_token?: string; readonly error?: string }> {
  const authorization = `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`;
  const answer = await fetch(`${provider.url}/token`, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams(given),
  });
  return (await answer.json()) as never;
}

verifies(
  ['M5', 'M4'],
  'an assertion that the provider itself has issued to a host opens the gateway for its person',
  async () => {
    const { url } = world.team;
    const idToken = await idTokenOf('host-app', 'of the host', 'anna');
    const wanted = {
      grant_type: TOKEN_EXCHANGE,
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      audience: `${url}/api/auth`,
      resource: `${url}/mcp`,
      scope: 'mcp',
      subject_token: idToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
    };
    expect((await tokenAt('host-app', 'of the host', wanted)).error).toBe('invalid_target');
    const app = new URLSearchParams({ audience: wanted.audience, client: host.id });
    await provider.post(`/_app?${app.toString()}`);
    const { access_token: issued = '' } = await tokenAt('host-app', 'of the host', wanted);
    const { status, body } = await exchange(issued);
    expect([status, (await exchange(issued)).body.error]).toEqual([200, 'invalid_grant']);
    const opened = await asking(url, 'POST', '/mcp', { authorization: `Bearer ${body.access_token}` }, {});
    expect(opened.status).not.toBe(401);
    // The ID token itself is no assertion.
    expect((await exchange(idToken)).body.error).toBe('invalid_grant');
  },
);
