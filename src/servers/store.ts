import type { ServerDefinition } from './definition.ts';
import type { Profile } from './profile.ts';

/** `local` for a single user, else a user or an organization. */
export type OwnerId = string;

/** The user's choices, without touching the file. */
export interface ServerOverride {
  readonly server: string;
  readonly enabled?: boolean;
  readonly readOnly?: boolean;
  /** Recorded in the audit log; default true. */
  readonly recorded?: boolean;
  /** Show the server's own UI; default false. */
  readonly apps?: boolean;
}

/** “This entry, exactly as it reads now, may run.” */
export interface FileTrust {
  readonly file: string;
  readonly server: string;
  readonly fingerprint: string;
  readonly trustedAt: number;
  /** The entry at that time, to show later changes. */
  readonly definition?: ServerDefinition;
}

export interface ServerStore {
  listServers(owner: OwnerId): Promise<readonly ServerDefinition[]>;
  getServer(owner: OwnerId, id: string): Promise<ServerDefinition | undefined>;
  /** Inserts or replaces; durable when resolved. */
  putServer(owner: OwnerId, definition: ServerDefinition): Promise<void>;
  deleteServer(owner: OwnerId, id: string): Promise<boolean>;

  listOverrides(owner: OwnerId): Promise<readonly ServerOverride[]>;
  putOverride(owner: OwnerId, override: ServerOverride): Promise<void>;
  deleteOverride(owner: OwnerId, server: string): Promise<boolean>;

  listTrust(owner: OwnerId): Promise<readonly FileTrust[]>;
  /** One row per (file, server): a later trust replaces the earlier one. */
  putTrust(owner: OwnerId, trust: FileTrust): Promise<void>;
  deleteTrust(owner: OwnerId, file: string, server: string): Promise<boolean>;

  listProfiles(owner: OwnerId): Promise<readonly Profile[]>;
  putProfile(owner: OwnerId, profile: Profile): Promise<void>;
  deleteProfile(owner: OwnerId, name: string): Promise<boolean>;
}
