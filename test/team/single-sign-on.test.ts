import { afterAll, beforeAll, expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { browse } from '../sign-in/browser.ts';
import { startAuthorizationServer, type AuthorizationFixture } from '../sign-in/start.ts';
import { asking, openTeam, PASSWORD, post, type TeamWorld } from './team-world.ts';

let provider: AuthorizationFixture;
let world: TeamWorld;
beforeAll(async () => {
  provider = await startAuthorizationServer();
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
  'what the identity provider gave is not kept, and nobody registers another one',
  async () => {
    const rows = await world.sql(
      `select "accessToken", "refreshToken", "idToken" from plugboard_people.account where "providerId" = 'sso'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.values(row)).toEqual([null, null, null]);
    for (const path of [
      '/api/auth/sso/register',
      '/api/auth/oauth2/create-client',
      '/api/auth/link-social',
    ]) {
      expect([path, (await world.owner.ask('POST', path, {})).status]).toEqual([path, 404]);
    }
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
