import type { OwnerId } from '../../servers/store.ts';
import type {
  Expected,
  KeyRing,
  PutResult,
  RecordId,
  RecordKind,
  SealedRecord,
  VaultStore,
} from '../../vault/store.ts';
import { boundedCount, sortedBy } from '../order.ts';

export class MemoryVaultStore implements VaultStore {
  #ring: string | undefined;
  readonly #keys = new Set<string>();
  /** As JSON text, as the databases keep them. */
  readonly #records = new Map<string, string>();

  async getKeyRing(): Promise<KeyRing | undefined> {
    return this.#ring === undefined ? undefined : (JSON.parse(this.#ring) as KeyRing); // written below
  }

  async putKeyRing(ring: KeyRing, expectedVersion: number): Promise<boolean> {
    const before = this.#ring === undefined ? 0 : (JSON.parse(this.#ring) as KeyRing).version;
    if (before !== expectedVersion) return false;
    this.#ring = JSON.stringify(ring);
    return true;
  }

  async addKey(keyId: string): Promise<void> {
    this.#keys.add(keyId);
  }

  async retireKey(keyId: string): Promise<boolean> {
    if (this.#all().some((record) => record.keyId === keyId)) return false;
    this.#keys.delete(keyId);
    return true;
  }

  async hasRecords(): Promise<boolean> {
    return this.#records.size > 0;
  }

  async getRecord(id: RecordId): Promise<SealedRecord | undefined> {
    return this.#get(id);
  }

  async putRecord(record: SealedRecord, expected: Expected): Promise<PutResult> {
    if (!this.#keys.has(record.keyId)) return 'no-key';
    const before = this.#get(record);
    if (expected === 'absent' ? before : before?.version !== expected.version) return 'conflict';
    if (expected !== 'absent' && expected.keyId !== undefined && before?.keyId !== expected.keyId) {
      return 'conflict';
    }
    this.#records.set(keyOf(record), JSON.stringify(record));
    return 'put';
  }

  async deleteRecord(id: RecordId): Promise<boolean> {
    return this.#records.delete(keyOf(id));
  }

  async deleteRecordsOf(
    owner: OwnerId,
    of: { readonly server: string; readonly account?: string },
  ): Promise<number> {
    const gone = this.#all().filter(
      (record) =>
        record.owner === owner &&
        record.server === of.server &&
        (of.account === undefined || record.account === of.account),
    );
    for (const record of gone) this.#records.delete(keyOf(record));
    return gone.length;
  }

  async listRecords(owner: OwnerId, kind: RecordKind): Promise<readonly SealedRecord[]> {
    const own = this.#all().filter((record) => record.owner === owner && record.kind === kind);
    return sortedBy(own, (record) => record.name);
  }

  async listRecordsUnder(keyId: string, limit: number): Promise<readonly SealedRecord[]> {
    const under = this.#all().filter((record) => record.keyId === keyId);
    return under.slice(0, boundedCount(limit, Number.MAX_SAFE_INTEGER));
  }

  #get(id: RecordId): SealedRecord | undefined {
    const text = this.#records.get(keyOf(id));
    return text === undefined ? undefined : (JSON.parse(text) as SealedRecord); // putRecord wrote it
  }

  #all(): readonly SealedRecord[] {
    return [...this.#records.values()].map((text) => JSON.parse(text) as SealedRecord);
  }
}

function keyOf({ owner, kind, name }: RecordId): string {
  return JSON.stringify([owner, kind, name]);
}
