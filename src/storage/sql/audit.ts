import { CompiledQuery, type Kysely } from 'kysely';
import {
  textOfRecord,
  type AuditPage,
  type AuditQuery,
  type AuditRecord,
  type AuditStore,
} from '../../calls/audit-record.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import { fromCursor, toCursor, type AuditPlace } from '../audit-cursor.ts';
import { boundedCount, boundedTime, boundedTimeFrom } from '../order.ts';
import { batchesOf, breathe, together } from './batches.ts';
import { fromBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlAuditStore implements AuditStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async appendAudit(owner: OwnerId, records: readonly AuditRecord[]): Promise<void> {
    const [first, ...rest] = batchesOf(records.map((record) => rowOf(owner, record)));
    if (!first) return;
    // One statement is all or nothing by itself.
    if (rest.length === 0) return this.#run(() => insert(this.#db, first));
    await together({ db: this.#db, run: this.#run }, async (db) => {
      for (const batch of [first, ...rest]) await insert(db, batch);
    });
  }

  async queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage> {
    const limit = boundedCount(query.limit, limits.auditPageMax);
    if (limit === 0) return { records: [] };
    let found = this.#db.selectFrom('audit').select(['at', 'seq', 'body']).where('owner', '=', keyOf(owner));
    if (query.server !== undefined) found = found.where('server', '=', keyOf(query.server));
    if (query.tool !== undefined) found = found.where('tool', '=', keyOf(query.tool));
    if (query.outcome !== undefined) found = found.where('outcome', '=', keyOf(query.outcome));
    if (query.since !== undefined) found = found.where('at', '>=', boundedTimeFrom(query.since));
    if (query.until !== undefined) found = found.where('at', '<', boundedTimeFrom(query.until));
    if (query.cursor !== undefined) {
      const { at, seq } = fromCursor(query.cursor);
      found = found.where((row) => row(row.refTuple('at', 'seq'), '<', row.tuple(at, seq)));
    }
    // One more than asked for tells whether another page follows.
    const page = found
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(limit + 1);
    const rows = await this.#run(() => page.execute());
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      records: shown.map((row) => fromBody('audit', row.body) as AuditRecord),
      ...(last && rows.length > limit ? { cursor: toCursor(last) } : {}),
    };
  }

  async pruneAudit(
    owner: OwnerId,
    { before, keep }: { readonly before: number; readonly keep: number },
  ): Promise<number> {
    // Whatever its number, no record has a place before the first of the moment.
    const aged = await this.#deleteBefore(owner, { at: boundedTimeFrom(before), seq: 0 });
    const surplus = this.#db
      .selectFrom('audit')
      .select(['at', 'seq'])
      .where('owner', '=', keyOf(owner))
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .offset(boundedCount(keep, Number.MAX_SAFE_INTEGER))
      .limit(1);
    const newest = await this.#run(() => surplus.executeTakeFirst());
    if (!newest) return aged;
    return aged + (await this.#deleteBefore(owner, { at: newest.at, seq: newest.seq + 1 }));
  }

  /** Bit by bit, from the old end: calls are recorded meanwhile. */
  async #deleteBefore(owner: OwnerId, { at, seq }: AuditPlace): Promise<number> {
    const oldest = this.#db
      .selectFrom('audit as old')
      .select('old.seq')
      .where('old.owner', '=', keyOf(owner))
      .where((row) => row(row.refTuple('old.at', 'old.seq'), '<', row.tuple(at, seq)))
      .orderBy('old.at')
      .orderBy('old.seq')
      .limit(limits.auditPruneBatch);
    const query = this.#db.deleteFrom('audit').where('owner', '=', keyOf(owner)).where('seq', 'in', oldest);
    for (let gone = 0; ;) {
      const { numDeletedRows } = await this.#run(() => query.executeTakeFirst());
      gone += Number(numDeletedRows);
      if (numDeletedRows < limits.auditPruneBatch) return gone;
      await breathe();
    }
  }
}

type Row = ReturnType<typeof rowOf>;

function rowOf(owner: OwnerId, record: AuditRecord): Omit<Tables['audit'], 'seq'> {
  return {
    owner: keyOf(owner),
    call_id: keyOf(record.callId),
    at: boundedTime(record.at),
    server: keyOf(record.server),
    tool: keyOf(record.tool),
    outcome: keyOf(record.outcome),
    body: textOfRecord(record),
  };
}

/** A record that is there already stays as it is: an append can be repeated. */
/** Every call makes a row: the text of the statement is built once for each number of rows. */
async function insert(db: Kysely<Tables>, rows: readonly Row[]): Promise<void> {
  const known = statements.get(db)?.get(rows.length);
  if (known !== undefined) {
    await db.executeQuery(CompiledQuery.raw(known, rows.flatMap(valuesOf)));
    return;
  }
  const query = db
    .insertInto('audit')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['owner', 'call_id']).doNothing())
    .compile();
  const texts = statements.get(db) ?? new Map<number, string>();
  statements.set(db, texts.set(rows.length, query.sql));
  await db.executeQuery(query);
}

const statements = new WeakMap<Kysely<Tables>, Map<number, string>>();

/** In the order of rowOf, which is that of the statement. */
function valuesOf(row: Row): readonly unknown[] {
  return Object.values(row);
}
