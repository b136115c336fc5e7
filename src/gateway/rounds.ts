import { ignore } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { HostRequest, ServerRound } from '../connections/host.ts';
import type { Exchange } from './gateway.ts';
import { methodOf } from './host-call.ts';
import { reachesLevel } from '../connections/in-flight.ts';
import { idJson, RpcError, rpcCodes, type Answer, type RpcId } from './rpc.ts';

interface Question {
  readonly request: HostRequest;
  readonly settle: (answer: JsonObject) => void;
}

/** One request of the host, and what it wants to hear meanwhile. */
export interface HostWay {
  readonly exchange: Exchange;
  readonly progressToken: RpcId | undefined;
  readonly logLevel: string | undefined;
}

interface Note {
  readonly method: string;
  readonly params: JsonObject;
}

export type Round =
  | { readonly kind: 'done'; readonly answer: Answer }
  | {
      readonly kind: 'asks';
      readonly inputRequests: JsonObject;
      /** Of the server that asks all of it and keeps nothing: its call can be made again with the answers. */
      readonly server: ServerRound | undefined;
    };

/** Modern hosts can't be asked during a request: the work waits here for the host's next one. */
export class Rounds {
  readonly #work: AbortController = new AbortController();
  readonly #open = new Map<string, Question>();
  readonly #outcome: Promise<Answer>;
  #asked = Promise.withResolvers<void>();
  /** Undefined while the host makes up its answers. */
  #way: HostWay | undefined;
  /** Told with the next round: the server may work on meanwhile. */
  #held: Note[] = [];
  #count = 0;
  /** The expected round; an older answer is stale. */
  round = 0;

  constructor(way: HostWay, work: (rounds: Rounds) => Promise<Answer>) {
    this.#way = way;
    this.#outcome = work(this);
    ignore(this.#outcome, 'whoever waits for the next round sees it');
  }

  get signal(): AbortSignal {
    return this.#work.signal;
  }

  /** Of the current round: every retry has its own, or none. */
  get progressToken(): RpcId | undefined {
    return this.#way?.progressToken;
  }

  get logLevel(): string | undefined {
    return this.#way?.logLevel;
  }

  notify(method: string, params: JsonObject): void {
    if (this.#way) return tell(this.#way, { method, params });
    if (this.#held.length >= NOTES_HELD_MAX) this.#held.shift();
    this.#held.push({ method, params });
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

  async next(way: HostWay): Promise<Round> {
    const { exchange } = way;
    this.#way = way;
    for (const note of this.#held.splice(0)) tell(way, note);
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
      this.#way = undefined;
      return { kind: 'asks', inputRequests: this.#inputRequests(), server: this.#serverRound() };
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

  /** Undefined where anybody else asks too, or under another key than the server's. */
  #serverRound(): ServerRound | undefined {
    const [first, ...others] = [...this.#open].map(([key, { request }]) =>
      request.key === key ? request.round : undefined,
    );
    return others.every((round) => round === first) ? first : undefined;
  }

  #inputRequests(): JsonObject {
    const requests = [...this.#open].map(([key, { request }]) => [
      key,
      { method: methodOf[request.kind], params: request.params },
    ]);
    return Object.fromEntries(requests) as JsonObject; // keys and JSON
  }
}

const NOTES_HELD_MAX = 1_000;

/** Under the token and from the level of this request. */
function tell({ exchange, progressToken, logLevel }: HostWay, { method, params }: Note): void {
  if (method === 'notifications/progress') {
    if (progressToken !== undefined)
      exchange.notify(method, { ...params, progressToken: idJson(progressToken) });
  } else if (method !== 'notifications/message' || wants(logLevel, params['level'])) {
    exchange.notify(method, params);
  }
}

/** Without a level, a modern host wants no logs. */
function wants(wanted: string | undefined, level: unknown): boolean {
  return wanted !== undefined && (typeof level !== 'string' || reachesLevel(level, wanted));
}
