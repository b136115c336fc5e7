import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Outcome } from '../http/message.ts';
import { notificationText, type RpcId } from '../rpc.ts';

export interface QuestionsOptions {
  /** Part of every id: answers from an earlier stream must not match. */
  readonly stream: string;
  readonly questionsMax: number;
  readonly write: (line: string) => void;
}

interface Open {
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: Error) => void;
}

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, Open>();
  #asked = 0;
  #ended = false;

  constructor(options: QuestionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#open.size;
  }

  async ask(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    signal.throwIfAborted();
    if (this.#ended) throw hostGone();
    if (this.#open.size >= this.#options.questionsMax) throw tooMany(this.#options.questionsMax);
    this.#asked += 1;
    const id = `plug:${this.#options.stream}:${this.#asked}`;
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    const abort = (): void => {
      this.#options.write(
        notificationText('notifications/cancelled', { requestId: id, reason: 'cancelled' }),
      );
      reject(signal.reason as Error); // a reason of ours is an error
    };
    this.#open.set(id, { resolve, reject });
    signal.addEventListener('abort', abort, { once: true });
    // The id comes first: the bridge reads only that.
    this.#options.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    try {
      return await promise;
    } finally {
      this.#open.delete(id);
      signal.removeEventListener('abort', abort);
    }
  }

  answer(id: RpcId | null, outcome: Outcome): void {
    const open = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (!open) return;
    if ('result' in outcome) open.resolve(outcome.result);
    else open.reject(outcome.error);
  }

  end(): void {
    this.#ended = true;
    for (const { reject } of this.#open.values()) reject(hostGone());
  }
}

function hostGone(): PlugError {
  return new PlugError('cancelled', 'The host went away before it answered.', { owner: 'you' });
}

function tooMany(questionsMax: number): PlugError {
  return new PlugError('unavailable', `The host has ${questionsMax} questions to answer already.`, {
    owner: 'you',
    remedy: 'Answer those first.',
  });
}
