import { assert, PlugError } from '../base/errors.ts';
import type { Redactor } from '../base/redact.ts';
import { Secret } from '../base/secret.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { OwnerId } from '../servers/store.ts';
import { Keys } from './keys.ts';
import type { MasterKeyKind, MasterKeySources } from './master-key.ts';
import { checkSecretName } from './names.ts';
import { damagedRecord, sealRecord, unsealRecord } from './record.ts';
import { finishRotation, type Rotation } from './rotate.ts';
import type { KeyRing, RecordId, RecordKind, SealedRecord, VaultStore } from './store.ts';
import type { Vault } from './vault.ts';

export interface SealedVaultOptions {
  readonly store: VaultStore;
  /** Each owner has keys of their own: destroying those destroys what they seal, and nothing else. */
  readonly owner: OwnerId;
  readonly sources: MasterKeySources;
  /** Reseals records after a worn key or an interrupted rotation. */
  readonly tasks: TaskGroup;
  readonly redactor?: Pick<Redactor, 'learn'>;
}

export interface VersionedSecret {
  readonly value: Secret;
  readonly version: number;
}

export interface VaultStatus {
  /** Absent in a vault that was never used. */
  readonly source?: MasterKeyKind;
  readonly keys: number;
  /** Whether the passphrase, if there is one, is still needed. */
  readonly locked?: boolean;
  readonly warning?: string;
}

/** Secrets at rest, each sealed on its own. Keyring and user are asked only for a read or a write. */
export class SealedVault implements Vault {
  readonly #store: VaultStore;
  readonly #owner: OwnerId;
  readonly #sources: MasterKeySources;
  readonly #keys: Keys;
  readonly #tasks: TaskGroup;
  readonly #redactor: Pick<Redactor, 'learn'> | undefined;

  constructor({ store, owner, sources, tasks, redactor }: SealedVaultOptions) {
    this.#store = store;
    this.#owner = owner;
    this.#sources = sources;
    this.#keys = new Keys(store, owner, sources);
    this.#tasks = tasks;
    this.#redactor = redactor;
  }

  async get(owner: string, name: string): Promise<Secret | undefined> {
    return (await this.read({ owner, kind: 'secret', name }))?.value;
  }

  async set(owner: string, name: string, value: Secret): Promise<void> {
    checkSecretName(name);
    await this.write({ owner, kind: 'secret', name }, value);
  }

  delete(owner: string, name: string): Promise<boolean> {
    return this.#store.deleteRecord({ owner, kind: 'secret', name });
  }

  async list(owner: string, kind: RecordKind = 'secret'): Promise<readonly string[]> {
    return (await this.#store.listRecords(owner, kind)).map(({ name }) => name);
  }

  async read(id: RecordId): Promise<VersionedSecret | undefined> {
    const record = await this.#store.getRecord(id);
    if (!record) return undefined;
    const value = await this.#open(id, record);
    this.#learnFrom(id, value);
    return { value, version: record.version };
  }

  /** The last write wins. Durable when the promise resolves; answers the new version. */
  async write(id: RecordId, value: Secret): Promise<number> {
    for (let attempt = 0; attempt < this.#sources.limits.vaultWriteAttemptsMax; attempt += 1) {
      const before = await this.#store.getRecord(id);
      const version = await this.swap(id, value, before?.version);
      if (version !== undefined) return version;
    }
    throw new PlugError('unavailable', `Others changed “${id.name}” in the vault all the time.`, {
      owner: 'plugboard',
      remedy: { do: 'retry' },
    });
  }

  /** Writes only if the record still has this version or is still absent; else answers undefined. */
  async swap(id: RecordId, value: Secret, expectedVersion?: number): Promise<number | undefined> {
    assert(id.owner === this.#owner, 'a record of another owner reached this vault');
    this.#learnFrom(id, value);
    // Versions never repeat, so that a stale reader can't mistake a new record for its own.
    const version = Math.max((expectedVersion ?? 0) + 1, this.#sources.clock.now());
    const expected = expectedVersion === undefined ? 'absent' : { version: expectedVersion };
    for (let attempt = 0; attempt < this.#sources.limits.vaultWriteAttemptsMax; attempt += 1) {
      const { key, isNew } = await this.#keys.takeForSeal();
      if (isNew) this.#finishLater();
      const result = await this.#store.putRecord(sealRecord(id, value, { version, key }), expected);
      if (result === 'put') return version;
      if (result === 'conflict') return undefined;
      await this.#keys.reload(); // another process has retired the key that we knew
    }
    return undefined;
  }

  deleteRecord(id: RecordId): Promise<boolean> {
    return this.#store.deleteRecord(id);
  }

  deleteAllOf(owner: string, of: { readonly server: string; readonly account?: string }): Promise<number> {
    return this.#store.deleteRecordsOf(owner, of);
  }

  /** Makes a new data key and reseals every record under it; reading and writing go on meanwhile. */
  async rotate(): Promise<Rotation> {
    await this.#keys.startRotation();
    return this.#finishRotation(this.#tasks.signal);
  }

  /** Resumes a rotation that a crash interrupted. Without one, asks for no key. */
  resume(): void {
    this.#tasks.run('look for an unfinished rotation of the vault', async () => {
      const ring = await this.#store.getKeyRing(this.#owner);
      if (ring && ring.keys.length > 1 && !(await this.#isLocked(ring))) this.#finishLater();
    });
  }

  /** Moves the master key to another source, or changes the passphrase. Only the data keys are resealed. */
  changeMasterKey(kind: MasterKeyKind, sources: Partial<MasterKeySources> = {}): Promise<void> {
    const { passphrase: ask, ...others } = sources;
    const passphrase = async (): Promise<Secret | undefined> => this.#learn(await ask?.());
    return this.#keys.changeMaster(kind, ask ? { ...others, passphrase } : others);
  }

  async unlock(passphrase: Secret): Promise<void> {
    this.#learn(passphrase);
    await this.#keys.unlock(passphrase);
    this.resume();
  }

  /** Fails when the passphrase is still needed: for work that would be lost at its end. */
  async checkUnlocked(): Promise<void> {
    const ring = await this.#store.getKeyRing(this.#owner);
    if (ring && (await this.#isLocked(ring))) await this.#keys.ring();
  }

  async status(): Promise<VaultStatus> {
    const ring = await this.#store.getKeyRing(this.#owner);
    if (!ring) return { keys: 0 };
    const { kind: source } = ring.master;
    return {
      source,
      keys: ring.keys.length,
      ...(source === 'passphrase' ? { locked: await this.#isLocked(ring) } : {}),
      ...(source === 'file' ? { warning: FILE_WARNING } : {}),
    };
  }

  async #isLocked(ring: KeyRing): Promise<boolean> {
    return ring.master.kind === 'passphrase' && !(await this.#keys.hold(ring));
  }

  /** Whole files are kept for undo: their text is no single value that could be hidden. */
  #learnFrom({ kind }: RecordId, value: Secret): void {
    if (kind !== 'undo') this.#redactor?.learn(value.reveal());
  }

  #learn(passphrase: Secret | undefined): Secret | undefined {
    if (passphrase) this.#redactor?.learn(passphrase.reveal());
    return passphrase;
  }

  async #open(id: RecordId, record: SealedRecord): Promise<Secret> {
    const key = await this.#keys.find(record.keyId);
    if (key) return unsealRecord(id, record, key);
    // A rotation may have resealed it since it was read.
    const again = await this.#store.getRecord(id);
    const newKey = again && again.keyId !== record.keyId ? await this.#keys.find(again.keyId) : undefined;
    if (!again || !newKey) throw damagedRecord(id);
    return unsealRecord(id, again, newKey);
  }

  #finishLater(): void {
    this.#tasks.run('re-encrypt the vault', async (signal) => void (await this.#finishRotation(signal)));
  }

  #finishRotation(signal: AbortSignal): Promise<Rotation> {
    const { limits } = this.#sources;
    return finishRotation({ store: this.#store, owner: this.#owner, keys: this.#keys, limits, signal });
  }
}

const FILE_WARNING =
  'The vault key is in a file beside the vault: anyone who can copy your files can read your secrets.';
