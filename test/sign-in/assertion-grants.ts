import { createPublicKey, type KeyObject, type KeyPairKeyObjectResult, sign, verify } from 'node:crypto';
import type OidcProvider from 'oidc-provider';
import type { GrantContext } from 'oidc-provider';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

type Claims = Readonly<Record<string, unknown>>;

interface ProviderOptions {
  readonly issuer: string;
  readonly keys: KeyPairKeyObjectResult;
  readonly apps: ReadonlyMap<string, string>;
  readonly person: () => string;
}

/** The identity provider's side: an ID token of the client that asks, for an assertion to another server. */
export function exchangeIdentities(provider: OidcProvider, options: ProviderOptions): void {
  const { issuer, keys, apps } = options;
  const fields = ['audience', 'resource', 'scope', 'subject_token', 'subject_token_type'];
  const all = [...fields, 'requested_token_type'];
  provider.registerGrantType(
    TOKEN_EXCHANGE,
    (context) => {
      const { params, client } = context.oidc;
      const claims = claimsOf(params['subject_token'], keys.publicKey);
      const isOurs = claims?.['iss'] === issuer && claims['aud'] === client.clientId && isAlive(claims);
      if (!isOurs) return refuse(context, 'invalid_grant');
      const audience = String(params['audience']);
      const clientId = apps.get(audience);
      if (params['requested_token_type'] !== ID_JAG || !clientId) return refuse(context, 'invalid_target');
      const now = Math.floor(Date.now() / 1_000);
      const { sub } = claims;
      const said = { iss: issuer, sub, aud: audience, client_id: clientId, jti: crypto.randomUUID() };
      const more = {
        resource: String(params['resource']),
        scope: params['scope'],
        email: `${String(sub)}@example.com`,
      };
      const assertion = jwt({ ...said, ...more, iat: now, exp: now + 120 }, keys.privateKey);
      context.body = {
        access_token: assertion,
        issued_token_type: ID_JAG,
        token_type: 'N_A',
        expires_in: 120,
      };
      return Promise.resolve();
    },
    all,
  );
}

interface ServerOptions {
  readonly issuer: string;
  readonly idp: string;
  readonly lifetime: () => number;
}

/** The other side: an assertion of that provider, for us and this client, once, for an access token. */
export function takeAssertions(provider: OidcProvider, { issuer, idp, lifetime }: ServerOptions): void {
  const used = new Set<unknown>();
  provider.registerGrantType(
    JWT_BEARER,
    async (context) => {
      const { params, client } = context.oidc;
      const { keys } = (await (await fetch(`${idp}/jwks`)).json()) as { keys: object[] }; // RFC 7517
      const claims = claimsOf(params['assertion'], createPublicKey({ key: keys[0] as never, format: 'jwk' }));
      const isForUs = claims?.['iss'] === idp && claims['aud'] === issuer && isAlive(claims);
      if (!isForUs || claims['client_id'] !== client.clientId || used.has(claims['jti']))
        return refuse(context, 'invalid_grant');
      used.add(claims['jti']);
      const scope = 'tools';
      const token = new provider.AccessToken({
        accountId: String(claims['sub']),
        client,
        scope,
        gty: JWT_BEARER,
      });
      token.resourceServer = new provider.ResourceServer(String(claims['resource']), {
        scope,
        accessTokenFormat: 'opaque',
        accessTokenTTL: lifetime(),
      });
      const access = await token.save();
      context.body = { access_token: access, token_type: 'Bearer', expires_in: lifetime(), scope };
    },
    ['assertion', 'scope', 'resource'],
  );
}

function refuse(context: GrantContext, error: string): Promise<void> {
  context.status = 400;
  context.body = { error };
  return Promise.resolve();
}

function isAlive({ exp }: Claims): boolean {
  return typeof exp === 'number' && exp * 1_000 > Date.now();
}

function claimsOf(token: unknown, key: KeyObject): Claims | undefined {
  const [head = '', body = '', signature = ''] = typeof token === 'string' ? token.split('.') : [];
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? (JSON.parse(Buffer.from(body, 'base64url').toString()) as Claims) : undefined;
}

function jwt(claims: Claims, key: KeyObject): string {
  const header = { alg: 'RS256', kid: 'fixture', typ: 'oauth-id-jag+jwt' };
  const parts = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  return [...parts, sign('sha256', Buffer.from(parts.join('.')), key).toString('base64url')].join('.');
}
