import type { KeyObject } from 'node:crypto';
import type { Remedy } from '../base/remedy.ts';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { type Ids, secretBytes } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';
import type { Secret } from '../base/secret.ts';
import { KEY_BYTES, keyFrom } from './seal.ts';
import { createKeyFile, deleteKeyFile, keyFilePath, readKeyFile } from './key-file.ts';
import type { Keyring } from './keyring.ts';
import { MASTER_KEY_VARIABLE, readMasterKeyVariable } from './key-variable.ts';
import { type Derivation, deriveKey, newDerivation } from './passphrase.ts';

/** Where the master key comes from; stored beside the keys that it opens. It holds no secret. */
export type MasterKey =
  | { readonly kind: 'keyring' | 'environment' | 'file'; readonly id: string }
  | { readonly kind: 'passphrase'; readonly id: string; readonly derivation: Derivation };

export type MasterKeyKind = MasterKey['kind'];

export interface MasterKeySources {
  readonly keyring?: Keyring | undefined;
  /** Without a passphrase the vault stays locked. */
  readonly passphrase?: (() => Promise<Secret | undefined>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
}

export interface OpenedMaster {
  readonly master: MasterKey;
  readonly key: KeyObject;
}

/** In this order. The last one always works; the doctor warns of it. */
const ORDER: readonly MasterKeyKind[] = ['keyring', 'passphrase', 'environment', 'file'];

export async function createMasterKey(
  sources: MasterKeySources,
  only?: MasterKeyKind,
): Promise<OpenedMaster> {
  for (const kind of only === undefined ? ORDER : [only]) {
    const made = await CREATE[kind](sources.ids.next('master'), sources);
    if (made) return made;
  }
  throw new PlugError('missing_input', `The master key was not moved: ${ABSENT[only ?? 'file']}`, {
    owner: 'you',
    remedy: only === 'environment' ? SET_VARIABLE : { do: 'move-vault-key' },
  });
}

/** Never makes a key: another one would not open anything. */
export async function loadMasterKey(master: MasterKey, sources: MasterKeySources): Promise<KeyObject> {
  const key = await loadFrom(master, sources);
  if (key) return key;
  const { kind, id } = master;
  const message = `The vault cannot be opened: ${MISSING[kind]} Nothing in the vault was changed.`;
  throw new PlugError('missing_input', message, {
    owner: 'you',
    remedy: ADVICE[kind],
    details: {
      source: kind,
      ...(kind === 'passphrase' ? { missing: ["the vault's passphrase"] } : {}),
      ...(kind === 'file' ? { file: keyFilePath(sources.folder, id) } : {}),
    },
  });
}

/** Removes a key that is no longer used. A passphrase or a variable is not ours to remove. */
export async function forgetMasterKey(master: MasterKey, sources: MasterKeySources): Promise<void> {
  if (master.kind === 'keyring') await sources.keyring?.delete(master.id);
  if (master.kind === 'file') await deleteKeyFile(sources.folder, master.id);
}

type Create = (id: string, sources: MasterKeySources) => Promise<OpenedMaster | undefined>;

const CREATE: Readonly<Record<MasterKeyKind, Create>> = {
  keyring: async (id, { keyring }) => {
    const bytes = secretBytes(KEY_BYTES);
    const kept = await keyring?.create(id, bytes.toString('base64'));
    return kept ? { master: { kind: 'keyring', id }, key: keyFrom(bytes) } : undefined;
  },
  passphrase: async (id, { passphrase: ask, limits }) => {
    const passphrase = await ask?.();
    if (!passphrase) return undefined;
    const derivation = newDerivation(passphrase, limits);
    const key = await deriveKey(passphrase, derivation, limits);
    return { master: { kind: 'passphrase', id, derivation }, key };
  },
  environment: async (id, { env }) => {
    const key = readMasterKeyVariable(env);
    return key && { master: { kind: 'environment', id }, key };
  },
  file: async (id, { folder, ids }) => ({
    master: { kind: 'file', id },
    key: await createKeyFile(folder, id, ids),
  }),
};

async function loadFrom(master: MasterKey, sources: MasterKeySources): Promise<KeyObject | undefined> {
  if (master.kind === 'passphrase') {
    const passphrase = await sources.passphrase?.();
    return passphrase && deriveKey(passphrase, master.derivation, sources.limits);
  }
  if (master.kind === 'environment') return readMasterKeyVariable(sources.env);
  if (master.kind === 'file') return readKeyFile(sources.folder, master.id);
  const bytes = Buffer.from((await sources.keyring?.get(master.id)) ?? '', 'base64');
  return bytes.length === KEY_BYTES ? keyFrom(bytes) : undefined;
}

const ABSENT: Readonly<Record<MasterKeyKind, string>> = {
  keyring: 'this system has no keyring that can be used.',
  passphrase: 'no passphrase was given.',
  environment: `the variable ${MASTER_KEY_VARIABLE} is not set.`,
  file: 'no key file can be made.',
};

const SET_VARIABLE = `Set ${MASTER_KEY_VARIABLE} for the hub, then restart the hub.`;

const MISSING: Readonly<Record<MasterKeyKind, string>> = {
  keyring: 'its key is in the keyring of this system, which did not give it out.',
  passphrase: 'it is locked with a passphrase.',
  environment: `its key is in the variable ${MASTER_KEY_VARIABLE}, which is not set.`,
  file: 'its key file is gone.',
};

const ADVICE: Readonly<Record<MasterKeyKind, Remedy | string>> = {
  keyring: 'Unlock the keyring (sign in to the desktop as the same user), then try again.',
  passphrase: { do: 'unlock-vault' },
  environment: `Set ${MASTER_KEY_VARIABLE} to the key that the vault was made with, then start the hub again.`,
  file: 'Restore the key file from a backup. Without it, the secrets can’t be read.',
};
