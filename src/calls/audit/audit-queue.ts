import { backoffMs } from '../../base/backoff.ts';
import type { Cancel, Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { AuditRecord, WrittenRecord } from '../audit-record.ts';
import type { Journal } from './journal.ts';
import { WaitingRecords } from './waiting-records.ts';

export interface AuditQueueOptions {
  readonly append: (records: readonly WrittenRecord[]) => Promise<void>;
  readonly journal: Journal | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Records between the journal and the database. */
export class AuditQueue {
  readonly #options: AuditQueueOptions;
  readonly #waiting = new WaitingRecords();
  /** Those that could not be stored before we close. */
  #left: readonly WrittenRecord[] = [];
  /** The answers of parallel calls come together, and what is recorded in one tick goes to disk in one write. */
  #writing: PromiseWithResolvers<void> | undefined;
  /** Those that are being stored; they count as waiting until they are. */
  #storing = 0;
  #flushing: Promise<void> | undefined;
  #cancelTimer: Cancel | undefined;
  readonly #closing = new AbortController();

  constructor(options: AuditQueueOptions) {
    this.#options = options;
  }

  room(): Promise<void> | undefined {
    return this.#hasRoom() ? undefined : this.#waitForRoom();
  }

  /** Kept when the promise resolves. All that come in one tick share it. */
  add(record: AuditRecord): Promise<void> | undefined {
    this.#waiting.add(record);
    if (!this.#options.journal) {
      this.#storeSoon();
      return this.room();
    }
    if (!this.#writing) {
      this.#writing = Promise.withResolvers();
      process.nextTick(this.#writeNow);
    }
    const { promise } = this.#writing;
    this.#storeSoon(); // last, as all that wait may be stored by it
    return promise;
  }

  /** Everything that waits now is stored when this resolves. */
  async flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#flushing) await this.#flushing;
    if (this.#waiting.count + this.#left.length === 0) return;
    this.#flushing = this.#store().finally(() => {
      this.#flushing = undefined;
      // What came meanwhile.
      if (this.#waiting.count > 0) this.#schedule();
    });
    await this.#flushing;
  }

  /** The same for somebody who does not want to wait for a stuck database. */
  async flushInTime(): Promise<void> {
    await this.#limited(this.flush());
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const { logger, journal } = this.#options;
    try {
      await this.flush();
    } catch (error) {
      const left = this.#size();
      logger.error('audit records were not stored', { left, error: messageOf(error) });
    } finally {
      journal?.close();
    }
  }

  readonly #writeNow = (): void => this.#write();

  #write(): void {
    const writing = this.#writing;
    if (!writing) return; // it was done before its tick came
    const { journal, logger } = this.#options;
    this.#writing = undefined;
    let kept = true;
    try {
      journal?.write(this.#waiting.newLines());
    } catch (error) {
      logger.error('the audit journal could not be written', { error: messageOf(error) });
      kept = false;
    }
    writing.resolve(kept && this.#hasRoom() ? undefined : this.#waitBeforeAnswering(kept));
  }

  async #waitBeforeAnswering(kept: boolean): Promise<void> {
    // Whoever writes may be about to store, which must not begin within itself.
    await Promise.resolve();
    // Without a line in the journal, only the database can promise that the records are kept.
    await (kept ? this.room() : this.flushInTime());
  }

  #hasRoom(): boolean {
    return this.#size() < this.#options.limits.auditQueueMax;
  }

  #size(): number {
    return this.#waiting.count + this.#left.length + this.#storing;
  }

  /** Most records join those that wait for a moment that is set already. */
  #storeSoon(): void {
    if (!this.#cancelTimer || this.#waiting.count >= this.#options.limits.auditBatch) this.#schedule();
  }

  #schedule(): void {
    const { clock, limits } = this.#options;
    if (this.#flushing || this.#closing.signal.aborted) return;
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

  /** Takes all that waits, and stores it in batches; a batch that fails is tried until it is stored. */
  async #store(): Promise<void> {
    const { journal, limits } = this.#options;
    this.#write(); // so that the lines of these records are in the file that is dropped with them
    const turned = journal?.turn();
    const records = [...this.#left, ...this.#waiting.take()];
    this.#left = [];
    this.#storing = records.length;
    let from = 0;
    try {
      for (; from < records.length; from += limits.auditBatch) {
        const batch = records.slice(from, from + limits.auditBatch);
        await this.#append(batch);
        this.#storing -= batch.length;
      }
      turned?.drop();
    } catch (error) {
      // Only when we close: the journal keeps its lines for the next start.
      this.#left = records.slice(from);
      throw error;
    } finally {
      this.#storing = 0;
    }
  }

  async #append(batch: readonly WrittenRecord[]): Promise<void> {
    const { append, clock, ids, limits, logger } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; ; attempt += 1) {
      const last = signal.aborted;
      try {
        return await append(batch);
      } catch (error) {
        if (last) throw error;
        if (attempt === 0) logger.error('audit records wait for the database', { error: messageOf(error) });
        const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
        // Closing ends the wait, for one last attempt.
        await Promise.allSettled([clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }), signal)]);
      }
    }
  }

  async #waitForRoom(): Promise<void> {
    await this.#limited(
      (async () => {
        while (!this.#hasRoom()) await this.flush();
      })(),
    );
  }

  async #limited(work: Promise<void>): Promise<void> {
    const { clock, limits } = this.#options;
    const { promise, reject } = Promise.withResolvers<never>();
    const cancel = clock.after(limits.auditWaitMs, () => reject(stuck()));
    try {
      await Promise.race([work, promise]);
    } finally {
      cancel();
    }
  }
}

function stuck(): PlugError {
  return new PlugError('storage_failed', 'Calls cannot be recorded: the database does not take them.', {
    owner: 'plugboard',
    next: 'Check the disk and the database, then try again.',
  });
}
