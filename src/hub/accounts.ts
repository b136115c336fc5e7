import type { MasterKeyKind } from '../vault/master-key.ts';

export interface SignInProgress {
  /** To be given back with `answer`. */
  readonly id: string;
  readonly address: string;
}

export interface AccountView {
  readonly server: string;
  readonly account: string;
  readonly displayName?: string;
  readonly isDefault: boolean;
  readonly signedIn: boolean;
  readonly issuer?: string;
  readonly scope?: string;
  readonly expiresAt?: number;
}

export interface ServerCredentials {
  /** Names in the vault. */
  readonly secrets: readonly string[];
  readonly accounts: readonly AccountView[];
}

export interface RotateOutcome {
  readonly resealed: number;
  /** Where the key is now, if it was moved. */
  readonly to?: MasterKeyKind;
}
