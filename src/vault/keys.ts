import { ignore } from '../base/errors.ts';
import type { Secret } from '../base/secret.ts';
import { newDataKey, type DataKey } from './seal.ts';
import {
  busyRing,
  damagedRing,
  lostRing,
  notLocked,
  openRing,
  rewrapAll,
  withReserved,
  wrapNew,
  type OpenedRing,
} from './key-ring.ts';
import {
  createMasterKey,
  forgetMasterKey,
  loadMasterKey,
  type MasterKeyKind,
  type MasterKeySources,
  type OpenedMaster,
} from './master-key.ts';
import type { KeyRing, VaultStore } from './store.ts';

/**
 * The vault's keys, opened once and held in memory. The stored key ring is the truth: every change
 * is one compare-and-swap of it, so that several processes and crashes leave no state in between.
 */
export class Keys {
  readonly #store: VaultStore;
  readonly #sources: MasterKeySources;
  #opened: Promise<OpenedRing> | undefined;
  /** Seals of the current key that this process may still use. */
  #left = { keyId: '', seals: 0 };
  /** Changes of keys happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: VaultStore, sources: MasterKeySources) {
    this.#store = store;
    this.#sources = sources;
  }

  /** The ring as this process knows it; makes the first keys when there are none. */
  async ring(): Promise<KeyRing> {
    return (await this.#open()).ring;
  }

  /** The key of this id; undefined when the vault does not have it. */
  async find(keyId: string): Promise<DataKey | undefined> {
    const known = (await this.#open()).keys.get(keyId);
    if (known) return known;
    // Another process may have rotated meanwhile.
    await this.reload();
    return (await this.#open()).keys.get(keyId);
  }

  /**
   * The current key, for one seal. Seals are counted, and the count is stored ahead in blocks, so
   * that it survives a crash. A key that has served its time is replaced first: `isNew` says so.
   */
  takeForSeal(): Promise<{ readonly key: DataKey; readonly isNew: boolean }> {
    return this.#inTurn(async () => {
      const {
        vaultSealsPerKeyMax: max,
        vaultSealsReserved: block,
        vaultWriteAttemptsMax,
      } = this.#sources.limits;
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

  /**
   * Opens the keys with a passphrase and holds them as long as this process lives; the passphrase
   * itself is not kept. One try at a time: what a guess costs cannot be saved by guessing at once.
   */
  unlock(passphrase: Secret): Promise<void> {
    return this.#inTurn(async () => {
      const ring = await this.#store.getKeyRing();
      if (ring?.master.kind !== 'passphrase') throw notLocked();
      const sources = { ...this.#sources, passphrase: () => Promise.resolve(passphrase) };
      const key = await loadMasterKey(ring.master, sources);
      this.#opened = Promise.resolve(openRing(ring, { master: ring.master, key }));
    });
  }

  /** Whether the keys of this ring are in memory. Asks nobody for anything. */
  async hold({ master }: KeyRing): Promise<boolean> {
    const known = await this.#opened?.catch(() => undefined);
    return known?.ring.master.id === master.id;
  }

  /** Makes a new key current; the others stay readable. */
  startRotation(): Promise<void> {
    return this.#inTurn(() => this.#addKey());
  }

  /** Drops a key that no record needs any more; false when some still do. */
  retire(keyId: string): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!(await this.#store.retireKey(keyId))) return false;
      await this.#change(({ ring }) =>
        ring.current === keyId ? undefined : { ...ring, keys: ring.keys.filter(({ id }) => id !== keyId) },
      );
      return true;
    });
  }

  /** Seals the data keys with another master key. Records are not touched. */
  changeMaster(kind: MasterKeyKind, sources: Partial<MasterKeySources>): Promise<void> {
    return this.#inTurn(async () => {
      const all = { ...this.#sources, ...sources };
      // A vault that does not open must not get a key beside the one that it has.
      const before = (await this.#open()).ring.master;
      const next = await createMasterKey(all, kind);
      try {
        await this.#change(({ ring, keys }) => rewrapAll(ring, keys, next), next);
      } catch (error) {
        await forgetMasterKey(next.master, all);
        throw error;
      }
      await forgetMasterKey(before, this.#sources);
    });
  }

  /** Forgets what is in memory; the next use reads the ring and the master key anew. */
  async reload(): Promise<void> {
    const known = await this.#opened?.catch(() => undefined);
    const ring = await this.#store.getKeyRing();
    if (!ring || !known || known.ring.master.id !== ring.master.id) {
      this.#opened = undefined;
      return;
    }
    this.#opened = Promise.resolve(openRing(ring, known.master));
  }

  #open(): Promise<OpenedRing> {
    if (this.#opened) return this.#opened;
    const opening = this.#openOrCreate();
    this.#opened = opening;
    const forget = opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    ignore(forget, 'a failure is not remembered: the passphrase may be right the next time');
    return opening;
  }

  async #openOrCreate(): Promise<OpenedRing> {
    const ring = await this.#store.getKeyRing();
    if (!ring) return this.#create();
    const key = await loadMasterKey(ring.master, this.#sources);
    return openRing(ring, { master: ring.master, key });
  }

  async #create(): Promise<OpenedRing> {
    if (await this.#store.hasRecords()) throw lostRing();
    const master = await createMasterKey(this.#sources);
    const key = newDataKey(this.#sources.ids.next('key'));
    await this.#store.addKey(key.id);
    const keys = [wrapNew(key, master, this.#sources.clock.now())];
    const ring: KeyRing = { version: 1, master: master.master, current: key.id, keys };
    if (await this.#store.putKeyRing(ring, 0)) return openRing(ring, master);
    // Another process was faster: its keys count, and ours are gone before anybody used them.
    await forgetMasterKey(master.master, this.#sources);
    await this.#store.retireKey(key.id);
    return this.#openOrCreate();
  }

  async #addKey(): Promise<void> {
    // First of all the master key must be there and be right: else nothing is written at all.
    await this.#open();
    const key = newDataKey(this.#sources.ids.next('key'));
    await this.#store.addKey(key.id);
    await this.#change(({ ring, master }) => ({
      ...ring,
      current: key.id,
      keys: [...ring.keys, wrapNew(key, master, this.#sources.clock.now())],
    }));
  }

  /** Swaps the ring for a changed one, again and again until nobody came between. */
  async #change(change: (opened: OpenedRing) => KeyRing | undefined, master?: OpenedMaster): Promise<void> {
    for (let attempt = 0; attempt < this.#sources.limits.vaultWriteAttemptsMax; attempt += 1) {
      const changed = change(await this.#open());
      if (!changed || (await this.#swap(changed, master))) return;
    }
    throw busyRing();
  }

  async #swap(changed: KeyRing, master?: OpenedMaster): Promise<boolean> {
    const opened = await this.#open();
    const ring = { ...changed, version: changed.version + 1 };
    if (await this.#store.putKeyRing(ring, changed.version)) {
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
