import { apiKey } from '@better-auth/api-key';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { organization } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { defaultStatements } from 'better-auth/plugins/organization/access';
import type { Logger } from '../base/logger.ts';
import type { TeamDatabase } from '../storage/postgres/team.ts';
import { teamLimits } from './limits.ts';

export interface AuthOptions {
  readonly database: TeamDatabase;
  /** Where browsers and hosts reach the team: its origin. */
  readonly url: string;
  /** Signs the cookies; the same for all replicas. */
  readonly secret: string;
  readonly logger: Logger;
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
  });
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the library infers what it offers
function authOptions({ database, url, secret, logger }: AuthOptions) {
  const roles = createAccessControl(defaultStatements);
  // Nobody reaches the library's own operations on the organization: ours ask for the role first.
  const none = roles.newRole({});
  return {
    appName: 'Plugboard',
    baseURL: url,
    basePath: '/api/auth',
    secret,
    trustedOrigins: [url],
    telemetry: { enabled: false },
    logger: {
      level: 'error' as const,
      // Its words alone: what else it would print may hold what somebody typed.
      log: (_level: string, message: string) => logger.warn('the sign-in says', { said: message }),
    },
    database: {
      db: database.people.db as never, // the library's own Kysely is the same version as ours
      type: 'postgres' as const,
      schemaName: database.people.schema,
      transaction: true,
    },
    emailAndPassword: { enabled: true, minPasswordLength: teamLimits.passwordCharsMin },
    rateLimit: {
      enabled: true,
      storage: 'database' as const,
      window: 60,
      max: teamLimits.authRequestsPerMinute,
      customRules: { '/sign-in/email': { window: 60, max: teamLimits.signInsPerMinute } },
    },
    advanced: { ipAddress: { ipAddressHeaders: [PEER_HEADER] } },
    plugins: [
      organization({
        allowUserToCreateOrganization: false,
        requireEmailVerificationOnInvitation: true,
        membershipLimit: teamLimits.peopleMax,
        ac: roles,
        roles: { owner: none, admin: none, member: none, auditor: none },
      }),
      apiKey({
        defaultPrefix: KEY_PREFIX,
        // The library's own default is ten requests a day.
        rateLimit: { enabled: false },
        // A key is shown by our own rows, and never stands for a session of a browser.
        enableSessionForAPIKeys: false,
      }),
    ],
  };
}

/** Recognizable to people and secret scanners. */
export const KEY_PREFIX = 'plugkey_';
