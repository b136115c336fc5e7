import type {
  AuditFigures,
  AuditPage,
  AuditParts,
  AuditQuery,
  AuditRecord,
  AuditStore,
  ChainedRecord,
  ChainEnd,
  WrittenRecord,
} from '../../calls/audit-record.ts';
import { linked } from '../../calls/audit/chain.ts';
import { textIn } from '../../calls/audit/record-text.ts';
import { assert, PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { OwnerId } from '../../servers/store.ts';
import {
  addGaps,
  chainedRecords,
  chainEnd,
  holdChain,
  microseconds,
  prunedAt,
  setChainEnd,
} from './audit-chain.ts';
import { sumAudit } from './audit-figures.ts';
import { pageOf, type AuditPlace, type PlacedRow } from './audit-page.ts';
import type { OwnRows } from './own-rows.ts';
import { boundedCount, boundedTime, boundedTimeFrom, columnKey, fromBody, keys } from './rows.ts';
import { batchesOf, breathe, type Database } from './run.ts';
import type { Tables } from './schema.ts';

type GivenRecord = AuditRecord | WrittenRecord;

export class SqlAuditStore implements AuditStore {
  readonly #database: Database;
  /** By the number of rows that they insert. */
  readonly #statements = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async appendAudit(owner: OwnerId, records: readonly GivenRecord[]): Promise<void> {
    if (records.length > 0) await this.appendWith(owner, records, () => Promise.resolve());
  }

  /** What is done with it happens with the records, or not at all. */
  async appendWith(
    owner: OwnerId,
    records: readonly GivenRecord[],
    more: (rows: OwnRows) => Promise<void>,
  ): Promise<void> {
    // Read once: the caller may change them meanwhile.
    const texts = records.map((record) => textIn(record));
    const appended = (append: (rows: OwnRows) => Promise<void>): Promise<void> =>
      this.#database.together(owner, async (rows) => {
        await more(rows);
        if (records.length > 0) await append(rows);
      });
    try {
      // Nearly always all records are new: whether some are not shows only by trying.
      await appended((rows) => this.#chain(rows, records, texts));
    } catch (error) {
      if (error !== SOME_KNOWN) throw error;
      await appended((rows) => this.#appendUnknown(rows, records, texts));
    }
  }

  async #appendUnknown(
    rows: OwnRows,
    records: readonly GivenRecord[],
    texts: readonly string[],
  ): Promise<void> {
    await holdChain(rows);
    const known = await this.#known(rows, records);
    const fresh = records.flatMap((record, index) => {
      const key = columnKey(record.callId);
      if (known.has(key)) return [];
      known.add(key);
      return { record, text: texts[index] ?? '' };
    });
    if (fresh.length === 0) return;
    const freshTexts = fresh.map(({ text }) => text);
    const freshRecords = fresh.map(({ record }) => record);
    await this.#chain(rows, freshRecords, freshTexts);
  }

  async #chain(rows: OwnRows, records: readonly GivenRecord[], texts: readonly string[]): Promise<void> {
    let end = await holdChain(rows);
    for (let from = 0; from < records.length; from += ROWS_MAX) {
      const count = Math.min(ROWS_MAX, records.length - from);
      // Compiling a statement is expensive: a few of fixed sizes are kept, and the last row is repeated
      // until one is full. Repeating it changes nothing.
      const size = 2 ** Math.ceil(Math.log2(count));
      const values: unknown[] = [];
      for (let index = from; index < from + count; index += 1) {
        end = linked(end, texts[index] ?? '');
        addRow(values, rows.owner, records[index], texts[index] ?? '', end);
      }
      const last = values.slice(-COLUMNS);
      for (let index = count; index < size; index += 1) values.push(...last);
      const added = await this.#insert(rows, values);
      if (added !== count) throw SOME_KNOWN;
      if (from + count < records.length) await breathe();
    }
    await setChainEnd(rows, end);
  }

  async #known(rows: OwnRows, records: readonly GivenRecord[]): Promise<Set<string>> {
    const known = new Set<string>();
    for (const batch of batchesOf(records)) {
      const ids = batch.map(({ callId }) => columnKey(callId));
      const found = await rows.select('audit').select('call_id').where('call_id', 'in', ids).execute();
      for (const { call_id } of found) known.add(call_id);
    }
    return known;
  }

  chainEnd(owner: OwnerId): Promise<ChainEnd> {
    return this.#database.own(owner, chainEnd);
  }

  async chainedRecords(
    owner: OwnerId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedRecord[]> {
    await breathe();
    return this.#database.own(owner, (rows) => chainedRecords(rows, page));
  }

  prunedAt(owner: OwnerId, place: number): Promise<ChainEnd | undefined> {
    return this.#database.own(owner, (rows) => prunedAt(rows, place));
  }

  async queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage> {
    const limit = boundedCount(query.limit, limits.auditPageMax);
    if (limit === 0) return { records: [] };
    const before = query.cursor === undefined ? undefined : fromCursor(query.cursor);
    const { shown, cursor } = await pageOf({ ...query, limit }, before, (place, count) =>
      this.#newest(owner, query, place, count),
    );
    const records = shown.map((row) => fromBody('audit', row.body, parseJson) as AuditRecord);
    return cursor ? { records, cursor: toCursor(cursor) } : { records };
  }

  #newest(
    owner: OwnerId,
    query: AuditQuery,
    before: AuditPlace | undefined,
    count: number,
  ): Promise<readonly PlacedRow[]> {
    const { server, tool, outcome } = query;
    return this.#database.own(owner, (rows) => {
      let found = rows.select('audit').select(['at', 'seq', 'body']);
      if (server !== undefined) found = found.where(keys({ server }));
      if (tool !== undefined) found = found.where(keys({ tool }));
      if (outcome !== undefined) found = found.where(keys({ outcome }));
      if (query.since !== undefined) found = found.where('at', '>=', boundedTimeFrom(query.since));
      if (query.until !== undefined) found = found.where('at', '<', boundedTimeFrom(query.until));
      if (before) {
        found = found.where((row) => row(row.refTuple('at', 'seq'), '<', row.tuple(before.at, before.seq)));
      }
      return found.orderBy('at', 'desc').orderBy('seq', 'desc').limit(count).execute();
    });
  }

  sumAudit(owner: OwnerId, parts: AuditParts): Promise<readonly AuditFigures[]> {
    return sumAudit(this.#database, owner, parts);
  }

  async pruneAudit(
    owner: OwnerId,
    { before, keep }: { readonly before: number; readonly keep: number },
  ): Promise<number> {
    // `seq` starts at 1: no record of that moment comes before this place.
    const aged = await this.#deleteBefore(owner, { at: boundedTimeFrom(before), seq: 0 });
    const newest = await this.#database.own(owner, (rows) =>
      rows
        .select('audit')
        .select(['at', 'seq'])
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .offset(boundedCount(keep))
        .limit(1)
        .executeTakeFirst(),
    );
    if (!newest) return aged;
    return aged + (await this.#deleteBefore(owner, { at: newest.at, seq: newest.seq + 1 }));
  }

  /** In batches from the old end: calls are recorded meanwhile. */
  async #deleteBefore(owner: OwnerId, place: AuditPlace): Promise<number> {
    for (let gone = 0; ;) {
      const count = await this.#database.together(owner, (rows) => this.#deleteOldest(rows, place));
      gone += count;
      if (count < limits.auditPruneBatch) return gone;
      await breathe();
    }
  }

  async #deleteOldest(rows: OwnRows, { at, seq }: AuditPlace): Promise<number> {
    await holdChain(rows);
    const oldest = rows
      .select('audit')
      .select('seq')
      .where((row) => row(row.refTuple('at', 'seq'), '<', row.tuple(at, seq)))
      .orderBy('at')
      .orderBy('seq')
      .limit(limits.auditPruneBatch);
    const gone = await rows.delete('audit').where('seq', 'in', oldest).returning(['place', 'hash']).execute();
    const chained = gone.flatMap(({ place, hash }) => (place === null ? [] : { place, hash: hash ?? '' }));
    if (chained.length > 0) await addGaps(rows, chained);
    return gone.length;
  }

  /** Answers how many were added: a record that is there already stays as it is. */
  async #insert(rows: OwnRows, values: unknown[]): Promise<number> {
    const size = values.length / COLUMNS;
    const text = this.#statements.get(size) ?? this.#statementOf(rows, size);
    const { numAffectedRows } = await rows.executeCompiled(text, values);
    return Number(numAffectedRows ?? 0);
  }

  #statementOf(rows: OwnRows, size: number): string {
    const { sql } = rows
      .insert(
        'audit',
        Array.from({ length: size }, () => SAMPLE),
      )
      .onConflict((conflict) => conflict.columns(['owner', 'call_id']).doNothing())
      .compile();
    this.#statements.set(size, sql);
    return sql;
  }
}

type Row = Omit<Tables['audit'], 'seq' | 'owner'>;

/** One value for each column: a compiled statement gets its real values with each use. */
const SAMPLE: Row = {
  call_id: '',
  at: 0,
  server: '',
  tool: '',
  outcome: '',
  body: '',
  duration_us: 0,
  result_bytes: 0,
  place: 0,
  hash: '',
};

/** Of an inserted row: the owner comes last. */
const COLUMNS = Object.keys(SAMPLE).length + 1;

/** Rolls the transaction back and is never shown: a repeated record is no failure. */
const SOME_KNOWN = new PlugError('already_exists', 'Some of the records are there already.', {
  owner: 'plugboard',
});

/** A power of two, as the sizes of statements are; databases bound the number of parameters. */
const ROWS_MAX = 128;

function addRow(
  values: unknown[],
  owner: string,
  record: GivenRecord | undefined,
  text: string,
  { place, hash }: ChainEnd,
): void {
  assert(record, 'there is a record at every place');
  const row = columnsOf(record);
  values.push(row.call_id, row.at, row.server, row.tool, row.outcome, text);
  values.push(row.duration_us, row.result_bytes, place, hash, owner);
}

/** What is searched and counted, as the columns have it. */
export function columnsOf(record: GivenRecord): Omit<Row, 'body' | 'place' | 'hash'> {
  const { callId, at, server, tool, outcome, durationMs, resultBytes } = record;
  return {
    call_id: columnKey(callId),
    at: boundedTime(at),
    server: columnKey(server),
    tool: columnKey(tool),
    outcome: columnKey(outcome),
    duration_us: microseconds(durationMs),
    result_bytes: resultBytes === undefined ? null : boundedCount(resultBytes),
  };
}

function toCursor({ at, seq }: AuditPlace): string {
  return Buffer.from(`${at}.${seq}`).toString('base64url');
}

function fromCursor(cursor: string): AuditPlace {
  const match = /^(-?\d{1,16})\.(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match) return { at: Number(match[1]), seq: Number(match[2]) };
  throw new PlugError('usage', 'This cursor was not given by a page of the audit.', {
    owner: 'you',
    remedy: 'Ask for the first page: leave the cursor out.',
  });
}
