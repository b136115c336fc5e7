import type { JsonObject } from '../../base/json.ts';
import { ignore, messageOf, toPlugError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { toRpcError } from '../errors.ts';
import type { Exchange } from '../gateway.ts';
import { answerText, errorText, notificationText, RpcError, rpcCodes } from '../rpc.ts';
import type { Answer, RpcId } from '../rpc.ts';
import type { ReplyChannel } from './reply.ts';

interface RunOptions {
  readonly logger: Logger;
  readonly statusOf?: (error: RpcError) => number;
  readonly onEnd: () => void;
}

export class HostExchange implements Exchange {
  readonly id: RpcId;
  readonly principal: string | undefined;
  readonly #way: ReplyChannel;
  #abort: AbortController | undefined;
  #reason: Error | undefined;
  isOver = false;

  constructor(id: RpcId, way: ReplyChannel, principal?: string) {
    this.id = id;
    this.principal = principal;
    this.#way = way;
  }

  /** Created on first use. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#reason) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  get takesEvents(): boolean {
    return !this.isOver && this.#way.takesEvents;
  }

  notify(method: string, params: JsonObject): void {
    if (!this.isOver) this.#way.send(notificationText(method, params));
  }

  abort(reason: Error): void {
    if (!this.isOver) this.#stop(reason);
  }

  send(text: string): boolean {
    return !this.isOver && this.#way.send(text);
  }

  run(work: () => Promise<Answer>, options: RunOptions): void {
    const running = begun(work).then(
      (answer) => this.#succeed(answer, options),
      (error: unknown) => this.#fail(error, options),
    );
    ignore(running, 'it deals with every failure by itself');
  }

  #succeed(answer: Answer, options: RunOptions): void {
    try {
      if (!this.isOver) this.#end(answerText(this.id, answer), 200);
    } catch (error) {
      return this.#fail(error, options);
    }
    options.onEnd();
  }

  #fail(error: unknown, { logger, statusOf, onEnd }: RunOptions): void {
    try {
      if (this.isOver) return;
      const told = toRpcError(error);
      if (isBug(error)) logger.error('a request of a host failed', { error: messageOf(error) });
      this.#end(errorText(this.id, told), statusOf?.(told) ?? 200);
    } finally {
      onEnd();
    }
  }

  /** The host wants no answer; JSON-only replies still need one. */
  cancel(): void {
    if (this.isOver) return;
    const told = new RpcError(rpcCodes.internalError, 'The request was cancelled.');
    this.#end(this.#way.takesEvents ? undefined : errorText(this.id, told), 200);
    this.#stop(new Error('the host has cancelled the request'));
  }

  refuse(told: RpcError): void {
    if (this.isOver) return;
    this.#end(errorText(this.id, told), 200);
    this.#stop(told);
  }

  drop(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#stop(new Error('the host has gone'));
  }

  #end(text: string | undefined, status: number): void {
    this.isOver = true;
    this.#way.answer(text, status);
  }

  #stop(reason: Error): void {
    this.#reason ??= reason;
    this.#abort?.abort(reason);
  }
}

/** A synchronous failure is a failure like any other. */
function begun(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return work();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : toPlugError(error));
  }
}

function isBug(error: unknown): boolean {
  return !(error instanceof RpcError) && toPlugError(error).code === 'internal';
}
