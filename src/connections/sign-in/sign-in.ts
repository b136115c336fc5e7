import { Secret } from '../../base/secret.ts';
import type { RecordId } from '../../vault/store.ts';

/** How we are known at an authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** `document`: our id is the address of our metadata (CIMD). */
  readonly kind: 'document' | 'preset' | 'registered' | 'manual';
  /** The method that was registered for the token endpoint, when one was. */
  readonly authMethod?: string;
  /** The port of its redirect address, where the user chose one. */
  readonly callbackPort?: number;
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** Epoch milliseconds; absent when the server did not say. */
  readonly expiresAt?: number;
  /** When to ask for the next one; before it expires. */
  readonly renewAt?: number;
  readonly scope?: string;
}

/** What is remembered of a sign-in, sealed in the vault. Bound to its issuer: it is used nowhere else. */
export interface SignIn {
  readonly issuer: string;
  /** The metadata of the authorization server, as it was when the person agreed. */
  readonly metadata: AuthorizationServer;
  /** The resource indicator that goes with every request for a token. */
  readonly resource?: string;
  readonly client: OAuthClient;
  /** Whose tokens these are. Renewing keeps it; a sign-in as somebody else has another. */
  readonly identity?: string;
  readonly tokens?: Tokens;
  /** Everything that was asked for so far: a step up asks for the union. */
  readonly scope?: string;
  /** A process that is refreshing; others wait for it until this moment. */
  readonly refreshing?: { readonly by: string; readonly until: number };
}

/** The fields of RFC 8414 metadata that we use. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly registration_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[];
  readonly [field: string]: unknown;
}

export interface StoredSignIn {
  readonly signIn: SignIn;
  /** Changes with every save; a save names the one it replaces. */
  readonly version: number;
}

/** Sealed, durable, compare-and-swap: shared by all processes of the user. */
export interface SignInStore {
  get(key: string): Promise<StoredSignIn | undefined>;
  /** False when somebody else saved meanwhile. `undefined` means that there must be none yet. */
  save(key: string, signIn: SignIn, replaces: number | undefined): Promise<boolean>;
  delete(key: string): Promise<boolean>;
}

/** As much of the sealed vault as sign-ins need. */
interface TokenVault {
  read(id: RecordId): Promise<{ readonly value: Secret; readonly version: number } | undefined>;
  swap(id: RecordId, value: Secret, expectedVersion?: number): Promise<number | undefined>;
  deleteRecord(id: RecordId): Promise<boolean>;
}

/** Keeps sign-ins in the vault, whole and sealed: tokens, client and issuer belong together. */
export function signInsIn(vault: TokenVault, owner: string): SignInStore {
  const idOf = (name: string): RecordId => ({ owner, kind: 'token', name });
  return {
    get: async (key) => {
      const found = await vault.read(idOf(key));
      if (!found) return undefined;
      // What was sealed here can only be opened as it was.
      return { signIn: JSON.parse(found.value.reveal()) as SignIn, version: found.version };
    },
    save: async (key, signIn, replaces) =>
      (await vault.swap(idOf(key), new Secret(JSON.stringify(signIn)), replaces)) !== undefined,
    delete: (key) => vault.deleteRecord(idOf(key)),
  };
}
