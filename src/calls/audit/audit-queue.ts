import type { Cancel } from '../../base/clock.ts';
import { ignore, messageOf } from '../../base/errors.ts';
import { atEndOfTurn } from '../../base/turn.ts';
import { endNotRecorded, notCalled, notStored, stopping } from './audit-errors.ts';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.ts';
import type { Journal } from './journal.ts';
import { OpenCalls, type OpenCall, WaitingRecords, type Waiting } from './waiting-records.ts';

/** The way of records into the audit, by a journal on this disk or in the database. */
export type RecordQueue = Pick<AuditQueue, 'waitForSpace' | 'begin' | 'add' | 'flushInTime' | 'close'>;

export interface AuditQueueOptions extends BatchWriterOptions {
  readonly journal: Pick<Journal, 'folder' | 'write' | 'turn' | 'sync' | 'close'> | undefined;
}

export class AuditQueue {
  readonly #options: AuditQueueOptions;
  readonly #waiting = new WaitingRecords();
  readonly #open = new OpenCalls();
  readonly #writer: BatchWriter;
  /** Calls that begin or end in one tick share one journal write. */
  #begun: PromiseWithResolvers<void> | undefined;
  #ended: PromiseWithResolvers<void> | undefined;
  /** How many share the next write, and whether the last one was for one alone: calls come in waves. */
  #sharing = 0;
  #wasAlone = true;
  #flushing: Promise<void> | undefined;
  #cancelTimer: Cancel | undefined;
  #cancelSync: Cancel | undefined;
  #trouble: unknown;
  #closed = false;

  constructor(options: AuditQueueOptions) {
    this.#options = options;
    this.#writer = new BatchWriter(options);
  }

  waitForSpace(): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(stopping());
    if (this.#trouble !== undefined && !this.#works()) {
      return Promise.reject(notCalled(this.#trouble, this.#options.journal?.folder ?? ''));
    }
    return this.#hasSpace() ? undefined : this.#untilSpace();
  }

  begin(beginning: string): OpenCall {
    const { journal } = this.#options;
    if (!journal) return { beginning };
    const place = this.#open.add(beginning);
    if (this.#isAlone(this.#open.count === 1)) {
      const error = this.#tryToWrite(journal);
      if (error === undefined) return { beginning, place, written: undefined };
      return { beginning, place, written: Promise.reject(notCalled(error, journal.folder)) };
    }
    this.#sharing += 1;
    this.#begun ??= this.#group();
    return { beginning, place, written: this.#begun.promise };
  }

  add(record: Waiting, { beginning, place }: OpenCall, ending: string): Promise<void> | undefined {
    if (this.#closed) return Promise.reject(stopping());
    if (place) this.#open.end(place);
    this.#waiting.add(record, beginning, ending);
    // A call that was never made takes its turn: without any input, one could follow another for ever.
    const written = this.#written(place !== undefined && this.#open.count === 0);
    this.#storeSoon(); // last, as all that wait may be stored by it
    return written;
  }

  /** Undefined if the end is kept already. */
  #written(isLast: boolean): Promise<void> | undefined {
    const { journal } = this.#options;
    if (!journal) return undefined;
    if (this.#isAlone(isLast)) {
      const error = this.#tryToWrite(journal);
      return error === undefined ? undefined : this.#storedInstead(error, journal.folder);
    }
    this.#sharing += 1;
    this.#ended ??= this.#group();
    return this.#ended.promise;
  }

  /** Everything queued now is stored when this resolves. */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#flushing) await this.#flushing;
    if (this.#waiting.count + this.#writer.left === 0) return;
    this.#flushing = this.#store().finally(() => {
      this.#flushing = undefined;
      if (this.#waiting.count > 0) this.#schedule();
    });
    await this.#flushing;
  }

  /** With a time limit, for callers that must not wait for a stuck database. */
  async flushInTime(): Promise<void> {
    await this.#limited(this.flush(), this.#options.limits.auditWaitMs);
  }

  /** No call begins any more; what isn't stored stays in the journal for the next start. */
  async close(): Promise<void> {
    const { logger, journal } = this.#options;
    this.#writer.close();
    try {
      const flushAll = async (): Promise<void> => {
        do await this.flush();
        while (this.#waiting.count > 0);
      };
      await this.#limited(flushAll(), this.#options.limits.auditCloseMs);
    } catch (error) {
      const left = this.#waiting.count + this.#writer.left;
      logger.error('audit records were not stored', { left, error: messageOf(error) });
    } finally {
      this.#write();
      this.#closed = true;
      this.#cancelTimer?.();
      this.#cancelSync?.();
      journal?.close();
    }
  }

  /** `isOnly`: no other call is under way, which could share the write. It is not put off then. */
  #isAlone(isOnly: boolean): boolean {
    return isOnly && this.#wasAlone && !this.#begun && !this.#ended;
  }

  #group(): PromiseWithResolvers<void> {
    if (!this.#begun && !this.#ended) atEndOfTurn(this.#write);
    const group = Promise.withResolvers<void>();
    ignore(group.promise, 'each call of the group waits for it and tells its own caller');
    return group;
  }

  readonly #write = (): void => {
    const [begun, ended] = [this.#begun, this.#ended];
    const { journal } = this.#options;
    if (!journal || (!begun && !ended)) return; // it was done before its turn came
    this.#begun = this.#ended = undefined;
    this.#wasAlone = this.#sharing === 1;
    this.#sharing = 0;
    const error = this.#tryToWrite(journal);
    if (error === undefined) {
      begun?.resolve();
      ended?.resolve();
    } else {
      begun?.reject(notCalled(error, journal.folder));
      ended?.resolve(this.#storedInstead(error, journal.folder));
    }
  };

  /** All lines that the journal does not have yet. Answers why it refused them, if it did. */
  #tryToWrite(journal: Pick<Journal, 'write'>): unknown {
    try {
      journal.write(this.#waiting.newLines(), this.#open.newLines());
    } catch (error) {
      this.#open.refused();
      return this.#failed(error);
    }
    this.#waiting.written();
    this.#open.written();
    if (this.#trouble !== undefined) this.#options.logger.info('the audit journal can be written again');
    this.#trouble = undefined;
    this.#cancelSync ??= this.#options.clock.after(this.#options.limits.auditSyncMs, this.#sync);
    return undefined;
  }

  /** Without a journal line, only the database can keep these. */
  async #storedInstead(cause: unknown, folder: string): Promise<void> {
    // A flush may be running: it must not start inside itself.
    await Promise.resolve();
    try {
      await this.#limited(this.flush(), this.#options.limits.auditStuckMs);
    } catch {
      throw endNotRecorded(cause, folder);
    }
  }

  #failed(error: unknown): unknown {
    const { logger } = this.#options;
    if (this.#trouble === undefined) {
      logger.error('the audit journal cannot be written', { error: messageOf(error) });
    }
    return (this.#trouble = error ?? new Error('unknown'));
  }

  /** Retries before a person is asked about a call that could not be recorded. */
  #works(): boolean {
    const { journal } = this.#options;
    if (!journal) return true;
    try {
      journal.write(EMPTY_LINE);
      this.#trouble = undefined;
      return true;
    } catch (error) {
      this.#failed(error);
      return false;
    }
  }

  /** For power loss: one sync for all calls of a moment. */
  readonly #sync = (): void => {
    this.#cancelSync = undefined;
    const { journal, logger } = this.#options;
    journal?.sync((error) => {
      if (error && !this.#closed)
        logger.error('the audit journal was not synced', { error: messageOf(error) });
    });
  };

  #hasSpace(): boolean {
    return this.#waiting.count + this.#writer.left < this.#options.limits.auditQueueMax;
  }

  #storeSoon(): void {
    if (!this.#cancelTimer || this.#waiting.count >= this.#options.limits.auditBatch) this.#schedule();
  }

  #schedule(): void {
    const { clock, limits } = this.#options;
    if (this.#flushing || this.#writer.closed) return;
    if (this.#waiting.count >= limits.auditBatch) {
      this.#cancelTimer?.();
      this.#flushNow();
    } else this.#cancelTimer ??= clock.after(limits.auditFlushMs, this.#flushNow);
  }

  readonly #flushNow = (): void => {
    const { logger } = this.#options;
    this.#cancelTimer = undefined;
    this.flush().catch((error: unknown) =>
      logger.error('audit records could not be stored', { error: messageOf(error) }),
    );
  };

  async #store(): Promise<void> {
    this.#write(); // so that the lines of these records are in the file that is dropped with them
    const turned = this.#options.journal?.turn(this.#open.lines());
    await this.#writer.store(this.#waiting.take());
    turned?.drop();
  }

  /** Waits while the database makes progress; refuses calls when it is stuck. */
  async #untilSpace(): Promise<void> {
    while (!this.#hasSpace()) {
      const patienceMs = this.#options.limits.auditStuckMs - this.#writer.idleMs;
      if (patienceMs <= 0) throw notStored(this.#writer.trouble);
      ignore(this.flush(), 'what could not be stored stays, and is told to those who wait');
      await this.#limited(this.#writer.moved(), patienceMs);
    }
  }

  async #limited(work: Promise<void>, ms: number): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = this.#options.clock.after(ms, () => reject(notStored(this.#writer.trouble)));
    try {
      await Promise.race([work, promise]);
    } finally {
      cancel();
    }
  }
}

const EMPTY_LINE = Buffer.from('\n');
