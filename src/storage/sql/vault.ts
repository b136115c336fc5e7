import { isObject } from '../../base/json.ts';
import type { Expected, KeyRing, SealedRecord, VaultStore } from '../../vault/store.ts';
import { boundedCount, sortedBy } from '../order.ts';
import { fromBody, columnKey, toBody } from './columns.ts';
import type { Database } from './run.ts';
import type { Tables } from './schema.ts';

/** There is one ring; the table has a key because tables have one. */
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
      const query = db.deleteFrom('vault_keys').where('id', '=', columnKey(keyId));
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
        .where('owner', '=', columnKey(id.owner))
        .where('kind', '=', id.kind)
        .where('name', '=', columnKey(id.name));
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
          : update(row, expected);
      const changed = await run(() =>
        changedRows(query).catch((error: unknown) => unlessForeignKey(error, undefined)),
      );
      if (changed === undefined) return 'no-key';
      if (changed > 0n) return 'put';
      // Every seal is another text: if this one is there, a repeated write has met itself.
      return (await store.getRecord(record))?.sealed === record.sealed ? 'put' : 'conflict';
    },
    async deleteRecord(id) {
      const query = db
        .deleteFrom('vault_records')
        .where('owner', '=', columnKey(id.owner))
        .where('kind', '=', id.kind)
        .where('name', '=', columnKey(id.name));
      return (await run(() => query.executeTakeFirst())).numDeletedRows > 0n;
    },
    async deleteRecordsOf(owner, { server, account }) {
      const ofServer = db
        .deleteFrom('vault_records')
        .where('owner', '=', columnKey(owner))
        .where('server', '=', columnKey(server));
      const query = account === undefined ? ofServer : ofServer.where('account', '=', columnKey(account));
      return Number((await run(() => query.executeTakeFirst())).numDeletedRows);
    },
    async listRecords(owner, kind) {
      const query = db
        .selectFrom('vault_records')
        .select(COLUMNS)
        .where('owner', '=', columnKey(owner))
        .where('kind', '=', kind);
      const rows = await run(() => query.execute());
      return sortedBy(rows.map(toRecord), (record) => record.name);
    },
    async listRecordsUnder(keyId, limit) {
      const query = db
        .selectFrom('vault_records')
        .select(COLUMNS)
        .where('key_id', '=', columnKey(keyId))
        .limit(boundedCount(limit, Number.MAX_SAFE_INTEGER));
      return (await run(() => query.execute())).map(toRecord);
    },
  };
  return store;

  function update(row: Tables['vault_records'], expected: Exclude<Expected, 'absent'>): Changing {
    const ofVersion = db
      .updateTable('vault_records')
      .set(row)
      .where('owner', '=', row.owner)
      .where('kind', '=', row.kind)
      .where('name', '=', row.name)
      .where('version', '=', expected.version);
    return expected.keyId === undefined
      ? ofVersion
      : ofVersion.where('key_id', '=', columnKey(expected.keyId));
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

/**
 * The columns count: an older body that was put back beside a newer version does not open, because
 * the version is bound to it. A body that was moved into another row is left without its seal.
 */
function toRecord(row: Pick<Tables['vault_records'], (typeof COLUMNS)[number]>): SealedRecord {
  const record = fromBody('vault_records', row.body) as SealedRecord;
  const isHere =
    columnKey(record.owner) === row.owner && record.kind === row.kind && columnKey(record.name) === row.name;
  return { ...record, version: row.version, keyId: row.key_id, ...(isHere ? {} : { sealed: '' }) };
}

/** PostgreSQL has a SQLSTATE for it, SQLite an extended result code. */
function unlessForeignKey<T>(error: unknown, answer: T): T {
  const isOne = isObject(error) && (error['code'] === '23503' || error['errcode'] === FOREIGN_KEY);
  if (isOne) return answer;
  throw error;
}

const FOREIGN_KEY = 787;
