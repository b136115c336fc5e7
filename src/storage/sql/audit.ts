import { CompiledQuery, type Kysely } from 'kysely';
import type {
  AuditFigures,
  AuditPage,
  AuditParts,
  AuditQuery,
  AuditRecord,
  AuditStore,
  WrittenRecord,
} from '../../calls/audit-record.ts';
import { textIn } from '../../calls/audit/record-text.ts';
import { assert } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import { fromCursor, toCursor, type AuditPlace } from '../audit-cursor.ts';
import { boundedCount, boundedTime, boundedTimeFrom } from '../order.ts';
import { sumAudit } from './audit-figures.ts';
import { breathe, together } from './batches.ts';
import { fromBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlAuditStore implements AuditStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;
  /** By the number of rows that they insert. */
  readonly #statements = new Map<number, string>();

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async appendAudit(owner: OwnerId, records: readonly (AuditRecord | WrittenRecord)[]): Promise<void> {
    const parts = partsOf(keyOf(owner), records);
    const [first] = parts;
    if (!first) return;
    // One statement is all or nothing by itself.
    if (parts.length === 1) return this.#run(() => this.#insert(this.#db, first));
    await together({ db: this.#db, run: this.#run }, async (db) => {
      for (const part of parts) {
        await this.#insert(db, part);
        await breathe();
      }
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

  sumAudit(owner: OwnerId, parts: AuditParts): Promise<readonly AuditFigures[]> {
    return sumAudit({ db: this.#db, run: this.#run }, owner, parts);
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

  /** A record that is there already stays as it is: an append can be repeated. */
  async #insert(db: Kysely<Tables>, values: unknown[]): Promise<void> {
    const size = values.length / COLUMNS.length;
    const text = this.#statements.get(size) ?? this.#statementOf(size);
    await db.executeQuery(CompiledQuery.raw(text, values));
  }

  #statementOf(size: number): string {
    // Only the number of rows matters: what stands in them is given with each use.
    const names = { owner: '', call_id: '', at: 0, server: '', tool: '', outcome: '', body: '' };
    const row: Row = { ...names, duration_us: 0, result_bytes: 0 };
    const { sql } = this.#db
      .insertInto('audit')
      .columns(COLUMNS)
      .values(Array.from({ length: size }, () => row))
      .onConflict((conflict) => conflict.columns(['owner', 'call_id']).doNothing())
      .compile();
    this.#statements.set(size, sql);
    return sql;
  }
}

type Row = Omit<Tables['audit'], 'seq'>;

const COLUMNS = [
  'owner',
  'call_id',
  'at',
  'server',
  'tool',
  'outcome',
  'body',
  'duration_us',
  'result_bytes',
] as const;

/** A power of two, as the sizes of statements are; databases bound the number of parameters. */
const ROWS_MAX = 128;

/**
 * What each statement is given. Every call makes a row, and a statement is dear to make: there are a
 * few of fixed sizes, and the last row is said again until one is full. It changes nothing.
 */
function partsOf(owner: string, records: readonly (AuditRecord | WrittenRecord)[]): readonly unknown[][] {
  const parts: unknown[][] = [];
  for (let from = 0; from < records.length; from += ROWS_MAX) {
    const rows = Math.min(ROWS_MAX, records.length - from);
    const size = 2 ** Math.ceil(Math.log2(rows));
    const values: unknown[] = [];
    for (let index = 0; index < size; index += 1) {
      addRow(values, owner, records[from + Math.min(index, rows - 1)]);
    }
    parts.push(values);
  }
  return parts;
}

/** In the order of the columns. */
function addRow(values: unknown[], owner: string, record: AuditRecord | WrittenRecord | undefined): void {
  assert(record, 'there is a record at every place');
  const { callId, at, server, tool, outcome, durationMs, resultBytes } = record;
  values.push(owner, keyOf(callId), boundedTime(at), keyOf(server), keyOf(tool), keyOf(outcome));
  const bytes = resultBytes === undefined ? null : boundedCount(resultBytes, Number.MAX_SAFE_INTEGER);
  values.push(textIn(record), boundedCount(durationMs * 1000, Number.MAX_SAFE_INTEGER), bytes);
}
