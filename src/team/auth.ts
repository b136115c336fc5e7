import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { genericOAuth, organization } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { defaultStatements } from 'better-auth/plugins/organization/access';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Fetch } from '../connections/http/capped-fetch.ts';
import type { TeamDatabase } from '../storage/postgres/team.ts';
import { AUTH_PATH } from './auth-path.ts';
import { teamLimits } from './limits.ts';
import type { ProviderTokens } from './identity/identities.ts';
import { authorizationServer } from './oauth/authorization-server.ts';
import { PROVIDER, type SingleSignOn } from './single-sign-on.ts';
import { teamTables } from './tables.ts';

export interface AuthOptions {
  readonly database: TeamDatabase;
  /** Where browsers and hosts reach the team: its origin. */
  readonly url: string;
  /** Signs the cookies; the same for all replicas. */
  readonly secret: string;
  readonly logger: Logger;
  readonly singleSignOn: SingleSignOn | undefined;
  readonly clock: Clock;
  /** For documents that hosts publish about themselves. */
  readonly fetch: Fetch;
  /** For addresses that the operator has named. */
  readonly fetchOwn: Fetch;
  /** The library decides nothing about who is let in. */
  readonly admission: Admission;
}

export interface Admission {
  /** Whether somebody may have sessions and tokens now. */
  mayEnter(userId: string): Promise<boolean>;
  /** Whether the identity provider may bring somebody new in. */
  mayJoin(person: { readonly email: string; readonly emailVerified: boolean }): Promise<boolean>;
  /** Makes somebody a member who came by the identity provider and may join. */
  joined(userId: string): Promise<void>;
  /** Takes what the identity provider gave with a sign-in: the library's tables don't keep it. */
  identified(userId: string, tokens: ProviderTokens): Promise<void>;
}

/** The header in which we say who is at the other end; what a client sent under this name is dropped. */
export const PEER_HEADER = 'x-plug-peer';

/** Passwords, sessions, memberships and keys are the library's; which of it is reachable, ours. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the library infers what it offers
export function createAuth(options: AuthOptions) {
  return betterAuth(authOptions(options));
}

export type Auth = ReturnType<typeof createAuth>;

/** Makes what is missing of the library's tables, in a schema of their own. */
export async function prepareTables(options: AuthOptions): Promise<void> {
  await options.database.alone(async () => {
    // Without an instance of the library: that one would compare its tables before they are there.
    const { runMigrations } = await getMigrations(authOptions(options));
    await runMigrations();
    await options.database.people.close();
  });
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the library infers what it offers
function authOptions(options: AuthOptions) {
  const { database, url, secret, logger, singleSignOn, admission } = options;
  const roles = createAccessControl(defaultStatements);
  // Nobody reaches the library's own operations on the organization: ours ask for the role first.
  const none = roles.newRole({});
  return {
    appName: 'Plugboard',
    baseURL: url,
    basePath: AUTH_PATH,
    secret,
    trustedOrigins: [url],
    telemetry: { enabled: false },
    logger: {
      level: 'error' as const,
      // Its words alone: what else it would print may hold what somebody typed.
      log: (_level: string, message: string) => logger.warn('the sign-in says', { said: message }),
    },
    onAPIError: { errorURL: `${url}/sign-in` },
    database: {
      db: database.people.db as never, // the library's own Kysely is the same version as ours
      type: 'postgres' as const,
      schemaName: database.people.schema,
      transaction: true,
    },
    // Whoever joins signs in afterwards: before they are a member, they may have no session.
    emailAndPassword: { enabled: true, autoSignIn: false, minPasswordLength: teamLimits.passwordCharsMin },
    account: {
      accountLinking: {
        enabled: true,
        // Else somebody who may choose their address there could become another one here.
        trustedProviders: singleSignOn?.trustsEmail ? [PROVIDER] : [],
      },
    },
    rateLimit: {
      enabled: true,
      storage: 'database' as const,
      window: 60,
      max: teamLimits.authRequestsPerMinute,
      customRules: {
        '/sign-in/email': { window: 60, max: teamLimits.signInsPerMinute },
        // Nothing is guessed there: the identity provider counts tries.
        '/sign-in/social': { window: 60, max: teamLimits.authRequestsPerMinute },
      },
    },
    databaseHooks: hooksOf(admission),
    advanced: { ipAddress: { ipAddressHeaders: [PEER_HEADER] }, ...cookiesAt(url) },
    plugins: [
      organization({
        allowUserToCreateOrganization: false,
        requireEmailVerificationOnInvitation: true,
        membershipLimit: teamLimits.peopleMax,
        ac: roles,
        roles: { owner: none, admin: none, member: none, auditor: none },
        schema: { member: { additionalFields: { active: ACTIVE } } },
      }),
      apiKey({
        defaultPrefix: KEY_PREFIX,
        // The library's own default is ten requests a day.
        rateLimit: { enabled: false },
        // A key is shown by our own rows, and never stands for a session of a browser.
        enableSessionForAPIKeys: false,
      }),
      genericOAuth({ config: singleSignOn ? [singleSignOn.provider] : [] }),
      authorizationServer(options),
      teamTables,
    ],
  };
}

/** False for who is deactivated: nothing of theirs opens anything then. */
const ACTIVE = { type: 'boolean', required: false, defaultValue: true, input: false } as const;

/** No other host of the same site can plant a cookie under this prefix. */
function cookiesAt(url: string): object {
  if (!url.startsWith('https:')) return { cookiePrefix: 'plug' };
  return {
    cookiePrefix: '__Host-plug',
    // The library's own prefix would come first in the name.
    useSecureCookies: false,
    defaultCookieAttributes: { secure: true },
  };
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the library infers what it takes
function hooksOf(admission: Admission) {
  return {
    user: {
      create: {
        before: async (
          user: { readonly email: string; readonly emailVerified: boolean },
          context: { readonly path?: string } | null,
        ) => {
          // Set-up and invitations make people by our own operations, which have asked already.
          if (isCallback(context) && !(await admission.mayJoin(user))) return false;
          return undefined;
        },
      },
    },
    session: {
      create: {
        before: async (
          { userId }: { readonly userId: string },
          context: { readonly path?: string } | null,
        ) => {
          if (isCallback(context)) await admission.joined(userId);
          return (await admission.mayEnter(userId)) ? undefined : false;
        },
      },
    },
    // Its tables would keep them in the clear: they go to the person's vault.
    account: accountHooks(admission),
  };
}

function isCallback(context: { readonly path?: string } | null): boolean {
  return context?.path?.startsWith('/callback/') ?? false;
}

const TOKENS = new Set([
  'accessToken',
  'refreshToken',
  'idToken',
  'accessTokenExpiresAt',
  'refreshTokenExpiresAt',
]);

type AccountRow = { readonly userId?: string; readonly providerId?: string } & object;

// oxlint-disable-next-line typescript/explicit-function-return-type -- the library infers what it takes
function accountHooks(admission: Admission) {
  /** Between the two hooks of one request, by its context. */
  const given = new WeakMap<object, ProviderTokens>();
  const hooks = {
    before: (account: AccountRow, context: object | null): Promise<{ data: object }> => {
      if (context) given.set(context, account as ProviderTokens); // texts, where they are there
      const kept = Object.entries(account).filter(([name]) => !TOKENS.has(name));
      return Promise.resolve({ data: { ...Object.fromEntries(kept), ...NO_TOKENS } });
    },
    after: async ({ userId, providerId }: AccountRow, context: object | null): Promise<void> => {
      const tokens = context ? given.get(context) : undefined;
      if (context) given.delete(context);
      if (tokens && providerId === PROVIDER && userId !== undefined)
        await admission.identified(userId, tokens);
    },
  };
  return { create: hooks, update: hooks };
}

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null };

/** Recognizable to people and secret scanners. */
export const KEY_PREFIX = 'plugkey_';
