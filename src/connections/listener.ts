import type { Clock } from '../base/clock.ts';
import { backoffMs } from '../base/backoff.ts';
import { ignore } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { systemIds } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';
import { rpcCodeOf } from './failures.ts';

export interface ListenerOptions {
  readonly capabilities: JsonObject;
  readonly clock: Clock;
  readonly limits: Limits;
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

  get open(): boolean {
    return this.#current !== undefined;
  }

  start(): void {
    this.#listen();
  }

  watch(uri: string): void {
    if (this.#uris.has(uri)) return;
    this.#uris.add(uri);
    this.#listen();
  }

  unwatch(uri: string): void {
    if (this.#uris.delete(uri)) this.#listen();
  }

  stop(): void {
    this.#stopped = true;
    this.#current?.abort();
  }

  /** Opens with the present filter; the new one is asked for before the old one ends. */
  #listen(): void {
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
      // A server that does not know the method will not learn it: its lists just stay as they are.
      if (rpcCodeOf(error) !== undefined) return;
    }
    if (abort.signal.aborted || this.#stopped || this.#options.ended()) return;
    this.#attempt = clock.monotonic() - opened > limits.stableMs ? 0 : this.#attempt + 1;
    const wait = backoffMs({
      attempt: this.#attempt,
      baseMs: limits.restartBackoffBaseMs,
      maxMs: limits.restartBackoffMaxMs,
      ids: systemIds,
    });
    await clock.sleep(wait, abort.signal);
    if (this.#current !== abort || this.#stopped || this.#options.ended()) return;
    this.#listen();
    this.#options.onReopen();
  }

  #filter(): JsonObject {
    const { capabilities } = this.#options;
    const announces = (kind: string): boolean => {
      const capability = capabilities[kind];
      return isObject(capability) && capability['listChanged'] === true;
    };
    return {
      ...(announces('tools') ? { toolsListChanged: true } : {}),
      ...(announces('resources') ? { resourcesListChanged: true } : {}),
      ...(announces('prompts') ? { promptsListChanged: true } : {}),
      ...(this.#uris.size > 0 ? { resourceSubscriptions: [...this.#uris] } : {}),
    };
  }
}
