import type { ServerDefinition } from './definition.ts';
import type { Profile } from './profile.ts';

/** Whose row it is: `local` for a single user, else a user or an organization. */
export type OwnerId = string;

/** What the user decided about a server without touching the file that defines it. */
export interface ServerOverride {
  readonly server: string;
  readonly enabled?: boolean;
  readonly readOnly?: boolean;
  /** Whether calls are written into the audit log; default true. */
  readonly recorded?: boolean;
  /** Whether pages that the server brings along are shown; default false. */
  readonly apps?: boolean;
}

/** “This entry of this file, exactly as it reads now, may run.” */
export interface FileTrust {
  readonly file: string;
  readonly server: string;
  readonly fingerprint: string;
  readonly trustedAt: number;
  /** The entry as it was then, so that a later change can be shown field by field. */
  readonly definition?: ServerDefinition;
}

export interface ServerStore {
  listServers(owner: OwnerId): Promise<readonly ServerDefinition[]>;
  getServer(owner: OwnerId, id: string): Promise<ServerDefinition | undefined>;
  /** Inserts or replaces. Durable when the promise resolves. */
  putServer(owner: OwnerId, definition: ServerDefinition): Promise<void>;
  /** False when there was none. */
  deleteServer(owner: OwnerId, id: string): Promise<boolean>;

  listOverrides(owner: OwnerId): Promise<readonly ServerOverride[]>;
  /** Merges the given fields into the server's override. */
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
