import type { OwnerId } from '../servers/store.ts';
import type { MasterKey } from './master-key.ts';

/** A value from the user, tokens of a sign-in, a registered client, or what a change needs to be undone. */
export type RecordKind = 'secret' | 'token' | 'client' | 'undo';

export interface RecordId {
  readonly owner: OwnerId;
  readonly kind: RecordKind;
  readonly name: string;
}

/** A secret at rest. All other fields are bound to `sealed`, see `record.ts`. */
export interface SealedRecord extends RecordId {
  /** The record is deleted with these. */
  readonly server?: string;
  readonly account?: string;
  /** Grows with every new value and never repeats, even after a delete. */
  readonly version: number;
  readonly keyId: string;
  readonly sealed: string;
}

export interface WrappedKey {
  readonly id: string;
  readonly wrapped: string;
  readonly createdAt: number;
  /** Seals that were set aside for use with this key. */
  readonly reserved: number;
}

/** All keys of an owner's vault in one row, so that every change is one step. */
export interface KeyRing {
  readonly version: number;
  readonly master: MasterKey;
  /** The key for new records; the others stay until their records are resealed. */
  readonly current: string;
  readonly keys: readonly WrappedKey[];
}

/** A write happens only if the stored record is still like this. */
export type Expected = 'absent' | { readonly version: number; readonly keyId?: string };

/** `no-key`: the record's data key was retired meanwhile. */
export type PutResult = 'put' | 'conflict' | 'no-key';

/** Invariant: no record is stored under a missing key, and no key goes while a record needs it. */
export interface VaultStore {
  getKeyRing(owner: OwnerId): Promise<KeyRing | undefined>;
  /** Writes only if the stored version is the expected one; 0 means none yet. */
  putKeyRing(owner: OwnerId, ring: KeyRing, expectedVersion: number): Promise<boolean>;
  /** Lets records refer to this key. May be repeated. */
  addKey(owner: OwnerId, keyId: string): Promise<void>;
  /** False when records still need the key. */
  retireKey(owner: OwnerId, keyId: string): Promise<boolean>;

  hasRecords(owner: OwnerId): Promise<boolean>;
  getRecord(id: RecordId): Promise<SealedRecord | undefined>;
  putRecord(record: SealedRecord, expected: Expected): Promise<PutResult>;
  /** False when there was none. */
  deleteRecord(id: RecordId): Promise<boolean>;
  deleteRecordsOf(
    owner: OwnerId,
    of: { readonly server: string; readonly account?: string },
  ): Promise<number>;
  /** Sorted by name. */
  listRecords(owner: OwnerId, kind: RecordKind): Promise<readonly SealedRecord[]>;
  /** Records that a rotation has still to reseal. */
  listRecordsUnder(owner: OwnerId, keyId: string, limit: number): Promise<readonly SealedRecord[]>;
}

export interface Account {
  readonly server: string;
  /** Unique among the owner's accounts at this server. */
  readonly account: string;
  /** The server's name for it, such as “@nick”. */
  readonly displayName?: string;
  readonly createdAt: number;
  readonly isDefault: boolean;
}

export interface AccountStore {
  /** Oldest first. One of them is the default: the chosen one, else the oldest. */
  listAccounts(owner: OwnerId, server: string): Promise<readonly Account[]>;
  /** Of every server at once. */
  listDefaultAccounts(owner: OwnerId): Promise<readonly Account[]>;
  /** False, without a change, when it is there already. */
  addAccount(owner: OwnerId, account: Omit<Account, 'isDefault'>): Promise<boolean>;
  setDefaultAccount(owner: OwnerId, server: string, account: string): Promise<boolean>;
  /** False when there is no such account. */
  setDisplayName(
    owner: OwnerId,
    account: Pick<Account, 'server' | 'account'>,
    name: string | undefined,
  ): Promise<boolean>;
  deleteAccount(owner: OwnerId, server: string, account: string): Promise<boolean>;
  deleteAccountsOf(owner: OwnerId, server: string): Promise<number>;
}
