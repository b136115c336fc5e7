import type { Remedy } from '../../base/remedy.ts';
import { computeScopeUnion, exchangeAuthorization, startAuthorization } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import {
  type CallbackListener,
  checkAnswer,
  listenForCallback,
  type ListenOptions,
  waitForAnswer,
} from './callback-listener.ts';
import { callbackPlaceOf, redirectUriAt } from './callback-place.ts';
import type { Challenge } from './challenge.ts';
import { chooseClient, type ClientOptions, informationOf, register } from './client-information.ts';
import { discover } from './discover.ts';
import { problemOf } from './problem.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';
import { toTokens } from './renewal.ts';
import { createHash } from 'node:crypto';

export interface AuthorizeOptions extends Pick<
  ClientOptions,
  'manual' | 'callbackPort' | 'preset' | 'metadataUrl'
> {
  readonly server: string;
  readonly url: string;
  /** What the server said when it turned us away. */
  readonly challenge?: Challenge | undefined;
  /** An earlier sign-in at this server: its client is kept where the issuer is the same. */
  readonly before?: SignIn | undefined;
  /** Shows the address to the person: opens a browser, or prints it. */
  readonly open: (address: URL) => Promise<void>;
  /** The address that the browser ended at, when the person pastes it (no browser on this machine). */
  readonly pasted?: Promise<string> | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
}

export interface Authorized {
  readonly signIn: SignIn;
  /** Equal for two sign-ins of one person, as far as the authorization server tells them apart. */
  readonly identity: string;
  /** What the authorization server calls the person, if it says. */
  readonly displayName?: string;
}

/** Signs a person in: discovery, identity, browser, code, tokens (OAuth 2.1 with PKCE). */
export async function authorize(options: AuthorizeOptions): Promise<Authorized> {
  const { server, url, challenge, before, fetch, ids, clock, limits, callbackPort } = options;
  const resourceMetadataUrl = challenge?.resourceMetadataUrl;
  const { metadata, resource, scopes } = await discover({ server, url, resourceMetadataUrl, fetch });
  const same = before?.issuer === metadata.issuer ? before : undefined;
  const wanted = challenge?.scope ?? scopes?.join(' ');
  const scope = withOfflineAccess(computeScopeUnion(same?.scope, wanted), metadata['scopes_supported']);
  const state = ids.next('state');
  const choice = chooseClient({ ...options, metadata, known: same?.client });
  const place = callbackPlaceOf(choice, { port: callbackPort, ids });
  await using listener = await listen({ place, state }, options);
  const { redirectUri } = listener;
  const client =
    choice === 'register' ? await register({ ...options, metadata, redirectUri, scope }) : choice;
  const clientInformation = informationOf(client);
  const begun = await startAuthorization(metadata.issuer, {
    metadata: metadata as never, // checked when it was read
    clientInformation,
    redirectUrl: redirectUri,
    state,
    ...(scope ? { scope } : {}),
    ...(resource ? { resource } : {}),
  });
  await options.open(checkSignInAddress(begun.authorizationUrl.href, 'a sign-in page', server));
  const remedy = retryOf(options);
  const answer = await waitForAnswer(listener.answer, { ...options, remedy });
  const code = checkAnswer(answer, { server, state, metadata, remedy });
  try {
    const tokens = await exchangeAuthorization(metadata.issuer, {
      metadata: metadata as never,
      clientInformation,
      authorizationCode: code,
      ...(answer.has('iss') ? { iss: answer.get('iss') ?? '' } : {}),
      codeVerifier: begun.codeVerifier,
      redirectUri,
      ...(resource ? { resource } : {}),
      fetchFn: fetch,
    });
    const signIn = {
      issuer: metadata.issuer,
      metadata,
      client,
      ...(resource ? { resource } : {}),
      ...(scope ? { scope } : {}),
      tokens: toTokens(tokens, { clock, limits, scope }),
    };
    const { displayName, subject } = await personOf(signIn, tokens.id_token, { fetch, clock, limits });
    // Without a word from the authorization server every sign-in may be somebody else's.
    const identity = subject ?? ids.next('identity');
    return { signIn: { ...signIn, identity }, identity, ...(displayName ? { displayName } : {}) };
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw new PlugError('protocol_error', `The sign-in at ${server} failed: ${problemOf(error)}.`, {
      owner: 'server',
      server,
      remedy,
      cause: error,
    });
  }
}

/** Never silently on another port: the authorization server would refuse that address. */
async function listen(where: ListenOptions, options: AuthorizeOptions): Promise<CallbackListener> {
  try {
    return await listenForCallback(where);
  } catch (cause) {
    const { server } = options;
    const { port } = where.place;
    const why =
      isObject(cause) && cause['code'] === 'EADDRINUSE'
        ? 'another program on this machine, or another sign-in that still waits, uses that port'
        : `the port cannot be used (${messageOf(cause)})`;
    throw new PlugError(
      'sign_in_needed',
      `The browser cannot come back to ${redirectUriAt(port)}: ${why}. Free the port and try again; or register another redirect address, and give its port with --callback-port.`,
      {
        owner: 'you',
        server,
        remedy: retryOf(options),
        details: { redirectUri: redirectUriAt(port), port },
        cause,
      },
    );
  }
}

function retryOf({ server, manual, callbackPort }: AuthorizeOptions): Remedy {
  return {
    do: 'sign-in',
    server,
    ...(manual === undefined ? {} : { clientId: manual.id }),
    ...(callbackPort === undefined ? {} : { callbackPort }),
  };
}

/** A refresh token is worth asking for where the server knows the scope for it. */
function withOfflineAccess(scope: string | undefined, supported: unknown): string | undefined {
  const offers = Array.isArray(supported) && supported.includes('offline_access');
  return scope && offers ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** Who signed in, as far as the authorization server says it. */
interface Person {
  /** For “Connected as …”. */
  readonly displayName?: string;
  /** Equal for two sign-ins of one person. */
  readonly subject?: string;
}

/**
 * From the ID token that came with the sign-in, else from the userinfo endpoint. It is a courtesy:
 * without it all still works.
 */
async function personOf(
  signIn: SignIn,
  idToken: string | undefined,
  options: { readonly fetch: Fetch; readonly clock: Clock; readonly limits: Limits },
): Promise<Person> {
  const own = claimsIn(idToken, signIn);
  const named = own && nameIn(own) !== undefined;
  const asked = named ? undefined : await askUserInfo(signIn, options.fetch);
  // Claims about somebody else than the ID token says are not to be used (OpenID Core §5.3.2).
  const other = own !== undefined && asked !== undefined && asked['sub'] !== own['sub'];
  const claims = other ? own : (asked ?? own);
  if (!claims) return {};
  const displayName = nameIn(claims, options.limits);
  const subject = subjectIn(signIn, claims, displayName);
  return {
    ...(displayName === undefined ? {} : { displayName }),
    ...(subject === undefined ? {} : { subject }),
  };
}

/** Some servers name the person by a name alone. */
function subjectIn({ issuer }: SignIn, { sub }: Claims, name: string | undefined): string | undefined {
  const who = typeof sub === 'string' && sub !== '' ? ['sub', sub] : name && ['name', name];
  if (!who) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([issuer, ...who]))
    .digest('hex')
    .slice(0, 32);
}

type Claims = Readonly<Record<string, unknown>>;

/** It came straight from the token endpoint, so its signature need not be checked (OpenID Core §3.1.3.7). */
function claimsIn(idToken: string | undefined, { issuer, client }: SignIn): Claims | undefined {
  const [, payload = ''] = idToken?.split('.') ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims) || claims['iss'] !== issuer) return undefined;
    const audience = claims['aud'];
    const ours = Array.isArray(audience) ? audience.includes(client.id) : audience === client.id;
    return ours ? claims : undefined;
  } catch {
    return undefined; // there is none, or it is no JWT
  }
}

async function askUserInfo({ metadata, tokens }: SignIn, fetch: Fetch): Promise<Claims | undefined> {
  const address = metadata['userinfo_endpoint'];
  if (typeof address !== 'string' || !tokens) return undefined;
  try {
    const url = checkSignInAddress(address, 'a userinfo endpoint', metadata.issuer);
    // The token goes to whoever issued it, and to no other place that the metadata may name.
    if (url.origin !== new URL(metadata.issuer).origin) return undefined;
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${tokens.access}`, accept: 'application/json' },
      redirect: 'error',
    });
    const claims: unknown = response.ok ? await response.json() : undefined;
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined; // the name is a courtesy
  }
}

function nameIn(claims: Claims, limits?: Limits): string | undefined {
  for (const field of ['preferred_username', 'email', 'name', 'nickname', 'login']) {
    const value = claims[field];
    // What is shown beside our own words must not be able to redraw them.
    const clean = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '';
    if (clean !== '') return clean.slice(0, limits?.displayNameCharsMax);
  }
  return undefined;
}
