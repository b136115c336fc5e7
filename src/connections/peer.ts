import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import { BriefMap } from '../base/brief-map.ts';
import type { Clock } from '../base/clock.ts';
import { ignore, messageOf, PlugError } from '../base/errors.ts';
import { ExactNumber, idKey, plainNumber } from '../base/exact-number.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { Deadlines } from './deadlines.ts';
import { cancelledError, closedError, rpcError, sendError, serverFailure, timeoutError } from './failures.ts';
import { RpcError } from './rpc-error.ts';
import { serverNote } from './server-words.ts';
import type { FrameListener } from './traffic.ts';

export interface ProgressNote {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface PeerOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly server: string;
  readonly endError: () => PlugError;
  readonly onRequest: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  readonly onNotification: (method: string, params: JsonObject) => void;
  /** Requests of the server for which a person may need minutes: our time limits are paused. */
  readonly isQuestion?: (method: string) => boolean;
  readonly onEnd: () => void;
  /** Runs before we close the link ourselves; must not fail, nor take long. */
  readonly farewell?: (() => Promise<void>) | undefined;
  /** The failure behind an error answer that the transport made up itself. */
  readonly lostCall?: ((message: object) => PlugError | undefined) | undefined;
  /** Told of every message as it is sent or comes in. */
  readonly onFrame?: FrameListener | undefined;
}

export interface PeerRequestOptions {
  /** Infinity for a request that stays open, such as subscriptions/listen. */
  readonly timeoutMs: number;
  /** The end, however much progress is reported. */
  readonly totalTimeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

interface Pending {
  readonly method: string;
  readonly timeoutMs: number;
  readonly lastMoment: number;
  readonly onProgress: ((note: ProgressNote) => void) | undefined;
  /** On transports with a stream per request. */
  readonly stream: AbortController | undefined;
  /** Its time limit when it was sent or last reported progress, and when that was. */
  givenMs: number;
  armedAt: number;
  /** When that is over, unless the server waits for an answer meanwhile. */
  dueAt: number;
  readonly resolve: (result: JsonObject) => void;
  readonly reject: (error: PlugError) => void;
  readonly unhookSignal: (() => void) | undefined;
}

const NEITHER = 'neither a result object nor an error';
const BOTH = 'both a result and an error, so neither counts';
const NO_JSON_RPC = 'a message that is not JSON-RPC 2.0';
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

/**
 * One side of a JSON-RPC link. Unlike in the SDK's Client, frames are not validated or reshaped beyond
 * what routing needs (decisions/2026-11-15-own-peer.md).
 * Invariant: every request ends exactly once, with an answer, an error, a timeout, a
 * cancellation or the end of the link; later answers are dropped and counted.
 */
export class Peer {
  readonly #options: PeerOptions;
  readonly #transport: Transport;
  readonly #pending = new BriefMap<number, Pending>();
  readonly #answering = new Map<string | number, AbortController>();
  readonly #deadlines: Deadlines<number>;
  /** Open questions of the server, and since when there are any. */
  readonly #questions = new Set<string | number>();
  #pausedAt = 0;
  #nextId = 1;
  #ended: PlugError | undefined;
  #modernCancel = false;
  /** Answers that match no open request. */
  dropped = 0;
  lastHeard: number;

  constructor(options: PeerOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.lastHeard = options.clock.monotonic();
    this.#deadlines = new Deadlines({ clock: options.clock, onDue: (id) => this.#timeOut(id) });
    this.#transport.onmessage = (message: JSONRPCMessage): void => this.#receive(message);
    this.#transport.onclose = (): void => this.#end();
    // A transport's error concerns one message at most; requests learn of it from send() or onclose.
    this.#transport.onerror = (): void => undefined;
  }

  get ended(): boolean {
    return this.#ended !== undefined;
  }

  get pending(): number {
    return this.#pending.size;
  }

  /** From now on, closing a request's stream is its cancellation (spec 2026-07-28, Streamable HTTP). */
  cancelByStream(): void {
    this.#modernCancel = true;
  }

  request(method: string, params: JsonObject, options: PeerRequestOptions): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const { signal, timeoutMs } = options;
      if (signal?.aborted) return reject(cancelledError(this.#options.server, method));
      const id = this.#nextId++;
      const now = this.#options.clock.monotonic();
      const pending: Pending = {
        method,
        timeoutMs,
        lastMoment: now + (options.totalTimeoutMs ?? Infinity),
        onProgress: options.onProgress,
        stream: this.#transport.hasPerRequestStream ? new AbortController() : undefined,
        givenMs: 0,
        armedAt: now,
        dueAt: Infinity,
        resolve,
        reject,
        unhookSignal: signal && this.#cancelOn(signal, id, method),
      };
      this.#pending.set(id, pending);
      this.#arm(id, pending, now);
      this.#send(id, pending, options.onProgress ? withToken(params, id) : params, options.headers);
    });
  }

  notify(method: string, params?: JsonObject): Promise<void> {
    if (this.#ended) return Promise.resolve();
    // JSON in, JSON out: the SDK's message type is narrower than what the wire allows.
    const message = { jsonrpc: '2.0', method, ...(params ? { params } : {}) } as JSONRPCMessage;
    return this.#write(message);
  }

  /** Open requests fail at once: a server may take seconds to end. */
  async close(): Promise<void> {
    if (!this.#ended) {
      this.#end(closedError(this.#options.server));
      await this.#options.farewell?.();
    }
    await this.#transport.close();
  }

  #send(id: number, pending: Pending, params: JsonObject, headers: PeerRequestOptions['headers']): void {
    const message = { jsonrpc: '2.0', id, method: pending.method, params } as unknown as JSONRPCMessage;
    const fail = (error: unknown): void => {
      if (this.#pending.get(id) !== pending) return;
      this.#fail(id, pending, sendError(error, { server: this.#options.server, method: pending.method }));
    };
    const options = pending.stream && {
      requestSignal: pending.stream.signal,
      ...(headers ? { headers: { ...headers } } : {}),
      onRequestStreamEnd: () => fail(new Error('The answer stream ended before the answer.')),
    };
    try {
      this.#write(message, options).then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  }

  #write(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#options.onFrame?.('hub', message);
    return this.#transport.send(message, options);
  }

  #cancelOn(signal: AbortSignal, id: number, method: string): () => void {
    const onAbort = (): void => this.#cancel(id, cancelledError(this.#options.server, method));
    signal.addEventListener('abort', onAbort, { once: true });
    return () => signal.removeEventListener('abort', onAbort);
  }

  /** Starts or restarts the request's time limit. Progress calls it again. */
  #arm(id: number, pending: Pending, now: number): void {
    pending.givenMs = Math.min(pending.timeoutMs, pending.lastMoment - now);
    pending.armedAt = now;
    pending.dueAt = now + pending.timeoutMs;
    this.#setDeadline(id, pending, now);
  }

  /** While a question is open only the total limit counts. */
  #setDeadline(id: number, pending: Pending, now: number): void {
    const moment =
      this.#questions.size > 0 ? pending.lastMoment : Math.min(pending.dueAt, pending.lastMoment);
    if (moment === Infinity) this.#deadlines.delete(id);
    else this.#deadlines.set(id, Math.max(0, moment - now), now);
  }

  /** A server that waits for an answer does not use up its own time. */
  #pause(question: string | number): void {
    this.#questions.add(question);
    if (this.#questions.size > 1) return;
    const now = this.#options.clock.monotonic();
    this.#pausedAt = now;
    for (const [id, pending] of this.#pending.entries()) this.#setDeadline(id, pending, now);
  }

  /** The time left stays the same, so that a server cannot gain any by asking again and again. */
  #resume(question: string | number): void {
    if (!this.#questions.delete(question) || this.#questions.size > 0) return;
    const now = this.#options.clock.monotonic();
    for (const [id, pending] of this.#pending.entries()) {
      pending.dueAt += now - Math.max(this.#pausedAt, pending.armedAt);
      this.#setDeadline(id, pending, now);
    }
  }

  #timeOut(id: number): void {
    const pending = this.#pending.get(id);
    if (pending) this.#cancel(id, timeoutError(this.#options.server, pending.method, pending.givenMs));
  }

  #fail(id: number, pending: Pending, error: PlugError): void {
    this.#forget(id, pending);
    pending.reject(error);
  }

  #forget(id: number, pending: Pending): void {
    this.#pending.delete(id);
    this.#deadlines.delete(id);
    pending.unhookSignal?.();
  }

  #cancel(id: number, error: PlugError): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#fail(id, pending, error);
    // The initialize request must not be cancelled by the client (spec 2025-11-25, cancellation).
    if (pending.method !== 'initialize' && !(pending.stream && this.#modernCancel)) {
      const told = this.notify('notifications/cancelled', { requestId: id, reason: error.message });
      ignore(told, 'a cancellation is a courtesy: the request has already ended here');
    }
    pending.stream?.abort();
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#ended) return;
    this.lastHeard = this.#options.clock.monotonic();
    this.#options.onFrame?.('server', message);
    // As plain JSON: the SDK's union hides fields that we pass on.
    const frame = message as unknown as JsonObject;
    if (typeof frame['method'] === 'string') {
      const params = isObject(frame['params']) ? frame['params'] : {};
      if (frame['id'] === undefined) this.#hear(frame['method'], params);
      else this.#answer(frame['id'], frame['method'], params);
      return;
    }
    const { result, error } = frame;
    const id = plainNumber(frame['id']);
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (typeof id !== 'number' || !pending) this.dropped += 1;
    else if (frame['jsonrpc'] !== '2.0') this.#fail(id, pending, this.#wrongAnswer(NO_JSON_RPC));
    // Some servers send null for absent.
    else if ((error ?? undefined) !== undefined && (result ?? undefined) !== undefined) {
      this.#fail(id, pending, this.#wrongAnswer(BOTH));
    } else if (isObject(error)) {
      this.#fail(id, pending, this.#options.lostCall?.(message) ?? rpcError(this.#options.server, error));
    } else if (isObject(result)) {
      this.#forget(id, pending);
      pending.resolve(result);
    } else this.#fail(id, pending, this.#wrongAnswer(NEITHER));
  }

  #wrongAnswer(what: string): PlugError {
    const { server } = this.#options;
    const remedy = { do: 'show-logs', server } as const;
    return serverFailure('protocol_error', server, `${server} answered with ${what}.`, { remedy });
  }

  #hear(method: string, params: JsonObject): void {
    if (method === 'notifications/progress') {
      const token = plainNumber(params['progressToken']);
      const pending = typeof token === 'number' ? this.#pending.get(token) : undefined;
      if (!pending) return;
      // The spec makes `progress` a required number; a server that omits it still shows life.
      pending.onProgress?.(this.#noteIn(params) as unknown as ProgressNote);
      const id = token as number; // `pending` was found under it
      if (this.#pending.has(id)) this.#arm(id, pending, this.lastHeard);
      return;
    }
    if (method === 'notifications/cancelled') {
      const id = params['requestId'];
      if (isId(id)) {
        this.#answering.get(idKey(id))?.abort();
        this.#resume(idKey(id));
      }
    }
    this.#options.onNotification(method, params);
  }

  /** A note is text, marked with the server's name. */
  #noteIn({ progressToken: _ours, message, ...note }: JsonObject): JsonObject {
    return typeof message === 'string'
      ? { ...note, message: serverNote(this.#options.server, message) }
      : note;
  }

  #answer(id: unknown, method: string, params: JsonObject): void {
    if (!isId(id)) {
      this.dropped += 1;
      return;
    }
    const key = idKey(id);
    const abort = new AbortController();
    this.#answering.set(key, abort);
    if (this.#options.isQuestion?.(method)) this.#pause(key);
    const reply = (body: JsonObject): Promise<void> => {
      this.#answering.delete(key);
      this.#resume(key);
      if (this.#ended || abort.signal.aborted) return Promise.resolve();
      return this.#write({ jsonrpc: '2.0', id, ...body } as unknown as JSONRPCMessage);
    };
    const answered = this.#options.onRequest(method, params, abort.signal).then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: refusalOf(error) }),
    );
    ignore(answered, 'if the answer cannot be sent, the link is ending and says so itself');
  }

  #end(why?: PlugError): void {
    if (this.#ended) return;
    this.#ended = why ?? this.#options.endError();
    for (const [id, pending] of this.#pending.entries()) this.#fail(id, pending, this.#ended);
    this.#deadlines.clear();
    this.#questions.clear();
    for (const abort of this.#answering.values()) abort.abort();
    this.#answering.clear();
    this.#options.onEnd();
  }
}

function withToken(params: JsonObject, progressToken: number): JsonObject {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return { ...params, _meta: { ...meta, progressToken } };
}

/** The host's own error, if it answered with one: servers tell a missing method from a failure by its code. */
function refusalOf(error: unknown): JsonObject {
  if (!(error instanceof PlugError)) return { code: INTERNAL_ERROR, message: messageOf(error) };
  if (error.cause instanceof RpcError) return error.cause.json;
  const code = error.code === 'unsupported' ? METHOD_NOT_FOUND : INTERNAL_ERROR;
  return { code, message: error.message };
}

function isId(id: unknown): id is string | number | ExactNumber {
  return typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber;
}
