import type { Logger } from './logger.ts';
import { messageOf } from './errors.ts';

export class TaskGroup {
  readonly #running = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Runs `work` in the background. A failure is logged, never lost. */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): void {
    if (this.#abort.signal.aborted) return;
    const task = work(this.#abort.signal)
      .catch((error: unknown) => {
        if (this.#abort.signal.aborted) return;
        this.#logger.error('background task failed', { task: name, error: messageOf(error) });
      })
      .finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  async close(): Promise<void> {
    this.#abort.abort(new Error('closing'));
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }
}
