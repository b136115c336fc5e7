import { computeScopeUnion, exchangeAuthorization, startAuthorization } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkAnswer, waitForAnswer } from './callback-answer.ts';
import { listenForCallback, type CallbackListener, type ListenOptions } from './callback-listener.ts';
import { callbackPlaceOf, redirectUriAt } from './callback-place.ts';
import type { Challenge } from './challenge.ts';
import {
  chooseClient,
  informationOf,
  register,
  signInCommand,
  type ClientOptions,
} from './client-information.ts';
import { discover } from './discover.ts';
import { displayNameOf } from './display-name.ts';
import { problemOf } from './problem.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';
import { toTokens } from './tokens.ts';

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
  const next = retryOf(options);
  const answer = await waitForAnswer(listener.answer, { ...options, next });
  const code = checkAnswer(answer, { server, state, metadata, next });
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
      next,
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
        next: retryOf(options),
        details: { redirectUri: redirectUriAt(port), port },
        cause,
      },
    );
  }
}

function retryOf({ server, manual, callbackPort }: AuthorizeOptions): string {
  return signInCommand({ server, clientId: manual?.id, callbackPort });
}

/** A refresh token is worth asking for where the server knows the scope for it. */
function withOfflineAccess(scope: string | undefined, supported: unknown): string | undefined {
  const offers = Array.isArray(supported) && supported.includes('offline_access');
  return scope && offers ? computeScopeUnion(scope, 'offline_access') : scope;
}
