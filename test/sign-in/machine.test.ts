import { createHmac, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { scratchFolder } from './scratch-folder.ts';
import { callTool, clockAhead, openTestHub, remoteServer, signIn } from './signed-in-hub.ts';
import { startAuthorizationServer, startProtectedServer } from './start.ts';
import { giveToken, startTwin } from './twin.ts';

const SLOW = 40_000;
const oauth = (more: Record<string, Json>): Pick<ServerDefinition, 'config' | 'source'> => ({
  config: { oauth: more },
  // As in a config file of the user's own: only those may read files.
  source: { kind: 'manual', author: 'user' },
});

verifies(
  ['O5'],
  'a program signs in with its secret from the vault, once for many calls, and again when the token expires',
  async () => {
    let ahead = 0;
    await using as = await startAuthorizationServer();
    await using server = await startProtectedServer({ issuer: as.url, scopes: 'tools' });
    await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
    const settings = oauth({
      grant: 'client_credentials',
      issuer: as.url,
      clientId: 'machine',
      clientSecret: '${vault:site/client}',
    });
    await hub.servers.add({ definition: remoteServer(server.url, settings), test: false });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({ code: 'missing_input' });
    await hub.secrets.set({ name: 'site/client', value: 'wrong secret' });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({ code: 'denied', owner: 'you' });
    await hub.secrets.set({ name: 'site/client', value: 'machine secret' });
    await Promise.all(Array.from({ length: 5 }, () => callTool(hub, 'site/echo', { message: 'x' })));
    expect((await as.grants('client_credentials')).good).toBe(1);
    ahead = 7_200_000;
    await Promise.all(Array.from({ length: 5 }, () => callTool(hub, 'site/echo', { message: 'x' })));
    expect((await as.grants('client_credentials')).good).toBe(2);
    expect((await as.stats()).tokens.map(({ resource }) => resource)).toEqual(
      expect.arrayContaining([server.url]),
    );
    expect((await server.seen()).at(-1)).toMatchObject({ method: 'tools/call', subject: 'machine' });
    expect((await as.stats()).authorizations).toEqual([]);
    await expect(signIn(hub)).rejects.toMatchObject({ code: 'usage' });
  },
  SLOW,
);

verifies(
  ['O5'],
  'a program signs in with a key that never leaves this machine',
  async () => {
    using folder = scratchFolder();
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = Buffer.from(JSON.stringify({ ...publicKey.export({ format: 'jwk' }), alg: 'ES256' }));
    const file = join(folder.path, 'key.pem');
    writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
    await using as = await startAuthorizationServer({ jwk: jwk.toString('base64url') });
    await using server = await startProtectedServer({ issuer: as.url, scopes: 'tools' });
    await using hub = await openTestHub();
    const settings = oauth({
      grant: 'client_credentials',
      issuer: as.url,
      clientId: 'machine-jwt',
      privateKey: `\${file:${file}}`,
    });
    await hub.servers.add({ definition: remoteServer(server.url, settings), test: false });
    expect(await callTool(hub, 'site/echo', { message: 'signed' })).toBe('signed');
    expect((await server.seen()).at(-1)).toMatchObject({ subject: 'machine-jwt' });
  },
  SLOW,
);

/** A token that says who somebody is; nobody here checks its signature. */
function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', 'k').update(text).digest('base64url')}`;
}

verifies(
  ['O5'],
  'a JWT that a platform renews in a file is read anew for each token',
  async () => {
    using folder = scratchFolder();
    const file = join(folder.path, 'token');
    const [first, second] = [jwt({ sub: 'pod', n: 1 }), jwt({ sub: 'pod', n: 2 })];
    let ahead = 0;
    await using twin = await startTwin();
    await using hub = await openTestHub({ clock: clockAhead(() => ahead) });
    const settings = oauth({
      grant: 'jwt_bearer',
      issuer: twin.origin,
      clientId: 'pod',
      assertion: `\${file:${file}}`,
    });
    writeFileSync(file, `${first}\n`);
    await hub.servers.add({ definition: remoteServer(twin.url, settings), test: false });
    expect(await callTool(hub, 'site/echo', { message: 'x' })).toBe('x');
    writeFileSync(file, second);
    ahead = 7_200_000;
    expect(await callTool(hub, 'site/echo', { message: 'x' })).toBe('x');
    expect(twin.to('/token').map(({ form }) => [form.get('grant_type'), form.get('assertion')])).toEqual([
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', first],
      ['urn:ietf:params:oauth:grant-type:jwt-bearer', second],
    ]);
    expect(twin.to('/token').map(({ form }) => form.get('resource'))).toEqual([twin.url, twin.url]);
  },
  SLOW,
);

verifies(
  ['O5'],
  "an employer's identity provider lets a person in at a server without asking them",
  async () => {
    const idToken = jwt({ sub: 'nick' });
    await using idp = await startTwin({
      token: (response) =>
        giveToken(response, {
          access_token: 'the-grant',
          issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
          token_type: 'N_A',
        }),
    });
    await using twin = await startTwin();
    await using hub = await openTestHub();
    await hub.secrets.set({ name: 'site/client', value: 'secret here' });
    await hub.secrets.set({ name: 'site/id-token', value: idToken });
    const settings = oauth({
      grant: 'cross_app_access',
      issuer: twin.origin,
      clientId: 'us-here',
      clientSecret: '${vault:site/client}',
      identityProvider: { issuer: idp.origin, clientId: 'us-there', idToken: '${vault:site/id-token}' },
    });
    await hub.servers.add({ definition: remoteServer(twin.url, settings), test: false });
    expect(await callTool(hub, 'site/echo', { message: 'x' })).toBe('x');
    const [exchange] = idp.to('/token');
    expect(Object.fromEntries(exchange?.form ?? [])).toMatchObject({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
      subject_token: idToken,
      audience: twin.origin,
      resource: twin.url,
      client_id: 'us-there',
    });
    expect(twin.to('/token').map(({ form }) => form.get('assertion'))).toEqual(['the-grant']);
    // Each of the two sees its own secret only.
    expect(JSON.stringify(idp.requests.map(({ form }) => [...form]))).not.toContain('secret here');
    expect(JSON.stringify(twin.requests.map(({ form }) => [...form]))).not.toContain(idToken);
  },
  SLOW,
);

verifies(
  ['O5'],
  'the secrets of a program go to the authorization server that it was told, and to no other',
  async () => {
    await using trap = await startTwin();
    await using twin = await startTwin({
      resource: (honest) => ({ ...honest, authorization_servers: [trap.origin] }),
    });
    await using hub = await openTestHub();
    await hub.secrets.set({ name: 'site/client', value: 'canary' });
    const settings = oauth({
      grant: 'client_credentials',
      issuer: twin.origin,
      clientId: 'machine',
      clientSecret: '${vault:site/client}',
    });
    await hub.servers.add({ definition: remoteServer(twin.url, settings), test: false });
    await expect(callTool(hub, 'site/echo')).rejects.toMatchObject({ code: 'denied', owner: 'server' });
    expect(trap.requests).toEqual([]);
    expect(twin.to('/token')).toEqual([]);
  },
  SLOW,
);

verifies(
  ['O5', 'V2'],
  'a secret written out in the settings is refused before anything is sent',
  async () => {
    await using twin = await startTwin();
    await using hub = await openTestHub();
    for (const bad of [
      { grant: 'client_credentials', issuer: twin.origin, clientId: 'm', clientSecret: 'written out' },
      { grant: 'client_credentials', issuer: twin.origin, clientId: 'm' },
      { grant: 'jwt_bearer', issuer: twin.origin, clientId: 'm' },
      { grant: 'password', issuer: twin.origin, clientId: 'm' },
      { grant: 'client_credentials', clientId: 'm', clientSecret: '${vault:x}' },
      'yes',
    ] satisfies Json[]) {
      const settings = { config: { oauth: bad } };
      await hub.servers.add({ definition: remoteServer(twin.url, settings), test: false, replace: true });
      const error = await callTool(hub, 'site/echo').catch((problem: unknown) => problem);
      expect(error).toMatchObject({ code: 'bad_config', owner: 'you' });
      expect(String(error)).not.toContain('written out');
    }
    expect(twin.requests).toEqual([]);
  },
  SLOW,
);
