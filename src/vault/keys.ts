import { ignore, PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Remedy } from '../base/remedy.ts';
import type { Secret } from '../base/secret.ts';
import type { OwnerId } from '../servers/store.ts';
import { newDataKey, unwrapKey, wrapKey, type DataKey } from './seal.ts';
import {
  createMasterKey,
  forgetMasterKey,
  loadMasterKey,
  type MasterKeyKind,
  type MasterKeySources,
  type OpenedMaster,
} from './master-key.ts';
import type { KeyRing, VaultStore, WrappedKey } from './store.ts';

/** The keys of an owner's vault, opened once. Every change is one compare-and-swap of the stored ring. */
export class Keys {
  readonly #store: VaultStore;
  readonly #owner: OwnerId;
  readonly #sources: MasterKeySources;
  readonly #limits: Limits;
  #opened: Promise<OpenedRing> | undefined;
  /** Seals that this process may still use. */
  #left = { keyId: '', seals: 0 };
  /** Changes happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: VaultStore, owner: OwnerId, sources: MasterKeySources) {
    this.#store = store;
    this.#owner = owner;
    this.#sources = sources;
    this.#limits = sources.limits;
  }

  async ring(): Promise<KeyRing> {
    return (await this.#open()).ring;
  }

  async find(keyId: string): Promise<DataKey | undefined> {
    const known = (await this.#open()).keys.get(keyId);
    if (known) return known;
    // Another process may have rotated meanwhile.
    await this.reload();
    return (await this.#open()).keys.get(keyId);
  }

  /** The current key, for one seal; a worn key is replaced. Blocks of seals are counted ahead of use. */
  takeForSeal(): Promise<{ readonly key: DataKey; readonly isNew: boolean }> {
    return this.#inTurn(async () => {
      const { vaultSealsPerKeyMax: max, vaultSealsReserved: block, vaultWriteAttemptsMax } = this.#limits;
      let isNew = false;
      for (let attempt = 0; attempt < vaultWriteAttemptsMax; attempt += 1) {
        const { ring, keys } = await this.#open();
        const key = keys.get(ring.current);
        const reserved = ring.keys.find(({ id }) => id === ring.current)?.reserved;
        if (!key || reserved === undefined) throw damagedRing();
        if (this.#left.keyId === key.id && this.#left.seals > 0) {
          this.#left.seals -= 1;
          return { key, isNew };
        }
        if (reserved + block > max) {
          await this.#addKey();
          isNew = true;
        } else if (await this.#swap(withReserved(ring, reserved + block))) {
          this.#left = { keyId: key.id, seals: block };
        }
      }
      throw busyRing();
    });
  }

  /** Opens the keys until this process ends. One guess at a time, so that guesses can't run in parallel. */
  unlock(passphrase: Secret): Promise<void> {
    return this.#inTurn(async () => {
      const ring = await this.#store.getKeyRing(this.#owner);
      if (ring?.master.kind !== 'passphrase') throw notLocked();
      const sources = { ...this.#sources, passphrase: () => Promise.resolve(passphrase) };
      const key = await loadMasterKey(ring.master, sources);
      this.#opened = Promise.resolve(openRing(ring, { master: ring.master, key }));
    });
  }

  async hold({ master }: KeyRing): Promise<boolean> {
    const known = await this.#opened?.catch(() => undefined);
    return known?.ring.master.id === master.id;
  }

  /** Makes a new key current; the others stay readable. */
  startRotation(): Promise<void> {
    return this.#inTurn(() => this.#addKey());
  }

  retire(keyId: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!(await this.#store.retireKey(this.#owner, keyId))) return false;
      await this.#change(({ ring }) =>
        ring.current === keyId ? undefined : { ...ring, keys: ring.keys.filter(({ id }) => id !== keyId) },
      );
      return true;
    });
  }

  /** Seals the data keys with another master key. Records stay as they are. */
  changeMaster(kind: MasterKeyKind, sources: Partial<MasterKeySources>): Promise<void> {
    return this.#inTurn(async () => {
      const all = { ...this.#sources, ...sources };
      // A vault that does not open must not get a second key.
      const before = (await this.#open()).ring.master;
      const next = await createMasterKey(all, kind);
      try {
        await this.#change((opened) => rewrapAll(opened, next), next);
      } catch (error) {
        await forgetMasterKey(next.master, all);
        throw error;
      }
      await forgetMasterKey(before, this.#sources);
    });
  }

  /** Reads the ring again, and with the next use also the master key if that has changed. */
  async reload(): Promise<void> {
    const known = await this.#opened?.catch(() => undefined);
    const ring = await this.#store.getKeyRing(this.#owner);
    const isSame = ring && known?.ring.master.id === ring.master.id;
    this.#opened = isSame ? Promise.resolve(openRing(ring, known.master)) : undefined;
  }

  #open(): Promise<OpenedRing> {
    if (this.#opened) return this.#opened;
    const opening = this.#openOrCreate();
    this.#opened = opening;
    const forget = opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    ignore(forget, 'a failure is forgotten: the passphrase may be right the next time');
    return opening;
  }

  async #openOrCreate(): Promise<OpenedRing> {
    const ring = await this.#store.getKeyRing(this.#owner);
    if (!ring) return this.#create();
    const key = await loadMasterKey(ring.master, this.#sources);
    return openRing(ring, { master: ring.master, key });
  }

  async #create(): Promise<OpenedRing> {
    if (await this.#store.hasRecords(this.#owner)) throw lostRing();
    const master = await createMasterKey(this.#sources);
    const key = newDataKey(this.#sources.ids.next('key'));
    await this.#store.addKey(this.#owner, key.id);
    const keys = [wrapNew(key, master, this.#sources.clock.now())];
    const ring: KeyRing = { version: 1, master: master.master, current: key.id, keys };
    if (await this.#store.putKeyRing(this.#owner, ring, 0)) return openRing(ring, master);
    // Another process was faster: its keys count.
    await forgetMasterKey(master.master, this.#sources);
    await this.#store.retireKey(this.#owner, key.id);
    return this.#openOrCreate();
  }

  async #addKey(): Promise<void> {
    // Without the right master key nothing is written.
    await this.#open();
    const key = newDataKey(this.#sources.ids.next('key'));
    await this.#store.addKey(this.#owner, key.id);
    await this.#change(({ ring, master }) => ({
      ...ring,
      current: key.id,
      keys: [...ring.keys, wrapNew(key, master, this.#sources.clock.now())],
    }));
  }

  /** Swaps the ring for a changed one; retries when another process was faster. */
  async #change(change: (opened: OpenedRing) => KeyRing | undefined, master?: OpenedMaster): Promise<void> {
    for (let attempt = 0; attempt < this.#limits.vaultWriteAttemptsMax; attempt += 1) {
      const changed = change(await this.#open());
      if (!changed || (await this.#swap(changed, master))) return;
    }
    throw busyRing();
  }

  async #swap(changed: KeyRing, master?: OpenedMaster): Promise<boolean> {
    const opened = await this.#open();
    const ring = { ...changed, version: changed.version + 1 };
    if (await this.#store.putKeyRing(this.#owner, ring, changed.version)) {
      this.#opened = Promise.resolve(openRing(ring, master ?? opened.master));
      return true;
    }
    await this.reload();
    return false;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = Promise.allSettled([mine]);
    return mine;
  }
}

interface OpenedRing {
  readonly ring: KeyRing;
  readonly master: OpenedMaster;
  readonly keys: ReadonlyMap<string, DataKey>;
}

/** All or nothing: a ring with one key changed from outside is not trusted. */
function openRing(ring: KeyRing, master: OpenedMaster): OpenedRing {
  const keys = ring.keys.map((wrapped) => {
    const key = unwrapKey(wrapped, master.key, ring.master.id);
    if (!key) throw wrongMaster(ring);
    return [key.id, key] as const;
  });
  return { ring, master, keys: new Map(keys) };
}

function wrapNew(key: DataKey, { key: master, master: { id } }: OpenedMaster, at: number): WrappedKey {
  return { id: key.id, wrapped: wrapKey(key, master, id), createdAt: at, reserved: 0 };
}

function rewrapAll({ ring, keys }: OpenedRing, { key: master, master: next }: OpenedMaster): KeyRing {
  const wrapped = ring.keys.map((before) => {
    const key = keys.get(before.id);
    if (!key) throw damagedRing();
    return { ...before, wrapped: wrapKey(key, master, next.id) };
  });
  return { ...ring, master: next, keys: wrapped };
}

function withReserved(ring: KeyRing, reserved: number): KeyRing {
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

function notLocked(): PlugError {
  return new PlugError('usage', 'The vault is not locked with a passphrase.', {
    owner: 'you',
    remedy: { do: 'show', what: 'hub' },
  });
}

const RESTORE = { owner: 'you', remedy: 'Restore the database from a backup.' } as const;

function damagedRing(): PlugError {
  return new PlugError('storage_failed', 'The keys of the vault were changed from outside.', RESTORE);
}

/** A new key would silently make every stored secret unreadable. */
function lostRing(): PlugError {
  const message =
    'The vault holds secrets, but the keys that open them are gone. Nothing in the vault was changed.';
  return new PlugError('storage_failed', message, RESTORE);
}

function busyRing(): PlugError {
  return new PlugError('unavailable', 'Others changed the keys of the vault all the time.', {
    owner: 'plugboard',
    remedy: { do: 'retry' },
  });
}
