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
import { assert, PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, boundedTime, boundedTimeFrom } from '../order.ts';
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
import { batchesOf, breathe, type Database, together } from './run.ts';
import { fromBody, columnKey } from './columns.ts';
import type { Tables } from './schema.ts';

export class SqlAuditStore implements AuditStore {
  readonly #database: Database;
  /** By the number of rows that they insert. */
  readonly #statements = new Map<number, string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async appendAudit(owner: OwnerId, records: readonly (AuditRecord | WrittenRecord)[]): Promise<void> {
    if (records.length === 0) return;
    // Read once: whoever gave them may change them meanwhile.
    const texts = records.map((record) => textIn(record));
    try {
      await this.#append(columnKey(owner), records, texts);
    } catch (error) {
      if (error !== SOME_KNOWN) throw error;
      await this.#appendUnknown(columnKey(owner), records, texts);
    }
  }

  /** Nearly always all of them are new: that some are not is only found out by trying. */
  async #append(
    owner: string,
    records: readonly (AuditRecord | WrittenRecord)[],
    texts: readonly string[],
  ): Promise<void> {
    await together(this.#database, async (db) => {
      await this.#chain(db, owner, records, texts);
    });
  }

  async #appendUnknown(
    owner: string,
    records: readonly (AuditRecord | WrittenRecord)[],
    texts: readonly string[],
  ): Promise<void> {
    await together(this.#database, async (db) => {
      await holdChain(db, owner);
      const known = await this.#known(db, owner, records);
      const fresh = records.flatMap((record, index) => {
        const key = columnKey(record.callId);
        if (known.has(key)) return [];
        known.add(key);
        return { record, text: texts[index] ?? '' };
      });
      if (fresh.length === 0) return;
      await this.#chain(
        db,
        owner,
        fresh.map(({ record }) => record),
        fresh.map(({ text }) => text),
      );
    });
  }

  async #chain(
    db: Kysely<Tables>,
    owner: string,
    records: readonly (AuditRecord | WrittenRecord)[],
    texts: readonly string[],
  ): Promise<void> {
    let end = await holdChain(db, owner);
    for (let from = 0; from < records.length; from += ROWS_MAX) {
      const rows = Math.min(ROWS_MAX, records.length - from);
      // A statement is dear to make: there are a few of fixed sizes, and the last row is said again until
      // one is full. It changes nothing.
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

  async #known(
    db: Kysely<Tables>,
    owner: string,
    records: readonly (AuditRecord | WrittenRecord)[],
  ): Promise<Set<string>> {
    const known = new Set<string>();
    for (const batch of batchesOf(records)) {
      const keys = batch.map(({ callId }) => columnKey(callId));
      const rows = await db
        .selectFrom('audit')
        .select('call_id')
        .where('owner', '=', owner)
        .where('call_id', 'in', keys)
        .execute();
      for (const { call_id } of rows) known.add(call_id);
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
    let found = this.#database.db
      .selectFrom('audit')
      .select(['at', 'seq', 'body'])
      .where('owner', '=', columnKey(owner));
    if (query.server !== undefined) found = found.where('server', '=', columnKey(query.server));
    if (query.tool !== undefined) found = found.where('tool', '=', columnKey(query.tool));
    if (query.outcome !== undefined) found = found.where('outcome', '=', columnKey(query.outcome));
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
    // Whatever its number, no record has a place before the first of the moment.
    const aged = await this.#deleteBefore(owner, { at: boundedTimeFrom(before), seq: 0 });
    const surplus = this.#database.db
      .selectFrom('audit')
      .select(['at', 'seq'])
      .where('owner', '=', columnKey(owner))
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .offset(boundedCount(keep, Number.MAX_SAFE_INTEGER))
      .limit(1);
    const newest = await this.#database.run(() => surplus.executeTakeFirst());
    if (!newest) return aged;
    return aged + (await this.#deleteBefore(owner, { at: newest.at, seq: newest.seq + 1 }));
  }

  /** Bit by bit, from the old end: calls are recorded meanwhile. */
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

  /** A record that is there already stays as it is. Answers how many were added. */
  async #insert(db: Kysely<Tables>, values: unknown[]): Promise<number> {
    const size = values.length / COLUMNS.length;
    const text = this.#statements.get(size) ?? this.#statementOf(size);
    const { numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, values));
    return Number(numAffectedRows ?? 0);
  }

  #statementOf(size: number): string {
    // Only the number of rows matters: what stands in them is given with each use.
    const names = { owner: '', call_id: '', at: 0, server: '', tool: '', outcome: '', body: '' };
    const row: Row = { ...names, duration_us: 0, result_bytes: 0, place: 0, hash: '' };
    const { sql } = this.#database.db
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
  'place',
  'hash',
] as const;

/** Undoes what was tried, and is not told to anybody: a repeated record is no failure. */
const SOME_KNOWN = new PlugError('already_exists', 'Some of the records are there already.', {
  owner: 'plugboard',
});

/** A power of two, as the sizes of statements are; databases bound the number of parameters. */
const ROWS_MAX = 128;

/** In the order of the columns. */
function addRow(
  values: unknown[],
  owner: string,
  record: AuditRecord | WrittenRecord | undefined,
  text: string,
  { place, hash }: ChainEnd,
): void {
  assert(record, 'there is a record at every place');
  const { callId, at, server, tool, outcome, durationMs, resultBytes } = record;
  values.push(
    owner,
    columnKey(callId),
    boundedTime(at),
    columnKey(server),
    columnKey(tool),
    columnKey(outcome),
  );
  const bytes = resultBytes === undefined ? null : boundedCount(resultBytes, Number.MAX_SAFE_INTEGER);
  values.push(text, microseconds(durationMs), bytes, place, hash);
}

/** The place of a record in the audit. No place moves when records come or go. */
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
