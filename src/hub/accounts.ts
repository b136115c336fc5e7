import type { MasterKeyKind } from '../vault/master-key.ts';
import type { Account } from '../vault/store.ts';

export interface SignInProgress {
  /** To be given back with `answer`. */
  readonly id: string;
  readonly address: string;
}

export interface AccountView extends Omit<Account, 'createdAt'> {
  readonly signedIn: boolean;
  /** It has keys in the vault, and nothing to sign in to. */
  readonly keys?: true;
  readonly issuer?: string;
  readonly scope?: string;
  readonly expiresAt?: number;
}

export interface ServerCredentials {
  readonly secrets: readonly string[];
  readonly accounts: readonly AccountView[];
  /** The keys that make an account here, with the names that people know; none where one signs in. */
  readonly keys: readonly { readonly field: string; readonly title: string }[];
}

export interface RotateOutcome {
  readonly resealed: number;
  readonly to?: MasterKeyKind;
}
