import {
  createPrivateKeyJwtAuth,
  discoverAndRequestJwtAuthGrant,
  fetchToken,
  type OAuthClientProvider,
  OAuthError,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';
import { PlugError } from '../../base/errors.ts';
import { discover } from './discover.ts';
import { JWT_BEARER, machineClient } from './identity.ts';
import type { MachineSettings } from './machine-settings.ts';
import { problemOf } from './problem.ts';
import { type Renewal, type RenewalOptions, toTokens } from './renewal.ts';
import { checkSignInAddress } from './secure-address.ts';
import type { SignIn } from './sign-in.ts';

type Secrets = Readonly<Record<string, string>>;

export interface MachineTokensOptions extends RenewalOptions {
  readonly url: string;
  readonly settings: MachineSettings;
  /** Looked up each time: an assertion in a file changes while we run. */
  readonly secrets: () => Promise<Secrets>;
}

/** Tokens for a program that signs in by itself: client credentials, JWT bearer, cross-app access. */
export function machineTokens(options: MachineTokensOptions): Renewal {
  const { server, url, settings, fetch, clock, limits } = options;
  const refused = (cause?: unknown): PlugError => {
    const why = cause === undefined ? '' : `: ${problemOf(cause)}`;
    return new PlugError('denied', `${server} does not let ${settings.clientId} in${why}.`, {
      owner: 'you',
      server,
      remedy: `Check config.oauth of ${server} and the secrets that it names.`,
      cause,
    });
  };
  return {
    begin: async () => {
      const { issuer, clientId } = settings;
      const { metadata, resource, scopes } = await discover({ server, url, fetch, issuer });
      const scope = settings.scope ?? scopes?.join(' ');
      const given = { ...(resource ? { resource } : {}), ...(scope ? { scope } : {}) };
      return { issuer: metadata.issuer, metadata, client: { kind: 'manual', id: clientId }, ...given };
    },
    canRenew: () => true,
    request: async (signIn) => {
      const secrets = await options.secrets();
      try {
        const provider = providerOf(settings, secrets, await parametersOf(options, signIn, secrets));
        const answer = await fetchToken(provider, signIn.metadata.issuer, {
          metadata: signIn.metadata as never, // checked when it was discovered
          ...(signIn.resource ? { resource: signIn.resource } : {}),
          fetchFn: fetch,
        });
        return toTokens(answer, { clock, limits, scope: signIn.scope });
      } catch (error) {
        if (error instanceof PlugError || error instanceof OAuthError) throw error;
        throw refused(error);
      }
    },
    refused,
  };
}

async function parametersOf(
  options: MachineTokensOptions,
  signIn: SignIn,
  secrets: Secrets,
): Promise<URLSearchParams> {
  const { settings } = options;
  const scope = signIn.scope ? { scope: signIn.scope } : {};
  if (settings.grant === 'client_credentials') {
    return new URLSearchParams({ grant_type: 'client_credentials', ...scope });
  }
  const assertion =
    settings.grant === 'jwt_bearer'
      ? (secrets['assertion'] ?? '')
      : await askIdentityProvider(options, signIn, secrets);
  return new URLSearchParams({ grant_type: JWT_BEARER, assertion: assertion.trim(), ...scope });
}

/** The employer's identity provider turns the person's ID token into a grant for this server. */
async function askIdentityProvider(
  { settings, server, url, fetch }: MachineTokensOptions,
  signIn: SignIn,
  secrets: Secrets,
): Promise<string> {
  const { issuer = '', tokenEndpoint, clientId = '' } = settings.identityProvider ?? {};
  const { idToken = '', idpClientSecret } = secrets;
  const address = checkSignInAddress(tokenEndpoint ?? issuer, 'an identity provider', server);
  const request = {
    audience: signIn.issuer,
    resource: signIn.resource ?? url,
    idToken: idToken.trim(),
    clientId,
    ...(idpClientSecret ? { clientSecret: idpClientSecret } : {}),
    ...(signIn.scope ? { scope: signIn.scope } : {}),
    fetchFn: fetch,
  };
  const { jwtAuthGrant } = tokenEndpoint
    ? await requestJwtAuthorizationGrant({ ...request, tokenEndpoint: address })
    : await discoverAndRequestJwtAuthGrant({ ...request, idpUrl: address });
  return jwtAuthGrant;
}

function providerOf(
  { clientId, privateKey, algorithm }: MachineSettings,
  { clientSecret, privateKey: key }: Secrets,
  parameters: URLSearchParams,
): OAuthClientProvider {
  const jwt = { issuer: clientId, subject: clientId, privateKey: key ?? '', alg: algorithm };
  return machineClient(clientId, parameters, {
    secret: clientSecret,
    ...(privateKey === undefined ? {} : { addClientAuthentication: createPrivateKeyJwtAuth(jwt) }),
  });
}
