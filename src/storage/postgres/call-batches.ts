import { CompiledQuery } from 'kysely';
import type { CallJournalStore, CallsChange } from '../../calls/audit-record.ts';
import { textIn } from '../../calls/audit/record-text.ts';
import { ignore, PlugError } from '../../base/errors.ts';
import type { OwnerId } from '../../servers/store.ts';
import { columnsOf } from '../sql/audit.ts';
import { columnKey } from '../sql/rows.ts';
import type { Database } from '../sql/run.ts';

interface Waiting {
  readonly owner: OwnerId;
  readonly change: CallsChange;
  readonly written: PromiseWithResolvers<void>;
}

/**
 * The journal of calls, written for all owners at once: what comes while a transaction waits for the disk goes
 * into the next one. Each owner's rows are written in that owner's name, see `0018-calls-of-many-owners.ts`.
 */
export class CallBatches implements CallJournalStore {
  readonly #database: Database;
  readonly #alone: CallJournalStore;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(database: Database, alone: CallJournalStore) {
    this.#database = database;
    this.#alone = alone;
  }

  writeCalls(owner: OwnerId, change: CallsChange): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ owner, change, written });
    if (!this.#isWriting) {
      this.#isWriting = true;
      // All owners of a tick go together.
      setImmediate(() => ignore(this.#writeAll(), 'each owner is told what became of their change'));
    }
    return written.promise;
  }

  listBegunCalls(owner: OwnerId): Promise<readonly string[]> {
    return this.#alone.listBegunCalls(owner);
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#write(this.#take());
    } finally {
      this.#isWriting = false;
    }
  }

  /** Of one process, and of an owner the first: changes of one owner follow each other. */
  #take(): readonly Waiting[] {
    const [first, ...others] = this.#waiting;
    const owners = new Set([first?.owner]);
    const taken = first ? [first] : [];
    const left: Waiting[] = [];
    for (const each of others) {
      const fits = taken.length < OWNERS_MAX && each.change.holder === first?.change.holder;
      if (fits && !owners.has(each.owner)) taken.push(each);
      else left.push(each);
      owners.add(each.owner);
    }
    this.#waiting = left;
    return taken;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const leftOut = new Set(await this.#writeTogether(batch));
      batch.forEach((each, index) => {
        // Its rows are held up, or somebody else's by now: that takes its time, and delays no other owner.
        if (leftOut.has(index + 1)) this.#writeAlone(each);
        else each.written.resolve();
      });
    } catch (error) {
      for (const each of batch) {
        // What the database doesn't take from one owner is no reason to refuse the others.
        if (isOfOneOwner(error)) this.#writeAlone(each);
        else each.written.reject(error);
      }
    }
  }

  #writeAlone({ owner, change, written }: Waiting): void {
    this.#alone.writeCalls(owner, change).then(written.resolve, written.reject);
  }

  async #writeTogether(batch: readonly Waiting[]): Promise<readonly number[]> {
    const values = valuesOf(batch);
    const { rows } = await this.#database.unowned((db) =>
      db.executeQuery<{ readonly left_out: readonly number[] }>(CompiledQuery.raw(WRITE_CALLS, values)),
    );
    return rows[0]?.left_out ?? [];
  }
}

const OWNERS_MAX = 256;

const WRITE_CALLS =
  'select plugboard.write_calls($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) as left_out';

/** In the order of the function's parameters. */
function valuesOf(batch: readonly Waiting[]): unknown[] {
  const owners = batch.map(({ owner }) => columnKey(owner));
  const begun = { to: [] as number[], ids: [] as string[], bodies: [] as string[] };
  const gone = { to: [] as number[], ids: [] as string[] };
  const ended = ENDED_COLUMNS.map(() => [] as unknown[]);
  const bodies: string[] = [];
  const endedTo: number[] = [];
  for (const { change } of batch) {
    for (const { callId, text } of change.begun) {
      begun.ids.push(columnKey(callId));
      begun.bodies.push(text);
    }
    for (const record of change.ended) {
      const row = columnsOf(record);
      ENDED_COLUMNS.forEach((column, index) => ended[index]?.push(row[column]));
      bodies.push(textIn(record));
    }
    for (const callId of change.gone) gone.ids.push(columnKey(callId));
    begun.to.push(begun.ids.length);
    endedTo.push(bodies.length);
    gone.to.push(gone.ids.length);
  }
  const holder = columnKey(batch[0]?.change.holder ?? '');
  const [beginnings, ends] = [
    [begun.to, begun.ids, begun.bodies],
    [endedTo, ...ended, bodies],
  ];
  return [holder, owners, ...beginnings, ...ends, gone.to, gone.ids];
}

const ENDED_COLUMNS = ['call_id', 'at', 'server', 'tool', 'outcome', 'duration_us', 'result_bytes'] as const;

/** Data that doesn't fit, a constraint, a bound: classes 22, 23 and 54 of the states of SQL. */
function isOfOneOwner(error: unknown): boolean {
  return error instanceof PlugError && /^(22|23|54)...$/.test(String(error.details?.['code']));
}
