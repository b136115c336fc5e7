import type { OAuthExtensionGrantHandler } from '@better-auth/oauth-provider';
import { APIError } from 'better-auth/api';
import { verifyJwsAccessToken } from 'better-auth/oauth2';
import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import { PROVIDER, type SingleSignOn } from '../single-sign-on.ts';
import { AUTH_PATH } from '../auth-path.ts';
import { digestOf } from './digest.ts';

/** A JWT bearer grant (RFC 7523); the assertion is an ID-JAG of the team's identity provider. */
export const ID_JAG = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

interface AssertionOptions {
  readonly url: string;
  readonly singleSignOn: SingleSignOn;
  readonly resources: readonly string[];
  readonly fetch: Fetch;
  readonly clock: Clock;
}

type Input = Parameters<OAuthExtensionGrantHandler>[0];
type Claims = Readonly<Record<string, unknown>>;

/** The identity provider has decided that this host may act for this person: no consent is asked. */
export function identityAssertions(options: AssertionOptions): OAuthExtensionGrantHandler {
  return async ({ ctx, provider }) => {
    const { clientId, client } = await provider.authenticateClient();
    const assertion: unknown = isObject(ctx.body) ? ctx.body['assertion'] : undefined;
    if (typeof assertion !== 'string') throw refused('invalid_request', 'the assertion is missing');
    const claims = await verified(assertion, options);
    if (claims['client_id'] !== clientId)
      throw refused('invalid_grant', 'the assertion is for another client');
    const resource = claims['resource'];
    if (typeof resource !== 'string' || !options.resources.includes(resource))
      throw refused('invalid_grant', 'the assertion is for another resource');
    await takeOnce(ctx, claims, options.clock);
    const user = await personOf(ctx, claims, options.singleSignOn);
    if (!user) throw refused('invalid_grant', 'the assertion doesn’t name a member of this team');
    const given = typeof claims['scope'] === 'string' ? claims['scope'].split(' ') : [];
    // Each new token needs a new assertion: the provider's word may change.
    const scopes = given.filter((scope) => scope === 'mcp');
    if (scopes.length === 0) throw refused('invalid_scope', 'the assertion gives no scope of ours');
    return await provider.issueTokens({ client, user, scopes, resources: [resource] });
  };
}

/** Signature, algorithm, type, issuer, audience and times. */
async function verified(assertion: string, options: AssertionOptions): Promise<Claims> {
  const { url, singleSignOn } = options;
  try {
    const claims: Claims = await verifyJwsAccessToken(assertion, {
      jwksFetch: () => keysOf(options),
      jwksCacheKey: singleSignOn,
      verifyOptions: {
        issuer: singleSignOn.issuer,
        audience: `${url}${AUTH_PATH}`,
        typ: 'oauth-id-jag+jwt',
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        requiredClaims: ['sub', 'iat', 'exp', 'jti', 'client_id', 'resource'],
        maxTokenAge: `${ASSERTION_SECONDS_MAX}s`,
      },
    });
    return claims;
  } catch {
    throw refused('invalid_grant', 'the assertion is not valid');
  }
}

const ASSERTION_SECONDS_MAX = 600;
const ASSERTION_MS_MAX = ASSERTION_SECONDS_MAX * 1_000;

async function keysOf({ singleSignOn, fetch }: AssertionOptions): Promise<never> {
  const document = await readJson(singleSignOn.provider.discoveryUrl ?? '', fetch);
  const address = document['jwks_uri'];
  return (await readJson(typeof address === 'string' ? address : '', fetch)) as never; // checked by its reader
}

async function readJson(address: string, fetch: Fetch): Promise<Claims> {
  const response = await fetch(address, { signal: timeoutSignal(KEYS_MS) });
  const value: unknown = await response.json();
  return isObject(value) ? value : {};
}

const KEYS_MS = 5_000;

/** The database decides which of two comes first, on whatever replica. */
async function takeOnce({ context }: Input['ctx'], claims: Claims, clock: Clock): Promise<void> {
  const digest = digestOf(JSON.stringify([claims['iss'], claims['jti']]));
  const { adapter } = context;
  // Those older than that are refused for their age.
  const before = {
    field: 'expiresAt',
    operator: 'lt' as const,
    value: new Date(clock.now() - ASSERTION_MS_MAX),
  };
  await adapter.deleteMany({ model: 'usedAssertion', where: [before] });
  const expiresAt = new Date(clock.now() + ASSERTION_MS_MAX);
  await adapter.create({ model: 'usedAssertion', data: { digest, expiresAt } }).catch(() => {
    throw refused('invalid_grant', 'the assertion was used before');
  });
}

/** Who has signed in by the provider before, else whom the directory or an invitation made known. */
async function personOf(
  { context }: Input['ctx'],
  { sub, email, email_verified: isVerified }: Claims,
  { trustsEmail }: SingleSignOn,
): Promise<KnownUser | undefined> {
  const { internalAdapter, adapter } = context;
  const account = await adapter.findOne<{ readonly userId: string }>({
    model: 'account',
    where: [
      { field: 'providerId', value: PROVIDER },
      { field: 'accountId', value: String(sub) },
    ],
  });
  if (account) return (await internalAdapter.findUserById(account.userId)) ?? undefined;
  if (typeof email !== 'string' || (isVerified !== true && !trustsEmail)) return undefined;
  return (await internalAdapter.findUserByEmail(email.toLowerCase()))?.user;
}

type KnownUser = NonNullable<Awaited<ReturnType<Input['ctx']['context']['internalAdapter']['findUserById']>>>;

function refused(error: string, description: string): APIError {
  return new APIError('BAD_REQUEST', { error, error_description: description });
}
