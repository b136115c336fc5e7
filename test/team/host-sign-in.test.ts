import { spawn } from 'node:child_process';
import { createServer } from 'node:https';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect } from 'vitest';
import { defineServer } from '../../src/servers/definition.ts';
import { digestOf } from '../../src/team/oauth/digest.ts';
import { verifies } from '../requirements.ts';
import { selfSigned } from '../self-signed.ts';
import { openTestHub } from '../sign-in/signed-in-hub.ts';
import { startCountingServer } from './counting-server.ts';
import { agree, sentTo } from './host-agreement.ts';
import { asking, definitionOf, openTeam, type Member, type TeamWorld } from './team-world.ts';

const certificate = selfSigned();

let world: TeamWorld;
let member: Member;
beforeAll(async () => {
  world = await openTeam({}, { ca: certificate.cert });
  member = await world.invited('member', 'mira');
}, 200_000);
afterAll(() => world[Symbol.asyncDispose]());

const REDIRECT = 'http://127.0.0.1:33418/callback';
type Kept = Partial<Record<'client' | 'tokens' | 'verifier' | 'authorization', never>>;

/** A host on the official SDK, which keeps what it is given in memory. */
function hostOf(kept: Kept, more: Partial<OAuthClientProvider> = {}): OAuthClientProvider {
  return {
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'Test <b>host</b>',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client as never),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens as never),
    redirectToAuthorization: (url) => void (kept.authorization = url as never),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier as never),
    codeVerifier: () => kept.verifier ?? '',
    ...more,
  };
}

/** Signs in as a host does, and answers what it was given. */
async function signedIn(
  who: Member,
  more: Partial<OAuthClientProvider> = {},
): Promise<{ readonly kept: Kept; readonly shown: string; readonly tools: () => Promise<number> }> {
  const { url } = world.team;
  const kept: Kept = {};
  const authProvider = hostOf(kept, more);
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'test-host', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider }));
    return client;
  };
  await expect(connect()).rejects.toThrow();
  const { shown, target } = await agree(url, kept.authorization ?? '', who);
  expect(`${target.origin}${target.pathname}`).toBe(REDIRECT);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider });
  await transport.finishAuth(target.searchParams);
  const tools = async (): Promise<number> => {
    const client = await connect();
    const { tools: all } = await client.listTools();
    await client.close();
    return all.length;
  };
  return { kept, shown, tools };
}

const tokensOf = (kept: Kept): { readonly access_token: string; readonly refresh_token: string } =>
  kept.tokens as never;

async function token(form: Readonly<Record<string, string>>): Promise<{ status: number; body: never }> {
  const { url } = world.team;
  const answer = await fetch(`${url}/api/auth/oauth2/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return { status: answer.status, body: (await answer.json()) as never };
}

async function opens(access: string, path = '/mcp'): Promise<number> {
  const clientInfo = { name: 'host', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const answer = await fetch(`${world.team.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${access}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  });
  await answer.body?.cancel();
  return answer.status;
}

verifies(
  ['M4'],
  'a host on the official SDK finds the sign-in by itself, and gets in when its person agrees',
  async () => {
    const { url } = world.team;
    const refused = await fetch(`${url}/mcp`, { method: 'POST' });
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '')?.[1];
    expect(refused.status).toBe(401);
    expect(await (await fetch(metadata ?? '')).json()).toMatchObject({
      resource: `${url}/mcp`,
      authorization_servers: [`${url}/api/auth`],
    });
    const { kept, shown, tools } = await signedIn(member);
    // What a host calls itself is text, and whose account it gets is said.
    expect(shown).toContain('Test &#60;b&#62;host&#60;/b&#62;');
    expect(shown).toContain('mira@team.test');
    expect(await tools()).toBeGreaterThan(0);
    const { access_token: access } = tokensOf(kept);
    // The gateway and nothing else: neither the API nor the team.
    for (const path of ['/v1/servers', '/v1/approvals', '/v1/team/me'])
      expect((await asking(url, 'GET', path, { authorization: `Bearer ${access}` })).status).toBe(403);
  },
);

verifies(
  ['M4', 'attack:F19'],
  'each host needs its own consent, at exactly the address it registered',
  async () => {
    const { url } = world.team;
    const register = async (redirect: string): Promise<{ status: number; id: string }> => {
      const { status, body } = await asking(
        url,
        'POST',
        '/api/auth/oauth2/register',
        {},
        {
          client_name: 'Another',
          redirect_uris: [redirect],
          token_endpoint_auth_method: 'none',
        },
      );
      return { status, id: body?.client_id };
    };
    for (const bad of ['http://evil.test/cb', 'javascript:alert(1)', 'http://127.0.0.1:9/cb#x'])
      expect([bad, (await register(bad)).status]).toEqual([bad, 400]);
    const { id } = await register('http://127.0.0.1:9/cb');
    const authorize = (redirect: string): string => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: id,
        redirect_uri: redirect,
        scope: 'mcp',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        state: 's',
      });
      return `${url}/api/auth/oauth2/authorize?${query.toString()}`;
    };
    const where = async (address: string): Promise<URL> => {
      const answer = await fetch(address, { headers: { cookie: member.cookie }, redirect: 'manual' });
      return await sentTo(answer, url);
    };
    // Mira has let another host in; this one has to ask.
    expect((await where(authorize('http://127.0.0.1:9/cb'))).pathname).toBe('/consent');
    for (const elsewhere of ['http://127.0.0.1:9/other', 'http://127.0.0.1:9/cb/', 'https://evil.test/cb']) {
      const { origin, searchParams } = await where(authorize(elsewhere));
      expect([elsewhere, origin, searchParams.get('code')]).toEqual([elsewhere, url, null]);
    }
    const denied = await agree(url, authorize('http://127.0.0.1:9/cb'), member, false);
    expect(denied.target.searchParams.get('error')).toBe('access_denied');
    // Without a session nothing is agreed to, whatever the query says.
    const { search } = await where(authorize('http://127.0.0.1:9/cb'));
    const anonymous = { accept: true, oauth_query: search.slice(1) };
    const answered = await asking(url, 'POST', '/api/auth/oauth2/consent', {}, anonymous);
    expect(answered.status).toBe(401);
    expect(
      (await asking(url, 'POST', '/api/auth/oauth2/create-client', { cookie: member.cookie }, {})).status,
    ).toBe(404);
  },
);

verifies(
  ['M4', 'attack:F18'],
  'a token for another audience, of another kind, or expired opens nothing',
  async () => {
    const { kept } = await signedIn(member);
    const { access_token: access, refresh_token: refresh } = tokensOf(kept);
    expect(await opens(access)).toBe(200);
    expect(await opens(refresh)).toBe(401);
    expect(await opens(`${access}x`)).toBe(401);
    const other = await token({
      grant_type: 'refresh_token',
      refresh_token: refresh,
      client_id: (kept.client as never as { client_id: string }).client_id,
      resource: 'https://other.example.com/mcp',
    });
    expect(other.status).toBe(400);
    const digest = digestOf(access.replace('plugat_', ''));
    const elsewhere = JSON.stringify(['https://other.example.com/mcp']);
    await world.sql(
      `update plugboard_people."oauthAccessToken" set resources = '${elsewhere}' where token = '${digest}'`,
    );
    await world.forget();
    expect(await opens(access)).toBe(401);
  },
);

verifies(['M4'], 'a refresh token is good once; a later use of it ends what came of it', async () => {
  const { kept } = await signedIn(member);
  const { refresh_token: first } = tokensOf(kept);
  const client = (kept.client as never as { client_id: string }).client_id;
  const refresh = (given: string): ReturnType<typeof token> =>
    token({ grant_type: 'refresh_token', refresh_token: given, client_id: client });
  const { body } = await refresh(first);
  const next = body as { access_token: string; refresh_token: string };
  expect(await opens(next.access_token)).toBe(200);
  // An answer that was lost may be asked for again for a moment; this one is over.
  await world.sql(
    `update plugboard_people."oauthRefreshToken" set "rotationReplayExpiresAt" = now() - interval '1 minute' where "rotationReplayExpiresAt" is not null`,
  );
  expect((await refresh(first)).status).toBe(400);
  expect((await refresh(next.refresh_token)).status).toBe(400);
  await world.forget();
  expect(await opens(next.access_token)).toBe(401);
});

verifies(['M4', 'M5', 'G7'], 'what a host holds ends when its person takes it back, or leaves', async () => {
  const leaver = await world.invited('member', 'lea');
  const { kept } = await signedIn(leaver);
  const { access_token: access, refresh_token: refresh } = tokensOf(kept);
  const client = (kept.client as never as { client_id: string }).client_id;
  const { body: apps } = await leaver.ask('GET', '/v1/team/apps');
  expect(apps).toMatchObject([{ id: client }]);
  expect((await member.ask('DELETE', `/v1/team/apps/${client}`)).status).toBe(404);
  expect((await leaver.ask('DELETE', `/v1/team/apps/${client}`)).status).toBe(204);
  expect(await opens(access)).toBe(401);
  const again = { grant_type: 'refresh_token', refresh_token: refresh, client_id: client };
  expect((await token(again)).status).toBe(400);
  const second = await signedIn(leaver);
  expect((await world.owner.ask('DELETE', `/v1/team/people/${leaver.id}`)).status).toBe(204);
  expect(await opens(tokensOf(second.kept).access_token)).toBe(401);
});

verifies(['M4'], 'a host may be known by a document that it publishes, and by no other', async () => {
  const documents = new Map<string, object>();
  const server = createServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
    const document = documents.get(request.url ?? '');
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? {}));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const about = { client_name: 'Published', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' };
    documents.set('/client.json', { ...about, client_id: `${origin}/client.json` });
    documents.set('/liar.json', { ...about, client_id: 'https://known.example.com/client.json' });
    const { shown, tools } = await signedIn(member, { clientMetadataUrl: `${origin}/client.json` });
    expect(shown).toContain('From 127.0.0.1');
    expect(await tools()).toBeGreaterThan(0);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: `${origin}/liar.json`,
      redirect_uri: REDIRECT,
    });
    const liar = await fetch(`${world.team.url}/api/auth/oauth2/authorize?${query.toString()}`, {
      headers: { cookie: member.cookie },
      redirect: 'manual',
    });
    expect((await sentTo(liar, world.team.url)).pathname).not.toBe('/consent');
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

verifies(
  ['M4', 'G7'],
  'a hub of one person signs in to a team, uses its tools as that person, and is shut out when they take it back',
  async () => {
    const { url } = world.team;
    await using counting = await startCountingServer();
    const nina = await world.invited('member', 'nina');
    const definition = definitionOf('count', { kind: 'http', url: counting.url, headers: {} });
    await nina.ask('POST', '/v1/servers', { definition, test: false });
    await nina.ask('POST', '/v1/servers/count/start');
    await nina.ask('POST', '/v1/grants', { tool: 'count/get_number' });
    await using hub = await openTestHub();
    const endpoint = { kind: 'http', url: `${url}/mcp`, headers: {} } as const;
    await hub.servers.add({ definition: defineServer({ id: 'team', endpoint }), test: false });
    const visits: Promise<unknown>[] = [];
    const onProgress = ({ address }: { readonly address: string }): void =>
      void visits.push(agree(url, address, nina).then(({ target }) => fetch(target)));
    const signIn = async (): Promise<void> => {
      await hub.accounts.signIn({ server: 'team' }, { onProgress });
      await Promise.all(visits);
    };
    await signIn();
    const { tools } = await hub.tools.list({ server: 'team' });
    expect(tools.map(({ name }) => name)).toContain('count__get_number');
    const { result } = await hub.tools.call({ tool: 'team/count__get_number', args: { n: 4 } });
    expect([result, counting.counts.get(4)]).toMatchObject([{ content: [{ text: '4' }] }, 1]);
    // What it held is worth nothing after it has signed out.
    const held = async (): Promise<readonly object[]> =>
      await world.sql(
        `select id from plugboard_people."oauthRefreshToken" where "userId" = '${nina.id}' and revoked is null`,
      );
    expect((await held()).length).toBe(1);
    await hub.accounts.signOut({ server: 'team' });
    expect(await held()).toEqual([]);
    await signIn();
    // It registers with each sign-in: what was let in before is still listed, and holds nothing.
    for (const { id } of (await nina.ask('GET', '/v1/team/apps')).body)
      await nina.ask('DELETE', `/v1/team/apps/${encodeURIComponent(id)}`);
    await expect(hub.tools.call({ tool: 'team/count__get_number', args: { n: 5 } })).rejects.toMatchObject({
      code: 'sign_in_needed',
    });
    expect(counting.counts.get(5)).toBeUndefined();
  },
);

verifies(['M4'], 'mcp-remote signs its person in by itself', async () => {
  const { url } = world.team;
  const home = await mkdtemp(join(tmpdir(), 'plug-remote-'));
  const program = join(import.meta.dirname, '../../node_modules/mcp-remote/dist/proxy.js');
  const env = { PATH: '/nowhere', HOME: home, MCP_REMOTE_CONFIG_DIR: home };
  const remote = spawn(process.execPath, [program, `${url}/mcp`], { env, stdio: 'pipe' });
  try {
    const found = Promise.withResolvers<string>();
    createInterface({ input: remote.stderr }).on('line', (line) => {
      const address = /(http:\/\/127\.0\.0\.1:\d+\/api\/auth\/oauth2\/authorize\?\S+)/.exec(line)?.[1];
      if (address) found.resolve(address);
    });
    const { target } = await agree(url, await found.promise, member);
    expect((await fetch(target)).status).toBe(200);
    const answers = createInterface({ input: remote.stdout });
    const clientInfo = { name: 'behind', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    remote.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    for await (const line of answers) {
      const message = JSON.parse(line) as { id?: number; result?: { serverInfo?: { name: string } } };
      if (message.id !== 1) continue;
      expect(message.result?.serverInfo?.name).toBeTypeOf('string');
      break;
    }
  } finally {
    remote.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  }
});
