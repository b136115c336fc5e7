import {
  computeScopeUnion,
  exchangeAuthorization,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { listenForCallback } from './callback-listener.ts';
import type { Challenge } from './challenge.ts';
import { identify, informationOf, type ClientOptions } from './client-information.ts';
import { discover } from './discover.ts';
import { displayNameOf } from './display-name.ts';
import { problemOf } from './problem.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { OAuthClient, SignIn } from './sign-in.ts';
import { toTokens } from './tokens.ts';

export interface AuthorizeOptions extends Pick<ClientOptions, 'manual' | 'preset' | 'metadataUrl'> {
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
  /** What the authorization server calls the person, if it says. */
  readonly displayName?: string;
}

/** Signs a person in: discovery, identity, browser, code, tokens (OAuth 2.1 with PKCE). */
export async function authorize(options: AuthorizeOptions): Promise<Authorized> {
  const { server, url, challenge, before, fetch, ids, clock, limits } = options;
  const resourceMetadataUrl = challenge?.resourceMetadataUrl;
  const { metadata, resource, scopes } = await discover({ server, url, resourceMetadataUrl, fetch });
  const same = before?.issuer === metadata.issuer ? before : undefined;
  const wanted = challenge?.scope ?? scopes?.join(' ');
  const scope = withOfflineAccess(computeScopeUnion(same?.scope, wanted), metadata['scopes_supported']);
  await using listener = await listenForCallback(ids);
  const { redirectUri } = listener;
  const known = same && reusable(same.client) ? same.client : undefined;
  const client = known ?? (await identify({ ...options, metadata, redirectUri, scope }));
  const state = ids.next('state');
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
  const answer = await waitForAnswer(options, listener.answer);
  const code = checkAnswer(answer, { server, state, metadata });
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
    const displayName = await displayNameOf(signIn, tokens.id_token, { fetch, clock, limits });
    return { signIn, ...(displayName ? { displayName } : {}) };
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw new PlugError('protocol_error', `The sign-in at ${server} failed: ${problemOf(error)}.`, {
      owner: 'server',
      server,
      next: `plug auth ${server}`,
      cause: error,
    });
  }
}

/** A registration names one redirect address, and ours is new each time; a document or preset allows any port. */
function reusable(client: OAuthClient): boolean {
  return client.kind !== 'registered';
}

/** A refresh token is worth asking for where the server knows the scope for it. */
function withOfflineAccess(scope: string | undefined, supported: unknown): string | undefined {
  const offers = Array.isArray(supported) && supported.includes('offline_access');
  return scope && offers ? computeScopeUnion(scope, 'offline_access') : scope;
}

async function waitForAnswer(
  options: AuthorizeOptions,
  came: Promise<URLSearchParams>,
): Promise<URLSearchParams> {
  const { clock, limits, server, signal, pasted } = options;
  const done = new AbortController();
  const until = signal ? AbortSignal.any([signal, done.signal]) : done.signal;
  const timeout = clock.sleep(limits.signInTimeoutMs, until).then(() => {
    const minutes = Math.round(limits.signInTimeoutMs / 60_000);
    throw new PlugError('sign_in_needed', `Nobody signed in to ${server} within ${minutes} minutes.`, {
      owner: 'you',
      server,
      next: `plug auth ${server}`,
    });
  });
  const byHand = pasted?.then((address) => {
    if (URL.canParse(address.trim())) return new URL(address.trim()).searchParams;
    throw new PlugError('usage', 'That is not the address that the browser ended at.', {
      owner: 'you',
      server,
      next: `plug auth ${server}`,
    });
  });
  try {
    return await Promise.race([came, timeout, ...(byHand ? [byHand] : [])]);
  } catch (error) {
    if (!signal?.aborted) throw error;
    throw new PlugError('cancelled', `The sign-in at ${server} was cancelled.`, { owner: 'you', server });
  } finally {
    done.abort();
  }
}

/** What the browser brought back: ours, from the right issuer, and not a refusal. */
function checkAnswer(
  answer: URLSearchParams,
  {
    server,
    state,
    metadata,
  }: { readonly server: string; readonly state: string; readonly metadata: SignIn['metadata'] },
): string {
  const refuse = (message: string): PlugError =>
    new PlugError('denied', message, { owner: 'server', server, next: `plug auth ${server}` });
  if (answer.get('state') !== state) throw refuse(`The answer to the sign-in at ${server} was not for us.`);
  try {
    validateAuthorizationResponseIssuer({
      iss: answer.get('iss') ?? undefined,
      expectedIssuer: metadata.issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    });
  } catch {
    // Its text is not repeated: on a mismatch it comes from somebody we do not know.
    throw refuse(`The answer to the sign-in at ${server} came from another issuer.`);
  }
  const error = answer.get('error');
  if (error === 'access_denied') throw refuse(`You did not let us into ${server}.`);
  if (error !== null) throw refuse(`The authorization server of ${server} refused: ${error.slice(0, 100)}.`);
  const code = answer.get('code');
  if (code === null) throw refuse(`The answer to the sign-in at ${server} has no code.`);
  return code;
}
