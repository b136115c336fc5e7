import { ignore } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { HostRequest } from '../connections/host.ts';
import type { Exchange } from './gateway.ts';
import { methodOf } from './host-call.ts';
import { RpcError, rpcCodes, type Answer } from './rpc.ts';

interface Question {
  readonly request: HostRequest;
  readonly settle: (answer: JsonObject) => void;
}

export type Round =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'asks'; readonly inputRequests: JsonObject };

/** Modern hosts can't be asked during a request: the work waits here for the host's next one. */
export class Rounds {
  readonly #work: AbortController = new AbortController();
  readonly #open = new Map<string, Question>();
  readonly #outcome: Promise<Answer>;
  #asked = Promise.withResolvers<void>();
  #exchange: Exchange;
  #count = 0;
  /** The expected round; an older answer is stale. */
  round = 0;

  constructor(exchange: Exchange, work: (rounds: Rounds) => Promise<Answer>) {
    this.#exchange = exchange;
    this.#outcome = work(this);
    ignore(this.#outcome, 'whoever waits for the next round sees it');
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  notify(method: string, params: JsonObject): void {
    this.#exchange.notify(method, params);
  }

  /** Asked at the end of this round. */
  ask(request: HostRequest, signal: AbortSignal): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const key = this.#keyFor(request);
      const end = (): void => {
        this.#open.delete(key);
        signal.removeEventListener('abort', withdraw);
      };
      const withdraw = (): void => {
        end();
        reject(signal.reason);
      };
      const settle = (answer: JsonObject): void => {
        end();
        resolve(answer);
      };
      signal.addEventListener('abort', withdraw, { once: true });
      this.#open.set(key, { request, settle });
      // Batches the questions of one moment.
      queueMicrotask(() => this.#asked.resolve());
    });
  }

  async next(exchange: Exchange): Promise<Round> {
    this.#exchange = exchange;
    const cancel = (): void => this.cancel();
    if (exchange.signal.aborted) this.cancel();
    else exchange.signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        const answer = await Promise.race([this.#outcome, this.#asked.promise]);
        if (answer !== undefined) return { kind: 'done', answer };
        this.#asked = Promise.withResolvers<void>();
        // A question may have been withdrawn meanwhile.
        if (this.#open.size > 0) break;
      }
      this.round += 1;
      return { kind: 'asks', inputRequests: this.#inputRequests() };
    } finally {
      exchange.signal.removeEventListener('abort', cancel);
    }
  }

  /** Open questions are asked again. */
  answer(responses: unknown): void {
    const given = isObject(responses) ? responses : {};
    for (const [key, { settle }] of this.#open) {
      const answer = Object.hasOwn(given, key) ? given[key] : undefined;
      if (isObject(answer)) settle(answer as JsonObject); // parsed from JSON
    }
    if (this.#open.size > 0) this.#asked.resolve();
  }

  cancel(): void {
    this.abort(new RpcError(rpcCodes.internalError, 'The host gave the request up.'));
  }

  abort(reason: Error): void {
    this.#work.abort(reason);
  }

  /** Prefers the server's own key: hosts may show it. */
  #keyFor({ key, kind }: HostRequest): string {
    if (key !== undefined && !this.#open.has(key)) return key;
    this.#count += 1;
    return `${kind}_${this.#count}`;
  }

  #inputRequests(): JsonObject {
    const requests = [...this.#open].map(([key, { request }]) => [
      key,
      { method: methodOf[request.kind], params: request.params },
    ]);
    return Object.fromEntries(requests) as JsonObject; // keys and JSON
  }
}
