import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import type { KeyRing, RecordId, SealedRecord, VaultStore } from '../../vault/store.ts';
import { boundedCount, columnKey, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { deleted, type Database } from './run.ts';
import type { Tables } from './schema.ts';

const RING = 'ring';

export function sqlVaultStore({ db, run }: Database): VaultStore {
  const store: VaultStore = {
    async getKeyRing() {
      const query = db.selectFrom('vault_key_ring').select('body').where('name', '=', RING);
      const row = await run(() => query.executeTakeFirst());
      return row && (fromBody('vault_key_ring', row.body) as KeyRing);
    },
    async putKeyRing(ring, expectedVersion) {
      const body = toBody(ring);
      const { version } = ring;
      const query =
        expectedVersion === 0
          ? db
              .insertInto('vault_key_ring')
              .values({ name: RING, version, body })
              .onConflict((conflict) => conflict.column('name').doNothing())
          : db
              .updateTable('vault_key_ring')
              .set({ version, body })
              .where('name', '=', RING)
              .where('version', '=', expectedVersion);
      if ((await run(() => changedRows(query))) > 0n) return true;
      // A lost connection may have cost us the answer of a write that happened.
      return toBody((await store.getKeyRing()) ?? {}) === body;
    },
    async addKey(keyId) {
      const query = db
        .insertInto('vault_keys')
        .values({ id: columnKey(keyId) })
        .onConflict((conflict) => conflict.column('id').doNothing());
      await run(() => query.execute());
    },
    async retireKey(keyId) {
      const query = db.deleteFrom('vault_keys').where(keys({ id: keyId }));
      return run(() =>
        query.execute().then(
          () => true,
          (error: unknown) => unlessForeignKey(error, false),
        ),
      );
    },
    async hasRecords() {
      const query = db.selectFrom('vault_records').select('key_id').limit(1);
      return (await run(() => query.execute())).length > 0;
    },
    async getRecord(id) {
      const query = db
        .selectFrom('vault_records')
        .select(COLUMNS)
        .where(keys(idOf(id)));
      const row = await run(() => query.executeTakeFirst());
      return row && toRecord(row);
    },
    async putRecord(record, expected) {
      const row = toRow(record);
      const query =
        expected === 'absent'
          ? db
              .insertInto('vault_records')
              .values(row)
              .onConflict((conflict) => conflict.columns(['owner', 'kind', 'name']).doNothing())
          : db
              .updateTable('vault_records')
              .set(row)
              .where(keys({ ...idOf(record), ...defined({ key_id: expected.keyId }) }))
              .where('version', '=', expected.version);
      const changed = await run(() =>
        changedRows(query).catch((error: unknown) => unlessForeignKey(error, undefined)),
      );
      if (changed === undefined) return 'no-key';
      if (changed > 0n) return 'put';
      // Every seal is a different text: if this one is there, a repeated write met itself.
      return (await store.getRecord(record))?.sealed === record.sealed ? 'put' : 'conflict';
    },
    deleteRecord: async (id) =>
      (await deleted(run, db.deleteFrom('vault_records').where(keys(idOf(id))))) > 0,
    deleteRecordsOf: (owner, { server, account }) =>
      deleted(run, db.deleteFrom('vault_records').where(keys({ owner, server, ...defined({ account }) }))),
    async listRecords(owner, kind) {
      const query = db.selectFrom('vault_records').select(COLUMNS).where(keys({ owner, kind }));
      const rows = await run(() => query.execute());
      return sortedBy(rows.map(toRecord), (record) => record.name);
    },
    async listRecordsUnder(keyId, limit) {
      const query = db
        .selectFrom('vault_records')
        .select(COLUMNS)
        .where(keys({ key_id: keyId }))
        .limit(boundedCount(limit));
      return (await run(() => query.execute())).map(toRecord);
    },
  };
  return store;
}

function idOf({ owner, kind, name }: RecordId): RecordId {
  return { owner, kind, name };
}

/** An insert or an update: each counts its rows under its own name. */
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
    owner: columnKey(record.owner),
    kind: record.kind,
    name: columnKey(record.name),
    server: record.server === undefined ? null : columnKey(record.server),
    account: record.account === undefined ? null : columnKey(record.account),
    version: record.version,
    key_id: columnKey(record.keyId),
    body: toBody(record),
  };
}

const COLUMNS = ['owner', 'kind', 'name', 'version', 'key_id', 'body'] as const;

/** The columns count: an old body put back does not open, and one moved to another row loses its seal. */
function toRecord(row: Pick<Tables['vault_records'], (typeof COLUMNS)[number]>): SealedRecord {
  const record = fromBody('vault_records', row.body) as SealedRecord;
  const isHere =
    columnKey(record.owner) === row.owner && record.kind === row.kind && columnKey(record.name) === row.name;
  return { ...record, version: row.version, keyId: row.key_id, ...(isHere ? {} : { sealed: '' }) };
}

/** PostgreSQL has a SQLSTATE for it, SQLite an extended result code. */
function unlessForeignKey<T>(error: unknown, answer: T): T {
  if (isObject(error) && (error['code'] === '23503' || error['errcode'] === 787)) return answer;
  throw error;
}
