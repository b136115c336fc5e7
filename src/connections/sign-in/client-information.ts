import { OAuthError, registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { editServer } from '../causes/edit-server.ts';
import { plainAddress } from '../causes/known-causes.ts';
import { KEY_HEADER, KEY_NEEDED } from '../causes/key-needed.ts';
import { serverFailure } from '../failures.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { redirectUriAt } from './callback-listener.ts';
import { isRedirected } from './metadata-fetch.ts';
import { problemOf } from './problem.ts';
import type { AuthorizationServer, OAuthClient } from './sign-in.ts';

export interface ClientOptions {
  readonly server: string;
  /** Of the server. */
  readonly url: string;
  readonly metadata: AuthorizationServer;
  /** Registered by the user at the authorization server. */
  readonly manual?: Pick<OAuthClient, 'id' | 'secret'> | undefined;
  /** Our client at this very issuer before. */
  readonly known?: OAuthClient | undefined;
  readonly callbackPort?: number | undefined;
  /** Our own entry at well-known authorization servers, by issuer. */
  readonly preset?: ((issuer: string) => Pick<OAuthClient, 'id' | 'secret'> | undefined) | undefined;
  /** Where our client metadata document is published (CIMD). */
  readonly metadataUrl?: string | undefined;
}

/**
 * The user's own client, now or before, our published document, a preset, or a registration, which is
 * made anew for each sign-in because its redirect address is.
 */
export function chooseClient(options: ClientOptions): OAuthClient | 'register' {
  const { metadata, manual, known, metadataUrl, callbackPort } = options;
  const before = known?.kind === 'manual' ? known : undefined;
  const byHand = manual ? { kind: 'manual' as const, ...manual } : before;
  if (byHand) {
    // The port belongs to the registration.
    const port = callbackPort ?? (before?.id === byHand.id ? before.callbackPort : undefined);
    return { ...byHand, ...defined({ callbackPort: port }) };
  }
  if (metadataUrl && metadata['client_id_metadata_document_supported'] === true) {
    return { kind: 'document', id: metadataUrl };
  }
  const preset = options.preset?.(metadata.issuer);
  if (preset) return { kind: 'preset', ...preset };
  if (metadata.registration_endpoint !== undefined) return 'register';
  throw noRegistration(options);
}

/** In the fields of token endpoints. */
export function informationOf({ id, secret, authMethod }: OAuthClient): {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
} {
  return {
    client_id: id,
    ...(secret ? { client_secret: secret } : {}),
    ...(authMethod ? { token_endpoint_auth_method: authMethod } : {}),
  };
}

export interface RegisterOptions extends ClientOptions {
  readonly redirectUri: string;
  readonly scope?: string | undefined;
  /** Nothing was published: that there is a sign-in at all is a guess. */
  readonly assumed: boolean;
  readonly fetch: Fetch;
}

export async function register(options: RegisterOptions): Promise<OAuthClient> {
  const { metadata, server, redirectUri, scope, fetch } = options;
  const supported = metadata.token_endpoint_auth_methods_supported;
  const method = AUTH_METHODS.find((each) => !supported || supported.includes(each)) ?? 'none';
  try {
    const client = await registerClient(metadata.issuer, {
      metadata: metadata as never, // checked when it was read
      clientMetadata: {
        client_name: 'Plugboard',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: method,
        // The address of a team is a web application's.
        application_type: redirectUri.startsWith('https:') ? 'web' : 'native',
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetch,
    });
    const { client_id: id, client_secret: secret, token_endpoint_auth_method: authMethod } = client;
    return { kind: 'registered', id, ...(secret ? { secret } : {}), ...(authMethod ? { authMethod } : {}) };
  } catch (error) {
    if (options.assumed && !(error instanceof PlugError)) throw noSignIn(options, error);
    if (error instanceof RegistrationRejectedError || error instanceof OAuthError || isRedirected(error))
      throw noRegistration(options, error);
    if (error instanceof PlugError) throw error;
    const message = `${server} did not register us: ${problemOf(error)}.`;
    throw serverFailure('protocol_error', server, message, {
      remedy: { do: 'sign-in', server },
      cause: error,
    });
  }
}

/** A program on the user's machine cannot keep a secret: it takes one only where it must. */
const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const;

function noSignIn({ server, url }: ClientOptions, cause: unknown): PlugError {
  return new PlugError('sign_in_needed', `${server} offers no sign-in. It needs an API key.`, {
    owner: 'you',
    server,
    remedy: editServer({ server, address: plainAddress(url) }, `headers.${KEY_HEADER}`),
    details: { needs: KEY_NEEDED },
    cause,
  });
}

function noRegistration({ server, metadata, callbackPort }: ClientOptions, cause?: unknown): PlugError {
  const redirectUri = redirectUriAt(callbackPort);
  const message = `${server} doesn’t support automatic registration. Register an app at ${metadata.issuer} with exactly the redirect URL ${redirectUri}, then give its id.`;
  return new PlugError('sign_in_needed', message, {
    owner: 'you',
    server,
    remedy: { do: 'give-client-id', server, ...defined({ callbackPort }) },
    details: { redirectUri, issuer: metadata.issuer },
    cause,
  });
}
