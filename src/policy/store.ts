import type { Approval } from './approval.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Grant } from './grant.ts';

/** Bound to a fingerprint: what runs must be the same. */
export interface ServerTrust {
  readonly server: string;
  readonly fingerprint: string;
  readonly trustedAt: number;
  readonly source: string;
}

/** The token itself is not stored. */
export interface StoredHost {
  readonly name: string;
  readonly digest: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  readonly profile?: string;
  readonly readOnly?: boolean;
  /** `api` opens the hub's API instead of the gateway, for an editor that acts for its user. */
  readonly opens?: 'api';
}

export interface PolicyStore {
  listGrants(owner: OwnerId): Promise<readonly Grant[]>;
  putGrant(owner: OwnerId, grant: Grant): Promise<void>;
  /** False when it was gone: a one-time grant belongs to the caller that gets true. */
  deleteGrant(owner: OwnerId, id: string): Promise<boolean>;

  listServerTrust(owner: OwnerId): Promise<readonly ServerTrust[]>;
  putServerTrust(owner: OwnerId, trust: ServerTrust): Promise<void>;
  deleteServerTrust(owner: OwnerId, server: string): Promise<boolean>;

  listHosts(owner: OwnerId): Promise<readonly StoredHost[]>;
  putHost(owner: OwnerId, host: StoredHost): Promise<void>;
  /** False when it is gone or replaced: another hub revoked it. */
  noteHostUse(owner: OwnerId, host: Pick<StoredHost, 'name' | 'digest'>, at: number): Promise<boolean>;
  deleteHost(owner: OwnerId, name: string): Promise<boolean>;

  forgetServer(owner: OwnerId, server: string): Promise<void>;
}

/** A call that others than who asked have to approve, and in whose hub it waits. */
export interface WaitingApproval {
  readonly id: string;
  readonly owner: string;
  /** Who asked. */
  readonly person: string;
  readonly approval: Approval;
}

export interface WaitingStore {
  listWaiting(owner: OwnerId): Promise<readonly WaitingApproval[]>;
  getWaiting(owner: OwnerId, id: string): Promise<WaitingApproval | undefined>;
  putWaiting(owner: OwnerId, waiting: WaitingApproval): Promise<void>;
  deleteWaiting(owner: OwnerId, id: string): Promise<boolean>;
}
