import { ignore } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { notificationText, RpcError, rpcCodes } from '../rpc.ts';
import type { Outcome } from './message.ts';

/** Unanswered questions to one host; ids count per host. */
export class Questions {
  readonly #max: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<JsonObject>>();
  #last = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** `send` returns whether it could. */
  async ask(asked: {
    readonly method: string;
    readonly params: JsonObject;
    readonly signal: AbortSignal;
    readonly send: (text: string) => boolean;
  }): Promise<JsonObject> {
    const { method, params, signal, send } = asked;
    signal.throwIfAborted();
    if (this.#waiting.size >= this.#max) throw unaskable('has too many unanswered questions');
    const id = ++this.#last;
    const waiting = Promise.withResolvers<JsonObject>();
    ignore(waiting.promise, 'it is awaited below, unless it cannot even be sent');
    this.#waiting.set(id, waiting);
    const stop = (): void => {
      send(notificationText('notifications/cancelled', { requestId: id }));
      waiting.reject(signal.reason);
    };
    try {
      if (!send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))) {
        throw unaskable('has no stream open on which it could be asked');
      }
      signal.addEventListener('abort', stop, { once: true });
      return await waiting.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(id);
    }
  }

  /** Late answers are dropped. */
  answer(id: unknown, outcome: Outcome): void {
    // Some hosts return ids as text.
    const waiting = this.#waiting.get(typeof id === 'string' ? Number(id) : (id as number));
    if ('result' in outcome) waiting?.resolve(outcome.result);
    else waiting?.reject(outcome.error);
  }

  close(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(unaskable('has gone'));
  }
}

function unaskable(why: string): RpcError {
  return new RpcError(rpcCodes.internalError, `The host ${why}.`);
}
