import { OAuthError, registerClient, RegistrationRejectedError } from '@modelcontextprotocol/client';
import { PlugError } from '../../base/errors.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { redirectUriAt } from './callback-place.ts';
import { isRedirected } from './metadata-fetch.ts';
import { problemOf } from './problem.ts';
import type { AuthorizationServer, OAuthClient } from './sign-in.ts';

export interface ClientOptions {
  readonly server: string;
  readonly metadata: AuthorizationServer;
  /** Registered by the user at the authorization server's own page. */
  readonly manual?: { readonly id: string; readonly secret?: string } | undefined;
  /** How we were known at this very issuer before. */
  readonly known?: OAuthClient | undefined;
  /** Where the user wants the browser to come back to. */
  readonly callbackPort?: number | undefined;
  /** Our own entry at well-known authorization servers, by issuer. */
  readonly preset?:
    | ((issuer: string) => { readonly id: string; readonly secret?: string } | undefined)
    | undefined;
  /** Where our client metadata document is published (CIMD). */
  readonly metadataUrl?: string | undefined;
}

/**
 * How we will be known: what the user gave, now or before, our published document, a preset, or a
 * registration, which is made anew for each sign-in because its redirect address is.
 */
export function chooseClient(options: ClientOptions): OAuthClient | 'register' {
  const { metadata, manual, known, metadataUrl, callbackPort } = options;
  const before = known?.kind === 'manual' ? known : undefined;
  const byHand = manual ? { kind: 'manual' as const, ...manual } : before;
  if (byHand) {
    // The port belongs to the registration: it is known as long as that is the same.
    const port = callbackPort ?? (before?.id === byHand.id ? before.callbackPort : undefined);
    return { ...byHand, ...(port === undefined ? {} : { callbackPort: port }) };
  }
  if (metadataUrl && metadata['client_id_metadata_document_supported'] === true) {
    return { kind: 'document', id: metadataUrl };
  }
  const preset = options.preset?.(metadata.issuer);
  if (preset) return { kind: 'preset', ...preset };
  if (metadata.registration_endpoint !== undefined) return 'register';
  throw noRegistration(options);
}

/** A client as token endpoints want to hear of it. */
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
  readonly fetch: Fetch;
}

export async function register(options: RegisterOptions): Promise<OAuthClient> {
  const { metadata, server, redirectUri, scope, fetch } = options;
  const supported = metadata.token_endpoint_auth_methods_supported;
  const method = AUTH_METHODS.find((each) => !supported || supported.includes(each)) ?? 'none';
  try {
    const client = await registerClient(metadata.issuer, {
      // The schema was checked when the metadata was read.
      metadata: metadata as never,
      clientMetadata: {
        client_name: 'Plugboard',
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: method,
        application_type: 'native',
      },
      ...(scope === undefined ? {} : { scope }),
      fetchFn: fetch,
    });
    const { client_id: id, client_secret: secret, token_endpoint_auth_method: authMethod } = client;
    return { kind: 'registered', id, ...(secret ? { secret } : {}), ...(authMethod ? { authMethod } : {}) };
  } catch (error) {
    if (error instanceof RegistrationRejectedError || error instanceof OAuthError || isRedirected(error))
      throw noRegistration(options, error);
    if (error instanceof PlugError) throw error;
    throw new PlugError('protocol_error', `${server} did not register us: ${problemOf(error)}.`, {
      owner: 'server',
      server,
      remedy: { do: 'sign-in', server },
      cause: error,
    });
  }
}

/** A program on the user's machine can keep no secret: it takes one only where it must. */
const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic'] as const;

/** Not a dead end: what to register where, and how to give us the result. */
function noRegistration({ server, metadata, callbackPort }: ClientOptions, cause?: unknown): PlugError {
  const redirectUri = redirectUriAt(callbackPort);
  return new PlugError(
    'sign_in_needed',
    `${server} does not let programs register by themselves. Register one at ${metadata.issuer} with exactly the redirect address ${redirectUri}, then give its id.`,
    {
      owner: 'you',
      server,
      remedy: { do: 'give-client-id', server, ...(callbackPort === undefined ? {} : { callbackPort }) },
      details: { redirectUri, issuer: metadata.issuer },
      cause,
    },
  );
}
