import { Secret } from '../../base/secret.ts';
import type { RecordId } from '../../vault/store.ts';
import type { SignIn, SignInStore } from './sign-in.ts';

/** As much of the sealed vault as sign-ins need. */
export interface TokenVault {
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
