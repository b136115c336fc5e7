import { backoffMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import type { WrittenRecord } from '../audit-record.ts';

export interface BatchWriterOptions {
  readonly append: (records: readonly WrittenRecord[]) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
}

export class BatchWriter {
  readonly #options: BatchWriterOptions;
  readonly #closing = new AbortController();
  #left: readonly WrittenRecord[] = [];
  #movedAt: number;
  #moving = Promise.withResolvers<void>();
  #storing = false;
  #trouble: unknown;

  constructor(options: BatchWriterOptions) {
    this.#options = options;
    this.#movedAt = options.clock.monotonic();
  }

  get left(): number {
    return this.#left.length;
  }

  get closed(): boolean {
    return this.#closing.signal.aborted;
  }

  get trouble(): unknown {
    return this.#trouble;
  }

  /** How long the batch being stored has made no progress. */
  get idleMs(): number {
    return this.#storing ? this.#options.clock.monotonic() - this.#movedAt : 0;
  }

  /** Resolves when the next batch is stored or storing ends. */
  moved(): Promise<void> {
    return this.#moving.promise;
  }

  async store(records: readonly WrittenRecord[]): Promise<void> {
    const { limits, clock } = this.#options;
    this.#left = [...this.#left, ...records];
    this.#storing = true;
    this.#movedAt = clock.monotonic();
    try {
      while (this.#left.length > 0) {
        await this.#append(this.#left.slice(0, limits.auditBatch));
        this.#left = this.#left.slice(limits.auditBatch);
        this.#movedAt = clock.monotonic();
        this.#trouble = undefined;
        this.#tell();
      }
    } finally {
      // Fails only on closing: the journal keeps the lines for the next start.
      this.#storing = false;
      this.#tell();
    }
  }

  /** Ends the retries after one last attempt. */
  close(): void {
    this.#closing.abort();
  }

  #tell(): void {
    this.#moving.resolve();
    this.#moving = Promise.withResolvers();
  }

  async #append(batch: readonly WrittenRecord[]): Promise<void> {
    const { append, clock, ids, limits, logger } = this.#options;
    const { signal } = this.#closing;
    for (let attempt = 0; ; attempt += 1) {
      const last = signal.aborted;
      try {
        return await append(batch);
      } catch (error) {
        this.#trouble = error;
        if (last) throw error;
        if (attempt === 0) logger.error('audit records wait for the database', { error: messageOf(error) });
        const { storageRetryBaseMs: baseMs, storageRetryMaxMs: maxMs } = limits;
        await Promise.allSettled([clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }), signal)]);
      }
    }
  }
}
