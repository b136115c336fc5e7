import { Secret } from '../../base/secret.ts';
import type { SealedVault } from '../../vault/sealed-vault.ts';
import type { RecordId } from '../../vault/store.ts';

/** How we are known at an authorization server. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string;
  /** `document`: our id is the address of our metadata (CIMD). */
  readonly kind: 'document' | 'preset' | 'registered' | 'manual';
  /** Registered for the token endpoint. */
  readonly authMethod?: string;
  /** Of its redirect address, where the user chose one. */
  readonly callbackPort?: number;
}

export interface Tokens {
  readonly access: string;
  readonly refresh?: string;
  /** Epoch milliseconds; absent when the server did not say. */
  readonly expiresAt?: number;
  readonly renewAt?: number;
  readonly scope?: string;
}

/** Sealed in the vault. Bound to its issuer: it is used nowhere else. */
export interface SignIn {
  /** Without a browser, by the word of the company's identity provider. */
  readonly by?: 'identity';
  readonly issuer: string;
  /** As it was when the person agreed. */
  readonly metadata: AuthorizationServer;
  /** The resource indicator of every token request. */
  readonly resource?: string;
  readonly client: OAuthClient;
  /** Renewing keeps it; a sign-in as another person changes it. */
  readonly identity?: string;
  readonly tokens?: Tokens;
  /** All scopes asked for so far: a step up asks for the union. */
  readonly scope?: string;
  /** Other processes wait for this one until then. */
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

/** Durable, with compare-and-swap: shared by all processes of the user. */
export interface SignInStore {
  get(key: string): Promise<StoredSignIn | undefined>;
  /** False when another process saved meanwhile. `undefined` means that there must be none yet. */
  save(key: string, signIn: SignIn, replaces: number | undefined): Promise<boolean>;
  delete(key: string): Promise<boolean>;
}

/** Whole and sealed: tokens, client and issuer belong together. */
export function signInsIn(
  vault: Pick<SealedVault, 'read' | 'swap' | 'deleteRecord'>,
  owner: string,
): SignInStore {
  const idOf = (name: string): RecordId => ({ owner, kind: 'token', name });
  return {
    get: async (key) => {
      const found = await vault.read(idOf(key));
      if (!found) return undefined;
      // Only `save` seals values here.
      return { signIn: JSON.parse(found.value.reveal()) as SignIn, version: found.version };
    },
    save: async (key, signIn, replaces) =>
      (await vault.swap(idOf(key), new Secret(JSON.stringify(signIn)), replaces)) !== undefined,
    delete: (key) => vault.deleteRecord(idOf(key)),
  };
}
