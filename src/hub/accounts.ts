import type { MasterKeyKind } from '../vault/master-key.ts';

export interface AccountsApi {
  list(options?: { readonly server?: string }): Promise<readonly AccountView[]>;
  /**
   * Signs in at a remote server. The address to open comes as progress; who has no browser on
   * this machine gives the address that the browser ended at to `answer`.
   */
  signIn(request: SignInRequest, options?: SignInOptions): Promise<AccountView>;
  answer(request: { readonly id: string; readonly address: string }): Promise<void>;
  /** Forgets the tokens, and revokes them where the server offers it. */
  signOut(request: { readonly server: string; readonly account?: string }): Promise<void>;
  setDefault(request: { readonly server: string; readonly account: string }): Promise<void>;
}

export interface SignInRequest {
  readonly server: string;
  /** Default: the account that is there, else `default`. */
  readonly account?: string;
  /** A program that the user has registered at the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The port of the redirect address `http://127.0.0.1:PORT/callback`, where it must be a certain one. */
  readonly callbackPort?: number;
}

export interface SignInOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SignInProgress) => void;
}

export interface SignInProgress {
  /** To be given back with `answer`. */
  readonly id: string;
  /** To be opened in a browser. */
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

/** What is stored for a server and would be forgotten with it. */
export interface ServerCredentials {
  /** Names in the vault. */
  readonly secrets: readonly string[];
  readonly accounts: readonly AccountView[];
}

export interface SecretsApi {
  /** Names only. */
  list(): Promise<readonly string[]>;
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
  /** A new key for everything; answers how many secrets were sealed anew. */
  rotate(request?: RotateRequest): Promise<RotateOutcome>;
  /** Opens a vault that is locked with a passphrase, until the hub stops. Wrong: `denied`. */
  unlock(passphrase: string): Promise<void>;
  /** The same texts without any secret that is kept here, for what a model is told. In-process only. */
  hide(texts: readonly string[]): Promise<readonly string[]>;
}

export interface RotateRequest {
  /** Moves the key of the vault there first. */
  readonly to?: MasterKeyKind;
  /** The new one; goes with `to: 'passphrase'`. */
  readonly passphrase?: string;
}

export interface RotateOutcome {
  readonly resealed: number;
  /** Where the key is now, if it was moved. */
  readonly to?: MasterKeyKind;
}
