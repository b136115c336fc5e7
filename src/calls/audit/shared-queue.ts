import { backoffMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { ignore, messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { Line, type LinePlace } from '../../base/line.ts';
import type { Logger } from '../../base/logger.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { OwnerId } from '../../servers/store.ts';
import type { BegunRecord, CallJournalStore, WrittenRecord } from '../audit-record.ts';
import { endNotStored, notCalledUnrecorded, notStored, stopping } from './audit-errors.ts';
import type { RecordQueue } from './audit-queue.ts';
import { unknownEnd } from './journal.ts';
import { callIdIn, type OpenCall, type Waiting } from './waiting-records.ts';

/** A journal that outlives this machine. */
export interface SharedJournal {
  readonly calls: CallJournalStore;
  /** This process, among those that may hold the owner's rows. */
  readonly holder: string;
}

interface SharedQueueOptions extends SharedJournal {
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** What comes while a transaction runs goes into the next one, together. */
interface Group {
  readonly begun: { readonly callId: string; readonly text: string; readonly place: LinePlace<string> }[];
  readonly ended: WrittenRecord[];
  readonly gone: string[];
  readonly begins: PromiseWithResolvers<void>;
  readonly ends: PromiseWithResolvers<void>;
}

/** Beginnings and ends go into the database before anything follows from them. */
export class SharedQueue implements RecordQueue {
  readonly #options: SharedQueueOptions;
  readonly #open = new Line<string>();
  readonly #closing = new AbortController();
  #group: Group | undefined;
  #writing: Promise<void> | undefined;
  #waiting = 0;
  /** Set while ends can't be stored. */
  #trouble: unknown;

  constructor(options: SharedQueueOptions) {
    this.#options = options;
  }

  waitForSpace(): Promise<void> | undefined {
    if (this.#closing.signal.aborted) return Promise.reject(stopping());
    const isFull = this.#waiting >= this.#options.limits.auditQueueMax;
    return this.#trouble !== undefined || isFull ? Promise.reject(notStored(this.#trouble)) : undefined;
  }

  begin(beginning: string): OpenCall {
    const callId = callIdIn(beginning);
    const place = this.#open.add(callId);
    const group = this.#next();
    group.begun.push({ callId, text: `${beginning}}`, place });
    return { beginning, place, written: group.begins.promise };
  }

  add(record: Waiting, { beginning, place }: OpenCall, ending: string): Promise<void> {
    const text = beginning + ending;
    const callId = callIdIn(text);
    const group = this.#next();
    const { at, server, tool, outcome, durationMs, resultBytes } = record;
    const size = resultBytes === undefined ? {} : { resultBytes };
    group.ended.push({ callId, at, server, tool, outcome, durationMs, ...size, text });
    this.#waiting += 1;
    if (place) {
      this.#open.delete(place);
      group.gone.push(callId);
    }
    // The call was made: a late answer is better than none.
    return this.#inTime(group.ends.promise, this.#options.limits.auditWaitMs, endNotStored);
  }

  async flushInTime(): Promise<void> {
    if (this.#writing) await this.#inTime(this.#writing, this.#options.limits.auditWaitMs, notStored);
  }

  async close(): Promise<void> {
    const { limits, logger } = this.#options;
    this.#closing.abort();
    try {
      if (this.#writing) await this.#inTime(this.#writing, limits.auditCloseMs, notStored);
    } catch (error) {
      // Their beginnings are stored: the next start of the audit records their end as unknown.
      logger.error('audit records were not stored', { left: this.#waiting, error: messageOf(error) });
    }
  }

  #next(): Group {
    if (this.#group) return this.#group;
    const [begins, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    ignore(begins.promise, 'each call of the group waits for it and tells its own caller');
    ignore(ends.promise, 'each call of the group waits for it and tells its own caller');
    this.#group = { begun: [], ended: [], gone: [], begins, ends };
    // All calls of a tick go together.
    this.#writing ??= new Promise((turn) => void setImmediate(turn)).then(() => this.#writeAll());
    return this.#group;
  }

  async #writeAll(): Promise<void> {
    try {
      for (let group = this.#take(); group; group = this.#take()) {
        await this.#begin(group);
        await this.#end(group);
      }
    } finally {
      this.#writing = undefined;
    }
  }

  #take(): Group | undefined {
    const group = this.#group;
    this.#group = undefined;
    return group;
  }

  /** With the ends of others, if all goes well: one transaction. */
  async #begin(group: Group): Promise<void> {
    if (group.begun.length === 0) return;
    try {
      await this.#write(group);
      this.#stored(group);
      group.begins.resolve();
    } catch (error) {
      // It may have been stored after all, and the calls are not made.
      group.gone.push(...group.begun.map(({ callId }) => callId));
      for (const { place } of group.begun.splice(0)) this.#open.delete(place);
      group.begins.reject(notCalledUnrecorded(error));
    }
  }

  /** Not given up before the storage closes: the calls were made. */
  async #end(group: Group): Promise<void> {
    const { clock, ids, limits, logger } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; group.ended.length + group.gone.length > 0; attempt += 1) {
      const isLast = signal.aborted;
      try {
        await this.#write(group);
        this.#stored(group);
      } catch (error) {
        this.#trouble = error ?? new Error('unknown');
        if (attempt === 0) logger.error('audit records wait for the database', { error: messageOf(error) });
        if (isLast) return group.ends.reject(endNotStored(error));
        const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
        await Promise.allSettled([clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }), signal)]);
      }
    }
    group.ends.resolve();
  }

  #write({ begun, ended, gone }: Group): Promise<void> {
    const { calls, holder, owner } = this.#options;
    return calls.writeCalls(owner, { holder, begun, ended, gone });
  }

  #stored(group: Group): void {
    this.#trouble = undefined;
    this.#waiting -= group.ended.length;
    group.ended.length = group.gone.length = 0;
    group.ends.resolve();
  }

  async #inTime(work: Promise<void>, ms: number, late: (trouble: unknown) => Error): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.clock.after(ms, () => reject(late(this.#trouble)));
    try {
      await Promise.race([work, promise]);
    } finally {
      cancel();
    }
  }
}

/** The process that takes the rows over records each call under way as ended unknown. */
export async function storeUnended(
  { calls, holder }: SharedJournal,
  { owner, logger }: { readonly owner: OwnerId; readonly logger: Logger },
): Promise<void> {
  // Only `begin` above writes these, each from a record.
  const found = (await calls.listBegunCalls(owner)).map((text) => parseJson(text) as BegunRecord);
  if (found.length === 0) return;
  logger.warn('calls were under way when their process ended', { count: found.length });
  const gone = found.map(({ callId }) => callId);
  await calls.writeCalls(owner, { holder, begun: [], ended: found.map(unknownEnd), gone });
}
