import type { Worker } from 'node:worker_threads';
import type { Cancel, Clock } from '../../base/clock.ts';
import { ignore, messageOf, PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { startThread } from '../../base/thread.ts';
import type { ThreadAnswer, ThreadQuestion, ThreadStart } from './thread.ts';

export interface TokenCounterOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Pick<
    Limits,
    Extract<keyof Limits, `token${'Batch' | 'Thread' | 'Run' | 'Text'}${string}`>
  >;
}

/** Counts tokens as OpenAI's models do (o200k_base), in a thread that ends when idle. */
export class TokenCounter {
  readonly #options: TokenCounterOptions;
  readonly #pending = new Map<number, PromiseWithResolvers<readonly number[]>>();
  #thread: Worker | undefined;
  #cancelIdle: Cancel = () => undefined;
  #asked = 0;
  #closed = false;

  constructor(options: TokenCounterOptions) {
    this.#options = options;
  }

  get isLoaded(): boolean {
    return this.#thread !== undefined;
  }

  async count(
    texts: readonly string[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly number[]> {
    const counts: number[] = [];
    for (const batch of batches(texts, this.#options.limits.tokenBatchCharsMax)) {
      counts.push(...(await this.#countBatch(batch, signal)));
    }
    return counts;
  }

  /** Missing numbers instead of an error: a list of tools never fails for it. */
  async tryCount(
    texts: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly (number | undefined)[]> {
    try {
      return await this.count(texts, options);
    } catch (error) {
      if (!options.signal?.aborted) {
        this.#options.logger.warn('tokens were not counted', { error: messageOf(error) });
      }
      return texts.map(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelIdle();
    const thread = this.#thread;
    this.#letGo('the counter was closed');
    await thread?.terminate();
  }

  async #countBatch(texts: readonly string[], signal: AbortSignal | undefined): Promise<readonly number[]> {
    if (this.#closed) throw failed('the counter is closed');
    if (signal?.aborted) throw cancelled(signal.reason);
    const { clock, limits } = this.#options;
    const pending = Promise.withResolvers<readonly number[]>();
    const id = (this.#asked += 1);
    const stop = (): void => pending.reject(cancelled(signal?.reason));
    const late = (): void => this.#letGo(`it took longer than ${limits.tokenBatchTimeoutMs / 1000} s`);
    const cancelTimer = clock.after(limits.tokenBatchTimeoutMs, late);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      this.#pending.set(id, pending);
      const question: ThreadQuestion = { id, texts };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      this.#start().postMessage(question);
      return await pending.promise;
    } finally {
      cancelTimer();
      signal?.removeEventListener('abort', stop);
      this.#pending.delete(id);
      this.#rest();
    }
  }

  #start(): Worker {
    this.#cancelIdle();
    if (this.#thread) return this.#thread;
    const { limits } = this.#options;
    const { tokenRunCharsMax: runCharsMax, tokenTextCharsMax: textCharsMax } = limits;
    const start: ThreadStart = { runCharsMax, textCharsMax };
    const thread = startThread(import.meta.url, {
      workerData: start,
      // A small young generation: the process never gives it back.
      resourceLimits: { maxOldGenerationSizeMb: limits.tokenThreadHeapMb, maxYoungGenerationSizeMb: 2 },
    });
    this.#thread = thread;
    // Counting must not keep the process alive.
    thread.unref();
    thread.on('message', ({ id, counts }: ThreadAnswer) => this.#pending.get(id)?.resolve(counts));
    thread.on('error', (error) => this.#letGo(messageOf(error), thread));
    thread.on('exit', () => this.#letGo('its thread ended', thread));
    return thread;
  }

  #rest(): void {
    this.#cancelIdle();
    if (this.#pending.size > 0 || !this.#thread) return;
    this.#cancelIdle = this.#options.clock.after(this.#options.limits.tokenThreadIdleMs, () =>
      this.#letGo('idle'),
    );
  }

  /** Rejects pending counts. Ignores a thread that was replaced. */
  #letGo(why: string, of: Worker | undefined = this.#thread): void {
    if (of === undefined || of !== this.#thread) return;
    this.#thread = undefined;
    this.#cancelIdle();
    for (const { reject } of this.#pending.values()) reject(failed(why));
    ignore(of.terminate(), 'nobody waits for this thread any more; close() waits for the last one itself');
  }
}

function* batches(texts: readonly string[], charsMax: number): Iterable<readonly string[]> {
  let from = 0;
  let chars = 0;
  for (const [index, { length }] of texts.entries()) {
    if (index > from && chars + length > charsMax) {
      yield texts.slice(from, index);
      from = index;
      chars = 0;
    }
    chars += length;
  }
  if (from < texts.length) yield texts.slice(from);
}

function failed(why: string): PlugError {
  return new PlugError('unavailable', `The tokens were not counted: ${why}.`, { owner: 'plugboard' });
}

function cancelled(cause: unknown): PlugError {
  return new PlugError('cancelled', 'Counting tokens was cancelled.', { owner: 'you', cause });
}
