import type { Logger } from '../base/logger.ts';
import type { Storage } from '../storage/open.ts';
import type { Exporter } from './audit-export/exporter.ts';
import type { Credentials } from './credentials.ts';
import type { DirectoryTokens } from './scim/tokens.ts';
import type { Groups } from './groups.ts';
import type { People } from './people.ts';
import type { Promotions } from './promotions.ts';
import type { Quotas } from './quotas.ts';
import type { TeamRules } from './team-rules.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import type { WaitingApprovals } from './waiting-approvals.ts';
import type { Spaces } from './spaces.ts';
import type { TeamCallbacks } from './callbacks.ts';

/** The parts of one running team, for its ways in. */
export interface Team {
  readonly people: People;
  readonly credentials: Credentials;
  readonly groups: Groups;
  readonly directoryTokens: DirectoryTokens;
  readonly promotions: Promotions;
  readonly quotas: Quotas;
  readonly teamRules: TeamRules;
  readonly approvals: WaitingApprovals;
  readonly spaces: Spaces;
  readonly exporter: Exporter;
  readonly callbacks: TeamCallbacks;
  readonly storage: Storage;
  readonly singleSignOn: SingleSignOn | undefined;
  /** Where the team is reached: an origin, without a path. */
  readonly url: string;
  /** The built page. */
  readonly pageFolder: string;
  readonly logger: Logger;
  /** After a change of what the team shares. */
  readonly changedShared: () => Promise<void>;
  /** False while this replica hands over what it does to the others. */
  readonly isReady: () => boolean;
  /** Destroys the keys that somebody's secrets are sealed with, and those secrets. */
  readonly destroyVault: (owner: string) => Promise<void>;
}
