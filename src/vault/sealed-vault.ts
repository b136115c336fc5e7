import { PlugError } from '../base/errors.ts';
import type { Redactor } from '../base/redact.ts';
import { Secret } from '../base/secret.ts';
import type { TaskGroup } from '../base/tasks.ts';
import { Keys } from './keys.ts';
import type { MasterKeyKind, MasterKeySources } from './master-key.ts';
import { checkSecretName } from './names.ts';
import { damagedRecord, sealRecord, unsealRecord } from './record.ts';
import { finishRotation, type Rotation } from './rotate.ts';
import type { KeyRing, PutResult, RecordId, RecordKind, SealedRecord, VaultStore } from './store.ts';
import type { Vault } from './vault.ts';

export interface SealedVaultOptions {
  readonly store: VaultStore;
  readonly sources: MasterKeySources;
  /** Owns the sealing anew that a worn key or an interrupted rotation asks for. */
  readonly tasks: TaskGroup;
  /** Learns every value that passes through here. */
  readonly redactor?: Pick<Redactor, 'learn'>;
}

/** A value with the version that a compare-and-swap needs. */
export interface VersionedSecret {
  readonly value: Secret;
  readonly version: number;
}

/** What a doctor wants to know. */
export interface VaultStatus {
  /** Absent as long as nothing was ever put in. */
  readonly source?: MasterKeyKind;
  /** More than one: a rotation is on its way. */
  readonly keys: number;
  /** With a passphrase: whether it still has to be given since the hub started. */
  readonly locked?: boolean;
  readonly warning?: string;
}

/**
 * Secrets at rest, each sealed on its own. Nothing is asked of the keyring or of the user before
 * the first secret is read or written; names are listed without any key.
 */
export class SealedVault implements Vault {
  readonly #store: VaultStore;
  readonly #sources: MasterKeySources;
  readonly #keys: Keys;
  readonly #tasks: TaskGroup;
  readonly #redactor: Pick<Redactor, 'learn'> | undefined;

  constructor({ store, sources, tasks, redactor }: SealedVaultOptions) {
    this.#store = store;
    this.#sources = sources;
    this.#keys = new Keys(store, sources);
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
    this.#redactor?.learn(value.reveal());
    return { value, version: record.version };
  }

  /** Whoever writes last wins. Durable when the promise resolves; answers the new version. */
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

  /**
   * Writes only when the record still has the version that was read, or is still absent. Undefined
   * means that somebody else was faster: read again before deciding anything.
   */
  async swap(id: RecordId, value: Secret, expectedVersion?: number): Promise<number | undefined> {
    this.#redactor?.learn(value.reveal());
    // Versions never come back, so that a stale reader cannot mistake a new record for its own.
    const version = Math.max((expectedVersion ?? 0) + 1, this.#sources.clock.now());
    const expected = expectedVersion === undefined ? 'absent' : { version: expectedVersion };
    for (let attempt = 0; attempt < this.#sources.limits.vaultWriteAttemptsMax; attempt += 1) {
      const { key, isNew } = await this.#keys.takeForSeal();
      if (isNew) this.#finishLater();
      const result: PutResult = await this.#store.putRecord(
        sealRecord(id, value, { version, key }),
        expected,
      );
      if (result === 'put') return version;
      if (result === 'conflict') return undefined;
      await this.#keys.reload(); // another process has retired the key that we knew
    }
    return undefined;
  }

  deleteRecord(id: RecordId): Promise<boolean> {
    return this.#store.deleteRecord(id);
  }

  /** Everything that was kept for a server, or for one account of it; answers how many went. */
  deleteAllOf(owner: string, of: { readonly server: string; readonly account?: string }): Promise<number> {
    return this.#store.deleteRecordsOf(owner, of);
  }

  /** A new data key, and every record sealed anew under it; reading and writing go on meanwhile. */
  async rotate(): Promise<Rotation> {
    await this.#keys.startRotation();
    return finishRotation(this.#store, this.#keys, this.#sources.limits, this.#tasks.signal);
  }

  /** Takes up a rotation that a crash interrupted. Does nothing, and asks for no key, when there is none. */
  resume(): void {
    this.#tasks.run('look for an unfinished rotation of the vault', async () => {
      const ring = await this.#store.getKeyRing();
      if (ring && ring.keys.length > 1 && !(await this.#isLocked(ring))) this.#finishLater();
    });
  }

  /** Moves the master key to another source, or changes the passphrase. Only the data keys are sealed anew. */
  changeMasterKey(kind: MasterKeyKind, sources: Partial<MasterKeySources> = {}): Promise<void> {
    const { passphrase: ask, ...others } = sources;
    const passphrase = async (): Promise<Secret | undefined> => this.#learn(await ask?.());
    return this.#keys.changeMaster(kind, ask ? { ...others, passphrase } : others);
  }

  /** Opens a vault that is locked with a passphrase, until this process ends. */
  async unlock(passphrase: Secret): Promise<void> {
    this.#learn(passphrase);
    await this.#keys.unlock(passphrase);
    this.resume();
  }

  /** Fails when the passphrase is still to be given: for work that would be lost at its end. */
  async checkUnlocked(): Promise<void> {
    const ring = await this.#store.getKeyRing();
    if (ring && (await this.#isLocked(ring))) await this.#keys.ring();
  }

  async status(): Promise<VaultStatus> {
    const ring = await this.#store.getKeyRing();
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

  #learn(passphrase: Secret | undefined): Secret | undefined {
    if (passphrase) this.#redactor?.learn(passphrase.reveal());
    return passphrase;
  }

  async #open(id: RecordId, record: SealedRecord): Promise<Secret> {
    const key = await this.#keys.find(record.keyId);
    if (key) return unsealRecord(id, record, key);
    // A rotation may have sealed it anew, and retired its key, since it was read.
    const again = await this.#store.getRecord(id);
    const newKey = again && again.keyId !== record.keyId ? await this.#keys.find(again.keyId) : undefined;
    if (!again || !newKey) throw damagedRecord(id);
    return unsealRecord(id, again, newKey);
  }

  #finishLater(): void {
    this.#tasks.run('seal the vault anew', async (signal) => {
      await finishRotation(this.#store, this.#keys, this.#sources.limits, signal);
    });
  }
}

const FILE_WARNING =
  'The key of the vault is in a file beside it: whoever can copy your files can read your secrets.';
