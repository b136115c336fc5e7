import { CompiledQuery, type Kysely } from 'kysely';
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
import { defined } from '../../base/defined.ts';
import { assert, PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
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
import { boundedCount, boundedTime, boundedTimeFrom, columnKey, fromBody, keys } from './rows.ts';
import { batchesOf, breathe, type Database, together } from './run.ts';
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
    if (records.length === 0) return;
    // Read once: the caller may change them meanwhile.
    const texts = records.map((record) => textIn(record));
    const key = columnKey(owner);
    try {
      // Nearly always all records are new: whether some are not shows only by trying.
      await together(this.#database, (db) => this.#chain(db, key, records, texts));
    } catch (error) {
      if (error !== SOME_KNOWN) throw error;
      await together(this.#database, (db) => this.#appendUnknown(db, key, records, texts));
    }
  }

  async #appendUnknown(
    db: Kysely<Tables>,
    owner: string,
    records: readonly GivenRecord[],
    texts: readonly string[],
  ): Promise<void> {
    await holdChain(db, owner);
    const known = await this.#known(db, owner, records);
    const fresh = records.flatMap((record, index) => {
      const key = columnKey(record.callId);
      if (known.has(key)) return [];
      known.add(key);
      return { record, text: texts[index] ?? '' };
    });
    if (fresh.length === 0) return;
    const freshTexts = fresh.map(({ text }) => text);
    const freshRecords = fresh.map(({ record }) => record);
    await this.#chain(db, owner, freshRecords, freshTexts);
  }

  async #chain(
    db: Kysely<Tables>,
    owner: string,
    records: readonly GivenRecord[],
    texts: readonly string[],
  ): Promise<void> {
    let end = await holdChain(db, owner);
    for (let from = 0; from < records.length; from += ROWS_MAX) {
      const rows = Math.min(ROWS_MAX, records.length - from);
      // Compiling a statement is expensive: a few of fixed sizes are kept, and the last row is repeated
      // until one is full. Repeating it changes nothing.
      const size = 2 ** Math.ceil(Math.log2(rows));
      const values: unknown[] = [];
      for (let index = from; index < from + rows; index += 1) {
        end = linked(end, texts[index] ?? '');
        addRow(values, owner, records[index], texts[index] ?? '', end);
      }
      const last = values.slice(-COLUMNS.length);
      for (let index = rows; index < size; index += 1) values.push(...last);
      const added = await this.#insert(db, values);
      if (added !== rows) throw SOME_KNOWN;
      if (from + rows < records.length) await breathe();
    }
    await setChainEnd(db, owner, end);
  }

  async #known(db: Kysely<Tables>, owner: string, records: readonly GivenRecord[]): Promise<Set<string>> {
    const known = new Set<string>();
    for (const batch of batchesOf(records)) {
      const ids = batch.map(({ callId }) => columnKey(callId));
      const ofOwner = db.selectFrom('audit').select('call_id').where('owner', '=', owner);
      for (const { call_id } of await ofOwner.where('call_id', 'in', ids).execute()) known.add(call_id);
    }
    return known;
  }

  chainEnd(owner: OwnerId): Promise<ChainEnd> {
    return this.#database.run(() => chainEnd(this.#database.db, columnKey(owner)));
  }

  async chainedRecords(
    owner: OwnerId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<readonly ChainedRecord[]> {
    await breathe();
    return this.#database.run(() => chainedRecords(this.#database.db, columnKey(owner), page));
  }

  prunedAt(owner: OwnerId, place: number): Promise<ChainEnd | undefined> {
    return this.#database.run(() => prunedAt(this.#database.db, columnKey(owner), place));
  }

  async queryAudit(owner: OwnerId, query: AuditQuery): Promise<AuditPage> {
    const limit = boundedCount(query.limit, limits.auditPageMax);
    if (limit === 0) return { records: [] };
    const { server, tool, outcome } = query;
    let found = this.#database.db
      .selectFrom('audit')
      .select(['at', 'seq', 'body'])
      .where(keys({ owner, ...defined({ server, tool, outcome }) }));
    if (query.since !== undefined) found = found.where('at', '>=', boundedTimeFrom(query.since));
    if (query.until !== undefined) found = found.where('at', '<', boundedTimeFrom(query.until));
    if (query.cursor !== undefined) {
      const { at, seq } = fromCursor(query.cursor);
      found = found.where((row) => row(row.refTuple('at', 'seq'), '<', row.tuple(at, seq)));
    }
    // One more than asked for: it tells whether another page follows.
    const newest = found.orderBy('at', 'desc').orderBy('seq', 'desc');
    const page = newest.limit(limit + 1);
    const rows = await this.#database.run(() => page.execute());
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      records: shown.map((row) => fromBody('audit', row.body) as AuditRecord),
      ...(last && rows.length > limit ? { cursor: toCursor(last) } : {}),
    };
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
    const surplus = this.#database.db
      .selectFrom('audit')
      .select(['at', 'seq'])
      .where(keys({ owner }))
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .offset(boundedCount(keep))
      .limit(1);
    const newest = await this.#database.run(() => surplus.executeTakeFirst());
    if (!newest) return aged;
    return aged + (await this.#deleteBefore(owner, { at: newest.at, seq: newest.seq + 1 }));
  }

  /** In batches from the old end: calls are recorded meanwhile. */
  async #deleteBefore(owner: OwnerId, place: AuditPlace): Promise<number> {
    for (let gone = 0; ;) {
      const count = await together(this.#database, (db) => this.#deleteOldest(db, columnKey(owner), place));
      gone += count;
      if (count < limits.auditPruneBatch) return gone;
      await breathe();
    }
  }

  async #deleteOldest(db: Kysely<Tables>, owner: string, { at, seq }: AuditPlace): Promise<number> {
    await holdChain(db, owner);
    const oldest = db
      .selectFrom('audit as old')
      .select('old.seq')
      .where('old.owner', '=', owner)
      .where((row) => row(row.refTuple('old.at', 'old.seq'), '<', row.tuple(at, seq)))
      .orderBy('old.at')
      .orderBy('old.seq')
      .limit(limits.auditPruneBatch);
    const gone = await db
      .deleteFrom('audit')
      .where('owner', '=', owner)
      .where('seq', 'in', oldest)
      .returning(['place', 'hash'])
      .execute();
    const chained = gone.flatMap(({ place, hash }) => (place === null ? [] : { place, hash: hash ?? '' }));
    if (chained.length > 0) await addGaps(db, owner, chained);
    return gone.length;
  }

  /** Answers how many were added: a record that is there already stays as it is. */
  async #insert(db: Kysely<Tables>, values: unknown[]): Promise<number> {
    const size = values.length / COLUMNS.length;
    const text = this.#statements.get(size) ?? this.#statementOf(size);
    const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
    return Number(numAffectedRows ?? 0);
  }

  #statementOf(size: number): string {
    const { sql } = this.#database.db
      .insertInto('audit')
      .columns(COLUMNS)
      .values(Array.from({ length: size }, () => SAMPLE))
      .onConflict((conflict) => conflict.columns(['owner', 'call_id']).doNothing())
      .compile();
    this.#statements.set(size, sql);
    return sql;
  }
}

type Row = Omit<Tables['audit'], 'seq'>;

/** One value for each column: a compiled statement gets its real values with each use. */
const SAMPLE: Row = {
  owner: '',
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

const COLUMNS = Object.keys(SAMPLE) as (keyof Row)[]; // an object of ours has no other keys

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
  const { callId, at, server, tool, outcome, durationMs, resultBytes } = record;
  values.push(owner, columnKey(callId), boundedTime(at), columnKey(server), columnKey(tool));
  const bytes = resultBytes === undefined ? null : boundedCount(resultBytes);
  values.push(columnKey(outcome), text, microseconds(durationMs), bytes, place, hash);
}

/** The place of a record in the audit. It never moves when records come or go. */
interface AuditPlace {
  readonly at: number;
  readonly seq: number;
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
