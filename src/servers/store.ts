import type { JsonObject } from '../base/json.ts';
import type { PackageRef, ServerDefinition } from './definition.ts';
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
  /** The version that is installed for it; counts where its command names the package and no exact version. */
  readonly package?: PackageRef;
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

/** Something that Plugboard changed and can undo. Only the hub knows what is in the body. */
export interface StoredChange {
  readonly id: string;
  /** Grows with every change: the last one is undone first. */
  readonly place: number;
  readonly body: JsonObject;
}

export interface ChangeStore {
  listChanges(owner: OwnerId): Promise<readonly StoredChange[]>;
  putChange(owner: OwnerId, change: StoredChange): Promise<void>;
  deleteChange(owner: OwnerId, id: string): Promise<boolean>;
}

/** Which version of a server runs, and what is known of newer ones. */
export interface ServerVersion {
  readonly server: string;
  /** As the package index or else the server names it. */
  readonly version: string;
  /** When it was first seen running. */
  readonly since: number;
  readonly latest?: string;
  readonly checkedAt?: number;
}

export interface VersionStore {
  listVersions(owner: OwnerId): Promise<readonly ServerVersion[]>;
  putVersion(owner: OwnerId, version: ServerVersion): Promise<void>;
  deleteVersion(owner: OwnerId, server: string): Promise<boolean>;
}

/** What is a file for one user, and a row for one of many. */
export interface StoredSetting {
  readonly name: string;
  readonly value: unknown;
}

export interface SettingStore {
  getSetting(owner: OwnerId, name: string): Promise<StoredSetting | undefined>;
  putSetting(owner: OwnerId, setting: StoredSetting): Promise<void>;
  deleteSetting(owner: OwnerId, name: string): Promise<boolean>;
}

export interface CounterStore {
  /** Counts one more, unless there are as many as there may be: then false. */
  count(
    owner: OwnerId,
    counted: { readonly name: string; readonly span: number; readonly max: number },
  ): Promise<boolean>;
  countOf(owner: OwnerId, counted: { readonly name: string; readonly span: number }): Promise<number>;
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
