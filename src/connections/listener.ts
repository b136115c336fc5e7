import { backoffMs } from '../base/backoff.ts';
import { ignore } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { systemIds } from '../base/ids.ts';
import { rpcCodeOf } from './failures.ts';
import type { Bounds } from './limits.ts';

export interface ListenerOptions extends Bounds {
  readonly capabilities: JsonObject;
  readonly ended: () => boolean;
  /** Opens subscriptions/listen; settles when the subscription is over. */
  readonly open: (filter: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly onReopen: () => void;
}

/** Keeps one subscriptions/listen open on a modern link: a dropped one is opened again. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #uris = new Set<string>();
  #current: AbortController | undefined;
  #stopped = false;
  #attempt = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  watch(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.start();
  }

  unwatch(uri: string): void {
    if (this.#uris.delete(uri)) this.start();
  }

  stop(): void {
    this.#stopped = true;
    this.#current?.abort();
  }

  /** Opens with the present filter; the new one is asked for before the old one ends. */
  start(): void {
    const filter = this.#filter();
    const before = this.#current;
    this.#current = undefined;
    if (Object.keys(filter).length > 0 && !this.#stopped) {
      const abort = new AbortController();
      this.#current = abort;
      ignore(this.#follow(filter, abort), 'every outcome of a subscription is handled inside');
    }
    before?.abort();
  }

  async #follow(filter: JsonObject, abort: AbortController): Promise<void> {
    const { clock, limits } = this.#options;
    const opened = clock.monotonic();
    try {
      await this.#options.open(filter, abort.signal);
    } catch (error) {
      // A server that does not know the method will not learn it.
      if (rpcCodeOf(error) !== undefined) return;
    }
    if (abort.signal.aborted || this.#stopped || this.#options.ended()) return;
    this.#attempt = clock.monotonic() - opened > limits.stableMs ? 0 : this.#attempt + 1;
    const { restartBackoffBaseMs: baseMs, restartBackoffMaxMs: maxMs } = limits;
    const wait = backoffMs({ attempt: this.#attempt, baseMs, maxMs, ids: systemIds });
    await clock.sleep(wait, abort.signal);
    if (this.#current !== abort || this.#stopped || this.#options.ended()) return;
    this.start();
    this.#options.onReopen();
  }

  #filter(): JsonObject {
    const announced = ['tools', 'resources', 'prompts'].filter((kind) => {
      const capability = this.#options.capabilities[kind];
      return isObject(capability) && capability['listChanged'] === true;
    });
    return {
      ...Object.fromEntries(announced.map((kind) => [`${kind}ListChanged`, true])),
      ...(this.#uris.size > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    };
  }
}
