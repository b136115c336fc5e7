import { oauthProvider } from '@better-auth/oauth-provider';
import type { BetterAuthPlugin } from 'better-auth';
import { APIError } from 'better-auth/api';
import type { AuthOptions } from '../auth.ts';
import { teamLimits } from '../limits.ts';
import { clientDocuments } from './client-documents.ts';
import { digestOf } from './digest.ts';
import { ID_JAG, identityAssertions } from './identity-assertions.ts';

export const ACCESS_TOKEN_PREFIX = 'plugat_';
export const CLIENT_SECRET_PREFIX = 'plugcs_';

/** What a token of a host opens: the gateway in the name of its person. */
export const SCOPES = ['mcp', 'offline_access'] as const;

/** The addresses that tokens are for: nothing else takes them. */
export function resourcesAt(url: string): readonly string[] {
  return [`${url}/mcp`, `${url}/sse`];
}

/**
 * Lets hosts sign people in. Access tokens are opaque: what they open is looked up with each use, so that
 * they end when the person, the host's consent or its client does.
 */
export function authorizationServer({
  url,
  clock,
  fetch,
  fetchOwn,
  admission,
  singleSignOn,
}: AuthOptions): BetterAuthPlugin {
  const resources = [...resourcesAt(url)];
  const provider = oauthProvider({
    loginPage: '/sign-in',
    consentPage: '/consent',
    scopes: [...SCOPES],
    disableJwtPlugin: true,
    resources,
    // Every client may ask for every one of them: they are one gateway.
    enforcePerClientResources: false,
    clientRegistrationDefaultResources: resources,
    // Hosts register themselves; a person agrees to each of them.
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    // The library's own operations on clients and resources: ours ask for the role first.
    clientPrivileges: () => Promise.resolve(false),
    resourcePrivileges: () => Promise.resolve(false),
    grantTypes: ['authorization_code', 'refresh_token', ...(singleSignOn ? [ID_JAG] : [])],
    accessTokenExpiresIn: teamLimits.accessTokenSeconds,
    refreshTokenExpiresIn: teamLimits.refreshTokenSeconds,
    refreshTokenReuseInterval: teamLimits.refreshReplaySeconds,
    codeExpiresIn: teamLimits.codeSeconds,
    // Counted by address: a whole office may come from one.
    rateLimit: {
      token: { window: 60, max: teamLimits.tokenRequestsPerMinute },
      authorize: { window: 60, max: teamLimits.authRequestsPerMinute },
      register: { window: 60, max: teamLimits.registrationsPerMinute },
      revoke: { window: 60, max: teamLimits.authRequestsPerMinute },
    },
    prefix: {
      opaqueAccessToken: ACCESS_TOKEN_PREFIX,
      refreshToken: 'plugrt_',
      clientSecret: CLIENT_SECRET_PREFIX,
    },
    storeTokens: { hash: (token) => Promise.resolve(digestOf(token)) },
    customTokenResponseFields: async ({ user }) => {
      // Every grant comes by here: none is given to somebody who is not of the team any more.
      if (!user || !(await admission.mayEnter(user.id))) throw notAMember();
      return {};
    },
    extensions: [
      {
        clientDiscovery: clientDocuments(fetch, clock),
        ...(singleSignOn && {
          grants: {
            [ID_JAG]: identityAssertions({ url, singleSignOn, resources, fetch: fetchOwn, clock }),
          },
          metadata: () => ID_JAG_METADATA,
        }),
      },
    ],
  });
  // Its types are not those of a plugin as strictly as ours are checked.
  return provider as unknown as BetterAuthPlugin;
}

const ID_JAG_METADATA = {
  authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
};

function notAMember(): APIError {
  return new APIError('BAD_REQUEST', {
    error: 'invalid_grant',
    error_description: 'this person is not a member of the team',
  });
}
