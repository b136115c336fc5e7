import type { Remedy } from '../../base/remedy.ts';
import { computeScopeUnion, exchangeAuthorization, startAuthorization } from '@modelcontextprotocol/client';
import { defined } from '../../base/defined.ts';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import { serverFailure } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import type { Runtime } from '../limits.ts';
import {
  type CallbackListener,
  callbackPlaceOf,
  checkAnswer,
  type ListenOptions,
  redirectUriAt,
  waitForAnswer,
} from './callback-listener.ts';
import { type Callbacks, loopbackCallbacks } from './callbacks.ts';
import type { Challenge } from './authorized-fetch.ts';
import { chooseClient, type ClientOptions, informationOf, register } from './client-information.ts';
import { discover } from './discover.ts';
import { problemOf } from './problem.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';
import { toTokens } from './renewal.ts';
import { createHash } from 'node:crypto';

export interface AuthorizeOptions
  extends Runtime, Pick<ClientOptions, 'server' | 'manual' | 'callbackPort' | 'preset' | 'metadataUrl'> {
  readonly url: string;
  /** Default: a listener of our own on loopback. */
  readonly callbacks?: Callbacks | undefined;
  /** From the server's refusal. */
  readonly challenge?: Challenge | undefined;
  /** Its client is kept where the issuer is the same. */
  readonly before?: SignIn | undefined;
  /** Opens a browser, or prints the address. */
  readonly open: (address: URL) => Promise<void>;
  /** The address that the browser ended at, where it runs on another machine. */
  readonly pasted?: Promise<string> | undefined;
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
}

export interface Authorized {
  readonly signIn: SignIn;
  /** Equal for two sign-ins of one person, as far as the authorization server tells them apart. */
  readonly identity: string;
  /** The person's name at the authorization server, if it says. */
  readonly displayName?: string;
}

/** Signs a person in: discovery, identity, browser, code, tokens (OAuth 2.1 with PKCE). */
export async function authorize(options: AuthorizeOptions): Promise<Authorized> {
  const { server, url, challenge, before, fetch, ids, clock, limits, callbackPort } = options;
  const resourceMetadataUrl = challenge?.resourceMetadataUrl;
  const { metadata, assumed, resource, scopes } = await discover({ server, url, resourceMetadataUrl, fetch });
  const same = before?.issuer === metadata.issuer ? before : undefined;
  const wanted = challenge?.scope ?? scopes?.join(' ');
  const scope = withOfflineAccess(computeScopeUnion(same?.scope, wanted), metadata['scopes_supported']);
  const state = ids.next('state');
  const choice = chooseClient({ ...options, metadata, known: same?.client });
  const place = callbackPlaceOf(choice, { port: callbackPort, ids });
  await using listener = await listen({ place, state }, options);
  const { redirectUri } = listener;
  const client =
    choice === 'register' ? await register({ ...options, metadata, assumed, redirectUri, scope }) : choice;
  const clientInformation = informationOf(client);
  const given = { ...(resource ? { resource } : {}), ...(scope ? { scope } : {}) };
  const begun = await startAuthorization(metadata.issuer, {
    metadata: metadata as never, // checked when it was read
    clientInformation,
    redirectUrl: redirectUri,
    state,
    ...given,
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
    const kept = toTokens(tokens, { clock, limits, scope });
    const signIn = { issuer: metadata.issuer, metadata, client, ...given, tokens: kept };
    const { displayName, subject } = await personOf(signIn, tokens.id_token, { fetch, limits });
    // Without a subject every sign-in may be another person's.
    const identity = subject ?? ids.next('identity');
    return { signIn: { ...signIn, identity }, identity, ...(displayName ? { displayName } : {}) };
  } catch (error) {
    if (error instanceof PlugError) throw error;
    const message = `The sign-in at ${server} failed: ${problemOf(error)}.`;
    throw serverFailure('protocol_error', server, message, { remedy, cause: error });
  }
}

/** Never silently on another port: the authorization server would refuse that address. */
async function listen(where: ListenOptions, options: AuthorizeOptions): Promise<CallbackListener> {
  try {
    return await (options.callbacks ?? loopbackCallbacks).listen(where);
  } catch (cause) {
    const { server } = options;
    const { port } = where.place;
    const redirectUri = redirectUriAt(port);
    const why = hasCode(cause, 'EADDRINUSE')
      ? 'another program on this machine, or another sign-in that still waits, uses that port'
      : `the port cannot be used (${messageOf(cause)})`;
    const message = `The browser can’t return to ${redirectUri}: ${why}. Free the port and try again; or register another redirect address, and give its port with --callback-port.`;
    const details = { redirectUri, port };
    throw new PlugError('sign_in_needed', message, {
      owner: 'you',
      server,
      remedy: retryOf(options),
      details,
      cause,
    });
  }
}

function retryOf({ server, manual, callbackPort }: AuthorizeOptions): Remedy {
  return { do: 'sign-in', server, ...defined({ clientId: manual?.id, callbackPort }) };
}

/** Asks for a refresh token where the server knows the scope for it. */
function withOfflineAccess(scope: string | undefined, supported: unknown): string | undefined {
  const offers = Array.isArray(supported) && supported.includes('offline_access');
  return scope && offers ? computeScopeUnion(scope, 'offline_access') : scope;
}

/** From the ID token of the sign-in, else from the userinfo endpoint. Signing in works without it. */
async function personOf(
  signIn: SignIn,
  idToken: string | undefined,
  { fetch, limits }: { readonly fetch: Fetch; readonly limits: Limits },
): Promise<{ readonly displayName?: string; readonly subject?: string }> {
  const own = claimsIn(idToken, signIn);
  const named = own && nameIn(own) !== undefined;
  const asked = named ? undefined : await askUserInfo(signIn, fetch);
  // Claims about another person than the ID token's must not be used (OpenID Core §5.3.2).
  const other = own !== undefined && asked !== undefined && asked['sub'] !== own['sub'];
  const claims = other ? own : (asked ?? own);
  if (!claims) return {};
  const displayName = nameIn(claims, limits);
  return defined({ displayName, subject: subjectIn(signIn, claims, displayName) });
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

/** The token endpoint sent it, so its signature need not be checked (OpenID Core §3.1.3.7). */
function claimsIn(idToken: string | undefined, { issuer, client }: SignIn): Claims | undefined {
  const [, payload = ''] = idToken?.split('.') ?? [];
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (!isObject(claims) || claims['iss'] !== issuer) return undefined;
    const audience = claims['aud'];
    const ours = Array.isArray(audience) ? audience.includes(client.id) : audience === client.id;
    return ours ? claims : undefined;
  } catch {
    return undefined; // absent, or no JWT
  }
}

async function askUserInfo({ metadata, tokens }: SignIn, fetch: Fetch): Promise<Claims | undefined> {
  const address = metadata['userinfo_endpoint'];
  if (typeof address !== 'string' || !tokens) return undefined;
  try {
    const url = checkSignInAddress(address, 'a userinfo endpoint', metadata.issuer);
    // The token goes to its issuer alone, whatever place the metadata names.
    if (url.origin !== new URL(metadata.issuer).origin) return undefined;
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${tokens.access}`, accept: 'application/json' },
      redirect: 'error',
    });
    const claims: unknown = response.ok ? await response.json() : undefined;
    return isObject(claims) ? claims : undefined;
  } catch {
    return undefined; // the name is optional
  }
}

function nameIn(claims: Claims, limits?: Limits): string | undefined {
  for (const field of ['preferred_username', 'email', 'name', 'nickname', 'login']) {
    const value = claims[field];
    // Shown beside our own words, it must not be able to redraw them.
    const clean = typeof value === 'string' ? value.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim() : '';
    if (clean !== '') return clean.slice(0, limits?.displayNameCharsMax);
  }
  return undefined;
}
