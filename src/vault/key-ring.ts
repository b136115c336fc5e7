import type { Remedy } from '../base/remedy.ts';
import { PlugError } from '../base/errors.ts';
import { unwrapKey, wrapKey, type DataKey } from './seal.ts';
import type { OpenedMaster } from './master-key.ts';
import type { KeyRing, WrappedKey } from './store.ts';

/** A key ring with its keys in memory. */
export interface OpenedRing {
  readonly ring: KeyRing;
  readonly master: OpenedMaster;
  readonly keys: ReadonlyMap<string, DataKey>;
}

/** All or nothing: a ring with one key changed from outside is not trusted. */
export function openRing(ring: KeyRing, master: OpenedMaster): OpenedRing {
  const keys = ring.keys.map((wrapped) => {
    const key = unwrapKey(wrapped, master.key, ring.master.id);
    if (!key) throw wrongMaster(ring);
    return [key.id, key] as const;
  });
  return { ring, master, keys: new Map(keys) };
}

export function wrapNew(key: DataKey, { key: master, master: { id } }: OpenedMaster, at: number): WrappedKey {
  return { id: key.id, wrapped: wrapKey(key, master, id), createdAt: at, reserved: 0 };
}

/** The same data keys under another master key. */
export function rewrapAll({ ring, keys }: OpenedRing, { key: master, master: next }: OpenedMaster): KeyRing {
  const wrapped = ring.keys.map((before) => {
    const key = keys.get(before.id);
    if (!key) throw damagedRing();
    return { ...before, wrapped: wrapKey(key, master, next.id) };
  });
  return { ...ring, master: next, keys: wrapped };
}

/** The ring with this many seals of the current key set aside. */
export function withReserved(ring: KeyRing, reserved: number): KeyRing {
  return { ...ring, keys: ring.keys.map((key) => (key.id === ring.current ? { ...key, reserved } : key)) };
}

function wrongMaster({ master }: KeyRing): PlugError {
  const message =
    master.kind === 'passphrase'
      ? 'The passphrase does not open the vault.'
      : 'The master key does not open the vault: it is another key, or the vault was changed from outside.';
  return new PlugError('denied', `${message} Nothing in the vault was changed.`, {
    owner: 'you',
    remedy: NEXT[master.kind],
    details: { source: master.kind },
  });
}

const NEXT: Readonly<Record<KeyRing['master']['kind'], Remedy | string>> = {
  keyring: 'Sign in as the user who made the vault, or restore the database from a backup.',
  passphrase: { do: 'unlock-vault' },
  environment: 'Set PLUG_MASTER_KEY to the key that the vault was made with.',
  file: 'Restore the key file, or the database, from the same backup.',
};

export function notLocked(): PlugError {
  return new PlugError('usage', 'The vault is not locked with a passphrase.', {
    owner: 'you',
    remedy: { do: 'show', what: 'hub' },
  });
}

const RESTORE = { owner: 'you', remedy: 'Restore the database from a backup.' } as const;

export function damagedRing(): PlugError {
  return new PlugError('storage_failed', 'The keys of the vault were changed from outside.', RESTORE);
}

/** A new key would silently make every stored secret unreadable. */
export function lostRing(): PlugError {
  const message =
    'The vault holds secrets, but the keys that open them are gone. Nothing in the vault was changed.';
  return new PlugError('storage_failed', message, RESTORE);
}

export function busyRing(): PlugError {
  return new PlugError('unavailable', 'Others changed the keys of the vault all the time.', {
    owner: 'plugboard',
    remedy: { do: 'retry' },
  });
}
