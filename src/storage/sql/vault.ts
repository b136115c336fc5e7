import { defined } from '../../base/defined.ts';
import { isObject } from '../../base/json.ts';
import type { KeyRing, SealedRecord, VaultStore } from '../../vault/store.ts';
import { boundedCount, columnKey, fromBody, keys, sortedBy, toBody } from './rows.ts';
import { deleted, type Database } from './run.ts';
import type { Tables } from './schema.ts';

export function sqlVaultStore(database: Database): VaultStore {
  const store: VaultStore = {
    async getKeyRing(owner) {
      const row = await database.own(owner, (rows) =>
        rows.select('vault_key_ring').select('body').executeTakeFirst(),
      );
      return row && (fromBody('vault_key_ring', row.body) as KeyRing);
    },
    async putKeyRing(owner, ring, expectedVersion) {
      const body = toBody(ring);
      const { version } = ring;
      const changed = await database.own(owner, (rows) =>
        changedRows(
          expectedVersion === 0
            ? rows
                .insert('vault_key_ring', { version, body })
                .onConflict((conflict) => conflict.column('owner').doNothing())
            : rows.update('vault_key_ring').set({ version, body }).where('version', '=', expectedVersion),
        ),
      );
      if (changed > 0n) return true;
      // A lost connection may have cost us the answer of a write that happened.
      return toBody((await store.getKeyRing(owner)) ?? {}) === body;
    },
    async addKey(owner, keyId) {
      await database.own(owner, (rows) =>
        rows
          .insert('vault_keys', { id: columnKey(keyId) })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute(),
      );
    },
    retireKey: (owner, keyId) =>
      database.own(owner, (rows) =>
        rows
          .delete('vault_keys')
          .where(keys({ id: keyId }))
          .execute()
          .then(
            () => true,
            (error: unknown) => unlessForeignKey(error, false),
          ),
      ),
    hasRecords: async (owner) =>
      (await database.own(owner, (rows) => rows.select('vault_records').select('key_id').limit(1).execute()))
        .length > 0,
    async getRecord({ owner, kind, name }) {
      const row = await database.own(owner, (rows) =>
        rows.select('vault_records').select(COLUMNS).where(keys({ kind, name })).executeTakeFirst(),
      );
      return row && toRecord(row);
    },
    async putRecord(record, expected) {
      const { owner, kind, name } = record;
      const row = toRow(record);
      const changed = await database.own(owner, (rows) =>
        changedRows(
          expected === 'absent'
            ? rows
                .insert('vault_records', row)
                .onConflict((conflict) => conflict.columns(['owner', 'kind', 'name']).doNothing())
            : rows
                .update('vault_records')
                .set(row)
                .where(keys({ kind, name, ...defined({ key_id: expected.keyId }) }))
                .where('version', '=', expected.version),
        ).catch((error: unknown) => unlessForeignKey(error, undefined)),
      );
      if (changed === undefined) return 'no-key';
      if (changed > 0n) return 'put';
      // Every seal is a different text: if this one is there, a repeated write met itself.
      return (await store.getRecord(record))?.sealed === record.sealed ? 'put' : 'conflict';
    },
    deleteRecord: async ({ owner, kind, name }) =>
      (await database.own(owner, (rows) =>
        deleted(rows.delete('vault_records').where(keys({ kind, name }))),
      )) > 0,
    deleteRecordsOf: (owner, { server, account }) =>
      database.own(owner, (rows) =>
        deleted(rows.delete('vault_records').where(keys({ server, ...defined({ account }) }))),
      ),
    async listRecords(owner, kind) {
      const stored = await database.own(owner, (rows) =>
        rows.select('vault_records').select(COLUMNS).where(keys({ kind })).execute(),
      );
      return sortedBy(stored.map(toRecord), (record) => record.name);
    },
    async listRecordsUnder(owner, keyId, limit) {
      const stored = await database.own(owner, (rows) =>
        rows
          .select('vault_records')
          .select(COLUMNS)
          .where(keys({ key_id: keyId }))
          .limit(boundedCount(limit))
          .execute(),
      );
      return stored.map(toRecord);
    },
  };
  return store;
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

function toRow(record: SealedRecord): Omit<Tables['vault_records'], 'owner'> {
  return {
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
