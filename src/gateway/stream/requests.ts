import { BriefMap } from '../../base/brief-map.ts';
import { reportFault } from '../../base/faults.ts';
import { idKey } from '../../base/exact-number.ts';
import type { JsonObject } from '../../base/json.ts';
import { toRpcError } from '../errors.ts';
import type { Exchange } from '../gateway.ts';
import { answerText, errorText, type Answer, type RpcId } from '../rpc.ts';

export interface HostRequest {
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly chars: number;
  /** Undefined when the host wants no answer. */
  readonly reply: (text: string | undefined) => void;
}

export interface RequestsOptions {
  readonly atOnceMax: number;
  readonly answer: (request: HostRequest, exchange: Exchange) => Promise<Answer>;
  readonly notify: (method: string, params: JsonObject) => void;
  readonly mayBegin: () => boolean;
  readonly onEnd: () => void;
}

/** Running and waiting requests of one host. Invariant: each is answered once; a host may reuse ids. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #byId = new BriefMap<string | number, Running>();
  #waiting: Running[] = [];
  #running = 0;
  /** Open subscriptions don't count as running. */
  readonly #listening = new Set<Running>();
  waitingChars = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#running + this.#listening.size + this.#waiting.length;
  }

  add(request: HostRequest): void {
    const running = new Running(request, this.#options.notify);
    running.twin = this.#byId.get(running.key);
    this.#byId.set(running.key, running);
    if (this.#waiting.length === 0 && this.#hasRoom()) {
      this.#begin(running);
      return;
    }
    this.#waiting.push(running);
    this.waitingChars += request.chars;
  }

  /** The oldest of several with the same id. */
  cancel(id: RpcId): void {
    let oldest: Running | undefined;
    for (let at = this.#byId.get(idKey(id)); at; at = at.twin) if (!at.cancelled) oldest = at;
    // `initialize` must not be cancelled (spec 2025-11-25, cancellation).
    if (!oldest || oldest.request.method === 'initialize') return;
    oldest.cancelled = true;
    oldest.abort(new Error('The host cancelled the request.'));
  }

  pump(): void {
    let next = 0;
    while (next < this.#waiting.length && this.#hasRoom()) {
      const running = this.#waiting[next++] as Running; // the index was checked
      this.waitingChars -= running.request.chars;
      this.#begin(running);
    }
    if (next > 0) this.#waiting = this.#waiting.slice(next);
  }

  endListening(): void {
    for (const listening of this.#listening) listening.abort(new Error('The host says no more.'));
  }

  abortAll(): void {
    this.#waiting = [];
    this.waitingChars = 0;
    for (const [, first] of this.#byId.entries()) {
      for (let at: Running | undefined = first; at; at = at.twin) {
        at.cancelled = true;
        at.abort(new Error('The host disconnected.'));
      }
    }
  }

  #hasRoom(): boolean {
    return this.#running < this.#options.atOnceMax && this.#options.mayBegin();
  }

  #begin(running: Running): void {
    const { request } = running;
    if (running.cancelled) {
      this.#forget(running);
      request.reply(undefined);
      return;
    }
    const listens = request.method === 'subscriptions/listen';
    if (listens) this.#listening.add(running);
    else this.#running += 1;
    // Nothing awaits this: it must not throw.
    const end = (text: string): void => {
      try {
        if (listens) this.#listening.delete(running);
        else this.#running -= 1;
        running.ended = true;
        this.#forget(running);
        request.reply(running.cancelled ? undefined : text);
        this.#options.onEnd();
      } catch (error) {
        reportFault('an answer to a host', error);
      }
    };
    this.#options.answer(request, running).then(
      (answer) => end(answerText(request.id, answer)),
      (error: unknown) => end(errorText(request.id, toRpcError(error))),
    );
  }

  #forget(running: Running): void {
    const { key } = running;
    const first = this.#byId.get(key);
    if (first === running) {
      if (running.twin) this.#byId.set(key, running.twin);
      else this.#byId.delete(key);
      return;
    }
    for (let at = first; at; at = at.twin) if (at.twin === running) at.twin = running.twin;
  }
}

class Running implements Exchange {
  readonly request: HostRequest;
  readonly key: string | number;
  readonly #controller = new AbortController();
  readonly #notify: RequestsOptions['notify'];
  /** An older one with the same id. */
  twin: Running | undefined;
  cancelled = false;
  ended = false;

  constructor(request: HostRequest, notify: RequestsOptions['notify']) {
    this.request = request;
    this.key = idKey(request.id);
    this.#notify = notify;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
  }

  /** Dropped after the answer. */
  notify(method: string, params: JsonObject): void {
    if (!this.cancelled && !this.ended) this.#notify(method, params);
  }
}

/** Answers go out as one array once complete (JSON-RPC 2.0, “Batch”). */
export class BatchReply {
  readonly #write: (line: string) => void;
  readonly #texts: string[] = [];
  #missing = 0;
  #whole = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Reserves one answer; undefined leaves it out. */
  place(): (text: string | undefined) => void {
    this.#missing += 1;
    return (text) => {
      this.#missing -= 1;
      if (text !== undefined) this.#texts.push(text);
      this.#send();
    };
  }

  close(): void {
    this.#whole = true;
    this.#send();
  }

  #send(): void {
    if (this.#whole && this.#missing === 0 && this.#texts.length > 0)
      this.#write(`[${this.#texts.join(',')}]`);
  }
}
