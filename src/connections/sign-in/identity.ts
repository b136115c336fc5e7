import { fetchToken, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { isObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Challenge } from './authorized-fetch.ts';
import { discover, type Discovered } from './discover.ts';
import { refreshToken, type Renewal, type RenewalOptions, toTokens } from './renewal.ts';
import type { SignIn, Tokens } from './sign-in.ts';

/** A company's identity provider that has signed the person in: for what it vouches, no browser is needed. */
export interface Identity {
  /** An assertion (ID-JAG) for one authorization server; undefined where the provider does not give one. */
  assertionFor(target: AssertionTarget): Promise<string | undefined>;
}

export interface AssertionTarget {
  readonly issuer: string;
  readonly resource: string;
  readonly scope?: string | undefined;
}

export interface IdentityOptions extends RenewalOptions {
  readonly identity: Identity;
  readonly url: string;
  /** Of a request that was turned away: before that, nothing says that the server wants a sign-in. */
  readonly challenge: () => Challenge | undefined;
  /** Where our client metadata document is published (CIMD). */
  readonly metadataUrl: string | undefined;
}

export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag';

/** Tokens by the provider's word where the server takes it, else by a person's sign-in in a browser. */
export function identityTokens(options: IdentityOptions): Renewal {
  const { clock, limits } = options;
  const byPerson = refreshToken(options);
  let asked: Promise<SignIn | undefined> | undefined;
  /** A server or provider that has said no is left alone for a while. */
  let restUntil = Number.NEGATIVE_INFINITY;
  const rest = (): undefined => void (restUntil = clock.monotonic() + limits.identityRestMs);
  const isResting = (): boolean => clock.monotonic() < restUntil;
  const begin = async (): Promise<SignIn | undefined> => {
    const challenge = options.challenge();
    if (!challenge || isResting()) return undefined;
    try {
      return (await enrolled(options, challenge)) ?? rest();
    } catch {
      // Whatever is wrong with its sign-in is said to the person, who signs in instead.
      return rest();
    }
  };
  return {
    begin: () => (asked ??= begin().finally(() => (asked = undefined))),
    canRenew: (signIn) => (signIn.by === 'identity' ? !isResting() : byPerson.canRenew(signIn)),
    request: async (signIn) => {
      if (signIn.by !== 'identity') return await byPerson.request(signIn);
      let tokens: Tokens | undefined;
      try {
        tokens = await exchanged(options, signIn);
      } finally {
        if (!tokens) rest();
      }
      if (tokens) return tokens;
      throw byPerson.refused();
    },
    refused: () => byPerson.refused(),
  };
}

async function enrolled(
  options: IdentityOptions,
  { resourceMetadataUrl, scope: wanted }: Challenge,
): Promise<SignIn | undefined> {
  const { server, url, fetch, metadataUrl } = options;
  const found = await discover({ server, url, fetch, resourceMetadataUrl, hasBrowser: false });
  const { metadata, resource = url, scopes } = found;
  if (!takesAssertions(found)) return undefined;
  const isDocument = metadataUrl !== undefined && metadata['client_id_metadata_document_supported'] === true;
  const scope = wanted ?? scopes?.join(' ');
  const signIn: SignIn = {
    by: 'identity',
    issuer: metadata.issuer,
    metadata,
    resource,
    // Else the provider knows under which name the server knows us: it is in each assertion.
    client: isDocument ? { kind: 'document', id: metadataUrl } : { kind: 'preset', id: '' },
    ...(scope ? { scope } : {}),
  };
  const tokens = await exchanged(options, signIn);
  return tokens && { ...signIn, tokens };
}

function takesAssertions({ metadata }: Discovered): boolean {
  const profiles = metadata['authorization_grant_profiles_supported'];
  return Array.isArray(profiles) && profiles.includes(ID_JAG_PROFILE);
}

async function exchanged(
  { identity, fetch, clock, limits, url }: IdentityOptions,
  { issuer, resource = url, scope, client, metadata }: SignIn,
): Promise<Tokens | undefined> {
  const assertion = await identity.assertionFor({ issuer, resource, scope });
  if (assertion === undefined) return undefined;
  const named = claimsIn(assertion)['client_id'];
  const clientId = client.id === '' && typeof named === 'string' ? named : client.id;
  const parameters = { grant_type: JWT_BEARER, assertion, ...(scope ? { scope } : {}) };
  const answer = await fetchToken(machineClient(clientId, new URLSearchParams(parameters)), issuer, {
    metadata: metadata as never, // checked when it was discovered
    resource,
    fetchFn: fetch,
  });
  return toTokens(answer, { clock, limits, scope });
}

/** The part of the SDK's provider that its token request reads. */
export function machineClient(
  clientId: string,
  parameters: URLSearchParams,
  more: Partial<OAuthClientProvider> & { readonly secret?: string | undefined } = {},
): OAuthClientProvider {
  const { secret, ...rest } = more;
  const never = (): never => {
    throw new Error('a client without a person has no browser to sign in with');
  };
  return {
    redirectUrl: undefined,
    clientMetadata: { redirect_uris: [] },
    clientInformation: () => ({ client_id: clientId, ...(secret ? { client_secret: secret } : {}) }),
    prepareTokenRequest: () => parameters,
    tokens: never,
    saveTokens: never,
    redirectToAuthorization: never,
    saveCodeVerifier: never,
    codeVerifier: never,
    ...rest,
  };
}

/** As its issuer wrote them; the signature is for others to check. */
export function claimsIn(jwt: string): Readonly<Record<string, unknown>> {
  const text = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
  try {
    const claims: unknown = parseJson(text);
    return isObject(claims) ? claims : {};
  } catch {
    return {};
  }
}
