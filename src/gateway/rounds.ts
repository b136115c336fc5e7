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

/**
 * A request of a modern host that is answered in rounds: nobody can ask such a host anything in
 * between, so that the work waits here while the host answers, and goes on with its next request.
 */
export class Rounds {
  readonly #work: AbortController = new AbortController();
  readonly #open = new Map<string, Question>();
  readonly #outcome: Promise<Answer>;
  #asked = Promise.withResolvers<void>();
  #exchange: Exchange;
  #count = 0;
  /** Which answer of the host's is awaited; an older one is stale. */
  round = 0;

  constructor(exchange: Exchange, work: (rounds: Rounds) => Promise<Answer>) {
    this.#exchange = exchange;
    this.#outcome = work(this);
    ignore(this.#outcome, 'whoever waits for the next round sees it');
  }

  /** Aborts when the host cancels or never comes back. */
  get signal(): AbortSignal {
    return this.#work.signal;
  }

  notify(method: string, params: JsonObject): void {
    this.#exchange.notify(method, params);
  }

  /** Puts a question to the host: it is asked at the end of this round. */
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
      // Questions of one moment are asked together.
      queueMicrotask(() => this.#asked.resolve());
    });
  }

  /** Works on until it is done or the host is asked. */
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
        // A question may have been withdrawn meanwhile: somebody else answered.
        if (this.#open.size > 0) break;
      }
      this.round += 1;
      return { kind: 'asks', inputRequests: this.#inputRequests() };
    } finally {
      exchange.signal.removeEventListener('abort', cancel);
    }
  }

  /** What the host answered; what it left open is asked again. */
  answer(responses: unknown): void {
    const given = isObject(responses) ? responses : {};
    for (const [key, { settle }] of this.#open) {
      const answer = Object.hasOwn(given, key) ? given[key] : undefined;
      // It came as JSON.
      if (isObject(answer)) settle(answer as JsonObject);
    }
    if (this.#open.size > 0) this.#asked.resolve();
  }

  cancel(): void {
    this.abort(new RpcError(rpcCodes.internalError, 'The host gave the request up.'));
  }

  abort(reason: Error): void {
    this.#work.abort(reason);
  }

  /** A server's own key where it has one: hosts may show it. */
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
