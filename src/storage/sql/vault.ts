import type { Kysely } from 'kysely';
import { isObject } from '../../base/json.ts';
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
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

/** There is one ring; the table has a key because tables have one. */
const RING = 'ring';

export class SqlVaultStore implements VaultStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async getKeyRing(): Promise<KeyRing | undefined> {
    const query = this.#db.selectFrom('vault_key_ring').select('body').where('name', '=', RING);
    const row = await this.#run(() => query.executeTakeFirst());
    return row && (fromBody('vault_key_ring', row.body) as KeyRing);
  }

  async putKeyRing(ring: KeyRing, expectedVersion: number): Promise<boolean> {
    const body = toBody(ring);
    const { version } = ring;
    const query =
      expectedVersion === 0
        ? this.#db
            .insertInto('vault_key_ring')
            .values({ name: RING, version, body })
            .onConflict((conflict) => conflict.column('name').doNothing())
        : this.#db
            .updateTable('vault_key_ring')
            .set({ version, body })
            .where('name', '=', RING)
            .where('version', '=', expectedVersion);
    if ((await this.#run(() => changedRows(query))) > 0n) return true;
    // A lost connection may have cost us the answer of a write that happened.
    return toBody((await this.getKeyRing()) ?? {}) === body;
  }

  async addKey(keyId: string): Promise<void> {
    const query = this.#db
      .insertInto('vault_keys')
      .values({ id: keyOf(keyId) })
      .onConflict((conflict) => conflict.column('id').doNothing());
    await this.#run(() => query.execute());
  }

  async retireKey(keyId: string): Promise<boolean> {
    const query = this.#db.deleteFrom('vault_keys').where('id', '=', keyOf(keyId));
    return this.#run(() =>
      query.execute().then(
        () => true,
        (error: unknown) => unlessForeignKey(error, false),
      ),
    );
  }

  async hasRecords(): Promise<boolean> {
    const query = this.#db.selectFrom('vault_records').select('key_id').limit(1);
    return (await this.#run(() => query.execute())).length > 0;
  }

  async getRecord(id: RecordId): Promise<SealedRecord | undefined> {
    const query = this.#db
      .selectFrom('vault_records')
      .select(COLUMNS)
      .where('owner', '=', keyOf(id.owner))
      .where('kind', '=', id.kind)
      .where('name', '=', keyOf(id.name));
    const row = await this.#run(() => query.executeTakeFirst());
    return row && toRecord(row);
  }

  async putRecord(record: SealedRecord, expected: Expected): Promise<PutResult> {
    const row = toRow(record);
    const query =
      expected === 'absent'
        ? this.#db
            .insertInto('vault_records')
            .values(row)
            .onConflict((conflict) => conflict.columns(['owner', 'kind', 'name']).doNothing())
        : this.#update(row, expected);
    const changed = await this.#run(() =>
      changedRows(query).catch((error: unknown) => unlessForeignKey(error, undefined)),
    );
    if (changed === undefined) return 'no-key';
    if (changed > 0n) return 'put';
    // Every seal is another text: if this one is there, a repeated write has met itself.
    return (await this.getRecord(record))?.sealed === record.sealed ? 'put' : 'conflict';
  }

  async deleteRecord(id: RecordId): Promise<boolean> {
    const query = this.#db
      .deleteFrom('vault_records')
      .where('owner', '=', keyOf(id.owner))
      .where('kind', '=', id.kind)
      .where('name', '=', keyOf(id.name));
    return (await this.#run(() => query.executeTakeFirst())).numDeletedRows > 0n;
  }

  async deleteRecordsOf(
    owner: OwnerId,
    { server, account }: { readonly server: string; readonly account?: string },
  ): Promise<number> {
    const ofServer = this.#db
      .deleteFrom('vault_records')
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server));
    const query = account === undefined ? ofServer : ofServer.where('account', '=', keyOf(account));
    return Number((await this.#run(() => query.executeTakeFirst())).numDeletedRows);
  }

  async listRecords(owner: OwnerId, kind: RecordKind): Promise<readonly SealedRecord[]> {
    const query = this.#db
      .selectFrom('vault_records')
      .select(COLUMNS)
      .where('owner', '=', keyOf(owner))
      .where('kind', '=', kind);
    const rows = await this.#run(() => query.execute());
    return sortedBy(rows.map(toRecord), (record) => record.name);
  }

  async listRecordsUnder(keyId: string, limit: number): Promise<readonly SealedRecord[]> {
    const query = this.#db
      .selectFrom('vault_records')
      .select(COLUMNS)
      .where('key_id', '=', keyOf(keyId))
      .limit(boundedCount(limit, Number.MAX_SAFE_INTEGER));
    return (await this.#run(() => query.execute())).map(toRecord);
  }

  #update(row: Tables['vault_records'], expected: Exclude<Expected, 'absent'>): Changing {
    const ofVersion = this.#db
      .updateTable('vault_records')
      .set(row)
      .where('owner', '=', row.owner)
      .where('kind', '=', row.kind)
      .where('name', '=', row.name)
      .where('version', '=', expected.version);
    return expected.keyId === undefined ? ofVersion : ofVersion.where('key_id', '=', keyOf(expected.keyId));
  }
}

/** An insert or an update, which count their rows under two names. */
interface Changing {
  executeTakeFirst(): Promise<{
    readonly numInsertedOrUpdatedRows?: bigint | undefined;
    readonly numUpdatedRows?: bigint;
  }>;
}

async function changedRows(query: Changing): Promise<bigint> {
  const { numInsertedOrUpdatedRows, numUpdatedRows } = await query.executeTakeFirst();
  return numInsertedOrUpdatedRows ?? numUpdatedRows ?? 0n;
}

function toRow(record: SealedRecord): Tables['vault_records'] {
  return {
    owner: keyOf(record.owner),
    kind: record.kind,
    name: keyOf(record.name),
    server: record.server === undefined ? null : keyOf(record.server),
    account: record.account === undefined ? null : keyOf(record.account),
    version: record.version,
    key_id: keyOf(record.keyId),
    body: toBody(record),
  };
}

const COLUMNS = ['owner', 'kind', 'name', 'version', 'key_id', 'body'] as const;

/**
 * The columns count: an older body that was put back beside a newer version does not open, because
 * the version is bound to it. A body that was moved into another row is left without its seal.
 */
function toRecord(row: Pick<Tables['vault_records'], (typeof COLUMNS)[number]>): SealedRecord {
  const record = fromBody('vault_records', row.body) as SealedRecord;
  const isHere =
    keyOf(record.owner) === row.owner && record.kind === row.kind && keyOf(record.name) === row.name;
  return { ...record, version: row.version, keyId: row.key_id, ...(isHere ? {} : { sealed: '' }) };
}

/** PostgreSQL has a SQLSTATE for it, SQLite an extended result code. */
function unlessForeignKey<T>(error: unknown, answer: T): T {
  const isOne = isObject(error) && (error['code'] === '23503' || error['errcode'] === FOREIGN_KEY);
  if (isOne) return answer;
  throw error;
}

const FOREIGN_KEY = 787;
