/**
 * A real authorization server on loopback: `node test/sign-in/authorization-server.ts [key=value…]`.
 * Refresh tokens rotate, and one that is used twice ends the whole grant. Whoever comes to sign in
 * is the person of `POST /_person?name=`, who agrees at once, or nobody (`name=`): then they refuse.
 * `idTtl=` is how many seconds an ID token lives, `ttl=` an access token; `POST /_ttl?seconds=` changes it; `refreshedTtl=` those
 * that a refresh answers. `GET /_stats`
 * shows every request for a token. `jwk=` is the public key of the client `machine-jwt`.
 * `registration=none` registers nobody by itself; `POST /_client?id=&redirect=[&secret=]` is what a
 * person enters at its page instead. That redirect address must then be met to the letter, port and all.
 * As an identity provider it exchanges ID tokens for identity assertions (ID-JAG) to those of whom
 * `POST /_app?audience=&client=` has told it; with `idp=URL` it takes the assertions of that one.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import OidcProvider from 'oidc-provider';
import { parseParams } from '../servers/params.ts';
import { exchangeIdentities, JWT_BEARER, takeAssertions, TOKEN_EXCHANGE } from './assertion-grants.ts';

export interface TokenRequest {
  readonly grant: string;
  readonly status: number;
  readonly resource: string;
}

export interface AuthorizationStats {
  readonly tokens: readonly TokenRequest[];
  readonly revocations: number;
  readonly registrations: number;
  readonly authorizations: readonly Readonly<Record<string, string>>[];
}

const params = parseParams(process.argv.slice(2));
const tokens: TokenRequest[] = [];
const authorizations: Record<string, string>[] = [];
const stats = { tokens, authorizations, revocations: 0, registrations: 0 };
const waitingForToken: ServerResponse[] = [];
let ttl = params.number('ttl', 3_600);
const refreshedTtl = params.number('refreshedTtl', 0);
let person = 'alice';
let verified = false;
const keys = generateKeyPairSync('rsa', { modulusLength: 2_048 });
/** How long a token endpoint thinks before and after it does its work, so that kills hit every step. */
const slowMs = params.number('slow', 0);

const listener = createServer((request, response) => {
  void answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
listener.listen(0, '127.0.0.1');
await once(listener, 'listening');
const issuer = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`; // it listens on TCP
const provider = new OidcProvider(issuer, configuration());
provider.use(async (context, next) => {
  const token = context.path === '/token';
  if (token) {
    for (const waiting of waitingForToken.splice(0)) waiting.end('{}');
    await sleep(Math.random() * slowMs);
  }
  await next();
  const given = Object.fromEntries(
    Object.entries(context.oidc?.params ?? {}).map(([name, value]) => [name, String(value)]),
  );
  if (token) {
    const { grant_type: grant = '', resource = '' } = given;
    tokens.push({ grant, resource, status: context.status });
    if (refreshedTtl > 0) ttl = refreshedTtl;
  }
  if (context.path === '/auth') authorizations.push(given);
  if (context.path === '/token/revocation') stats.revocations += 1;
  if (context.path === '/reg') stats.registrations += 1;
  if (token) await sleep(Math.random() * slowMs);
});
/** Which client we are there, by the issuer of the other authorization server. */
const apps = new Map<string, string>();
exchangeIdentities(provider, { issuer, keys, apps, person: () => person });
const idp = params.text('idp');
if (idp) takeAssertions(provider, { issuer, idp, lifetime: () => ttl });
const callback = provider.callback();
console.log(JSON.stringify({ url: issuer }));
process.stdin.resume().on('end', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', issuer);
  if (url.pathname === '/_stats') return void response.end(JSON.stringify(stats));
  if (url.pathname === '/_person') {
    person = url.searchParams.get('name') ?? '';
    verified = url.searchParams.get('verified') === '1';
  }
  if (url.pathname === '/_assertion') return void response.end(signed(url.searchParams));
  // Answered when the next request for a token arrives.
  if (url.pathname === '/_token') return void waitingForToken.push(response);
  if (url.pathname === '/_ttl') ttl = Number(url.searchParams.get('seconds'));
  if (url.pathname === '/_app') {
    const client = url.searchParams.get('client');
    if (client) apps.set(url.searchParams.get('audience') ?? '', client);
    else apps.clear();
  }
  if (url.pathname === '/_client') await enterClient(url.searchParams);
  if (url.pathname.startsWith('/_')) return void response.end('{}');
  if (url.pathname.startsWith('/interaction/')) return agree(request, response);
  return callback(request, response);
}

/** What the server would say about somebody to a host: `typ=` and `claims=`, under the key that it publishes. */
function signed(given: URLSearchParams): string {
  const header = JSON.stringify({ alg: 'RS256', kid: 'fixture', typ: given.get('typ') });
  const parts = [header, given.get('claims') ?? ''].map((text) => Buffer.from(text).toString('base64url'));
  const signature = sign('sha256', Buffer.from(parts.join('.')), keys.privateKey);
  return [...parts, signature.toString('base64url')].join('.');
}

async function enterClient(given: URLSearchParams): Promise<void> {
  const id = given.get('id') ?? '';
  const secret = given.get('secret');
  await provider.Client.adapter.upsert(id, {
    client_id: id,
    // A native client's port would not be compared.
    application_type: 'web',
    redirect_uris: [given.get('redirect') ?? ''],
    grant_types: ['authorization_code', 'refresh_token', TOKEN_EXCHANGE],
    response_types: ['code'],
    ...(secret === null ? { token_endpoint_auth_method: 'none' } : { client_secret: secret }),
  });
}

/** What a person does with the mouse. */
async function agree(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params: asked } = await provider.interactionDetails(request, response);
  const text = (name: string): string => (typeof asked[name] === 'string' ? asked[name] : '');
  const options = { mergeWithLastSubmission: false };
  if (person === '') {
    return provider.interactionFinished(request, response, { error: 'access_denied' }, options);
  }
  const grant = new provider.Grant({ accountId: person, clientId: text('client_id') });
  grant.addOIDCScope(text('scope'));
  if (text('resource') !== '') grant.addResourceScope(text('resource'), text('scope'));
  const result = { login: { accountId: person }, consent: { grantId: await grant.save() } };
  return provider.interactionFinished(request, response, result, options);
}

function configuration(): object {
  const jwk = params.text('jwk');
  const machine = {
    client_id: 'machine',
    client_secret: 'machine secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  };
  const PLUG_HERE = {
    client_id: 'plug-here',
    token_endpoint_auth_method: 'none',
    grant_types: [JWT_BEARER],
    redirect_uris: [],
    response_types: [],
  };
  const PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';
  return {
    clients: [
      { ...machine, client_id: 'resource', client_secret: 'resource secret' },
      machine,
      ...(params.text('idp') ? [PLUG_HERE] : []),
      ...(jwk
        ? [
            {
              ...machine,
              client_id: 'machine-jwt',
              client_secret: undefined,
              token_endpoint_auth_method: 'private_key_jwt',
              token_endpoint_auth_signing_alg: 'ES256',
              jwks: { keys: [JSON.parse(Buffer.from(jwk, 'base64url').toString())] },
            },
          ]
        : []),
    ],
    ...(params.text('idp') ? { discovery: { authorization_grant_profiles_supported: [PROFILE] } } : {}),
    scopes: ['openid', 'offline_access', 'profile', 'email', 'tools', 'files'],
    claims: { profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    jwks: {
      keys: [{ ...keys.privateKey.export({ format: 'jwk' }), kid: 'fixture', alg: 'RS256', use: 'sig' }],
    },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: id,
        preferred_username: `@${id}`,
        email: `${id}@example.com`,
        ...(verified ? { email_verified: true } : {}),
      }),
    }),
    pkce: { required: () => true },
    cookies: { keys: ['fixture'] },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(name: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    ttl: {
      AccessToken: () => ttl,
      ClientCredentials: () => ttl,
      RefreshToken: () => 86_400,
      IdToken: () => params.number('idTtl', 3_600),
    },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: params.text('registration') !== 'none' },
      revocation: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'tools files',
          accessTokenFormat: 'opaque',
          accessTokenTTL: ttl,
        }),
      },
    },
  };
}
