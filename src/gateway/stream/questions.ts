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

export class Questions {
  readonly #options: QuestionsOptions;
  readonly #open = new Map<string, PromiseWithResolvers<JsonObject>>();
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
    const question = Promise.withResolvers<JsonObject>();
    const abort = (): void => {
      const cancelled = { requestId: id, reason: 'cancelled' };
      this.#options.write(notificationText('notifications/cancelled', cancelled));
      question.reject(signal.reason);
    };
    this.#open.set(id, question);
    signal.addEventListener('abort', abort, { once: true });
    // The id comes first: the bridge reads only that.
    this.#options.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    try {
      return await question.promise;
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
  return new PlugError('cancelled', 'The host disconnected before it answered.', { owner: 'you' });
}

function tooMany(questionsMax: number): PlugError {
  const message = `The host has ${questionsMax} questions to answer already.`;
  return new PlugError('unavailable', message, { owner: 'you', remedy: 'Answer those first.' });
}
