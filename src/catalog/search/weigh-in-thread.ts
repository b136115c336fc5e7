import type { Worker } from 'node:worker_threads';
import { messageOf, PlugError } from '../../base/errors.ts';
import { startThread } from '../../base/thread.ts';
import { searchLimits } from './limits.ts';
import type { ThreadAnswer } from './thread.ts';
import type { ServerTexts, Weighed } from './weigh.ts';

/** Does what `Weigher` does, in a thread. */
export class ThreadWeigher {
  readonly #thread: Worker;
  /** Answers come in the order of the questions. */
  readonly #pending: PromiseWithResolvers<Weighed>[] = [];
  #terms: string[] = [];
  #ended: PlugError | undefined;

  constructor() {
    this.#thread = startThread(import.meta.url, {
      resourceLimits: {
        maxOldGenerationSizeMb: searchLimits.threadHeapMb,
        maxYoungGenerationSizeMb: searchLimits.threadYoungMb,
      },
    });
    // Reading must not keep the process alive.
    this.#thread.unref();
    this.#thread.on('message', (answer: ThreadAnswer) => this.#pending.shift()?.resolve(this.#whole(answer)));
    this.#thread.on('error', (error) => this.#end(messageOf(error)));
    this.#thread.on('exit', () => this.#end('its thread ended'));
  }

  weigh(servers: readonly ServerTexts[]): Promise<Weighed> {
    if (this.#ended) return Promise.reject(this.#ended);
    const pending = Promise.withResolvers<Weighed>();
    this.#pending.push(pending);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    this.#thread.postMessage(servers);
    return pending.promise;
  }

  async close(): Promise<void> {
    this.#end('the search was closed');
    await this.#thread.terminate();
  }

  #whole({ moreTerms, isNewList, ...weighed }: ThreadAnswer): Weighed {
    if (isNewList) this.#terms = [];
    for (const term of moreTerms) this.#terms.push(term);
    return { terms: this.#terms, ...weighed };
  }

  #end(why: string): void {
    this.#ended ??= new PlugError('unavailable', `The tools were not read: ${why}.`, { owner: 'plugboard' });
    for (const { reject } of this.#pending.splice(0)) reject(this.#ended);
  }
}
