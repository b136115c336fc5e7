import type { OwnerId } from '../servers/store.ts';
import type { Grant } from './grant.ts';

/** A server whose reads run without asking. Bound to what runs: another fingerprint is not trusted. */
export interface ServerTrust {
  /** Key of the server. */
  readonly server: string;
  readonly fingerprint: string;
  readonly trustedAt: number;
  /** Who said so, as in “you” or “featured”. */
  readonly source: string;
}

/** A host that was given a token. The token itself is kept nowhere. */
export interface StoredHost {
  readonly name: string;
  /** SHA-256 of the token, in hexadecimal. */
  readonly digest: string;
  readonly createdAt: number;
  readonly lastUsedAt?: number;
  /** The only profile that it reaches. */
  readonly profile?: string;
  readonly readOnly?: boolean;
}

export interface PolicyStore {
  listGrants(owner: OwnerId): Promise<readonly Grant[]>;
  putGrant(owner: OwnerId, grant: Grant): Promise<void>;
  /** False when it was gone already: a grant for once is used by whoever gets true. */
  deleteGrant(owner: OwnerId, id: string): Promise<boolean>;

  listServerTrust(owner: OwnerId): Promise<readonly ServerTrust[]>;
  putServerTrust(owner: OwnerId, trust: ServerTrust): Promise<void>;
  deleteServerTrust(owner: OwnerId, server: string): Promise<boolean>;

  /** By name. */
  listHosts(owner: OwnerId): Promise<readonly StoredHost[]>;
  putHost(owner: OwnerId, host: StoredHost): Promise<void>;
  /** Writes down when it was used. False when it is gone, or another has its name: another hub revoked it. */
  noteHostUse(owner: OwnerId, host: Pick<StoredHost, 'name' | 'digest'>, at: number): Promise<boolean>;
  /** False when there was none. */
  deleteHost(owner: OwnerId, name: string): Promise<boolean>;

  /** Everything of one server, when it is removed. */
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
