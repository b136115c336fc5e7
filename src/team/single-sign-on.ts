import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import { PlugError } from '../base/errors.ts';

/** The team's identity provider, as its operator configured it: one, by OpenID Connect. */
export interface SingleSignOn {
  readonly issuer: string;
  /** What people read on the button. */
  readonly name: string;
  /** Whose verified addresses join without an invitation. */
  readonly domains: readonly string[];
  /** Set where the provider's addresses are right although it does not call them verified. */
  readonly trustsEmail: boolean;
  readonly provider: GenericOAuthConfig;
}

/** Under which name the library keeps who somebody is at the identity provider. */
export const PROVIDER = 'sso';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * From the environment, like every other secret of the operator: so nobody who is signed in can point the
 * team at another provider, and no client secret is in the database.
 */
export function readSingleSignOn(env: Env): SingleSignOn | undefined {
  const given = env['PLUG_OIDC_ISSUER'] ?? '';
  if (given === '') return undefined;
  const url = URL.parse(given);
  const isLoopback = url?.hostname === '127.0.0.1' || url?.hostname === 'localhost';
  if (!url || (url.protocol !== 'https:' && !isLoopback)) {
    throw badConfig('PLUG_OIDC_ISSUER', 'is not an https address');
  }
  const clientId = needed(env, 'PLUG_OIDC_CLIENT_ID');
  const clientSecret = needed(env, 'PLUG_OIDC_CLIENT_SECRET');
  const domains = wordsIn(env['PLUG_OIDC_DOMAINS']?.toLowerCase());
  return {
    issuer: given,
    name: env['PLUG_OIDC_NAME'] ?? url.hostname,
    domains,
    trustsEmail: env['PLUG_OIDC_TRUST_EMAIL'] === '1',
    provider: {
      providerId: PROVIDER,
      discoveryUrl: `${given.replace(/\/$/, '')}/.well-known/openid-configuration`,
      clientId,
      clientSecret,
      // Such as `offline_access`, where the provider wants it for a refresh token.
      scopes: ['openid', 'profile', 'email', ...wordsIn(env['PLUG_OIDC_SCOPES'])],
      pkce: true,
      requireIdTokenVerification: true,
      mapProfileToUser: ({ name, email }) => ({ name: typeof name === 'string' ? name : (email ?? '') }),
    },
  };
}

export function isOfDomain({ domains }: SingleSignOn, email: string): boolean {
  const domain = email.toLowerCase().split('@').at(-1) ?? '';
  return domains.includes(domain);
}

function wordsIn(text = ''): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function needed(env: Env, name: string): string {
  const value = env[name] ?? '';
  if (value !== '') return value;
  throw badConfig(name, 'is missing: PLUG_OIDC_ISSUER needs it');
}

function badConfig(name: string, why: string): PlugError {
  return new PlugError('bad_config', `${name} ${why}.`, { owner: 'you' });
}
