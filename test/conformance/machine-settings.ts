import type { Json } from '../../src/base/json.ts';
import type { Hub } from '../../src/hub/hub.ts';

/** What the suite tells a client that signs in by itself. */
export interface MachineContext {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  readonly valid_jwt?: string;
}

const GRANTS: Readonly<Record<string, string>> = {
  'auth/client-credentials-jwt': 'client_credentials',
  'auth/client-credentials-basic': 'client_credentials',
  'auth/enterprise-managed-authorization': 'cross_app_access',
  'auth/wif-jwt-bearer': 'jwt_bearer',
};

/** The settings that an administrator would write for this scenario, with its secrets in the vault. */
export async function machineConfig(
  hub: Hub,
  scenario: string,
  url: string,
  context: MachineContext,
): Promise<Readonly<Record<string, Json>>> {
  const grant = GRANTS[scenario];
  if (grant === undefined) return {};
  const kept = async (name: string, value: unknown): Promise<Record<string, string>> => {
    if (typeof value !== 'string') return {};
    await hub.secrets.set({ name: `suite/${name}`, value });
    return { [name]: `\${vault:suite/${name}}` };
  };
  const oauth = {
    grant,
    issuer: await issuerOf(url),
    clientId: context.client_id ?? 'none',
    ...(await kept('clientSecret', context.client_secret)),
    ...(await kept('privateKey', context.private_key_pem)),
    ...(grant === 'jwt_bearer' ? await kept('assertion', context.valid_jwt) : {}),
    ...(grant === 'cross_app_access'
      ? {
          identityProvider: {
            issuer: context.idp_issuer ?? '',
            tokenEndpoint: context.idp_token_endpoint ?? '',
            clientId: context.idp_client_id ?? '',
            ...(await kept('idToken', context.idp_id_token)),
          },
        }
      : {}),
  };
  return { oauth };
}

/** An administrator knows the authorization server; the suite starts a new one each time. */
async function issuerOf(url: string): Promise<string> {
  const { origin, pathname } = new URL(url);
  const response = await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`);
  const {
    authorization_servers: [server],
  } = (await response.json()) as {
    // RFC 9728
    authorization_servers: [string];
  };
  const described = await fetch(`${server.replace(/\/$/, '')}/.well-known/oauth-authorization-server`);
  return described.ok ? ((await described.json()) as { issuer: string }).issuer : server; // RFC 8414
}
