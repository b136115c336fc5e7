import {
  type JSONRPCMessage,
  type RequestId,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { PlugError } from '../../base/errors.ts';
import type { Fetch, FetchHooks } from './capped-fetch.ts';
import { relay } from '../frame-depth.ts';
import { placeOf } from './network-error.ts';
import { plainNumber } from '../../base/exact-number.ts';
import { MarkedNumbers } from './marked-numbers.ts';

const lost = new WeakMap<object, PlugError>();

/** The failure behind an answer that we made up. It is known by identity, so no server can imitate one. */
export function lostCall(message: object): PlugError | undefined {
  return lost.get(message);
}

/** The SDK's transport, but a request whose stream breaks off fails at once instead of waiting for its timeout. */
export class StreamableTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: StreamableHTTPClientTransport;
  readonly #url: URL;
  readonly #waiting = new Set<RequestId>();
  #broken: PlugError | undefined;
  #closed = false;

  constructor(url: URL, fetch: Fetch, given: StreamableOptions) {
    const { depthMax, ...options } = given;
    this.#url = url;
    const onStreamEnd = (error?: PlugError): void => {
      this.#broken = error;
    };
    const numbers = new MarkedNumbers();
    const hooks: FetchHooks = { onStreamEnd, redirects: 'same-server', numbers };
    this.#inner = new StreamableHTTPClientTransport(url, {
      ...options,
      fetch: (input, init) => fetch(input, init, hooks),
    });
    const onFrame = (message: JSONRPCMessage): void => {
      if (isAnswer(message)) this.#waiting.delete(plainNumber(message.id) as RequestId); // as we sent it
    };
    relay(this.#inner, this, { depthMax, numbers, onFrame, onclose: () => this.#end() });
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!('method' in message && 'id' in message)) return this.#inner.send(message, loose(options));
    const { id } = message;
    this.#waiting.add(id);
    const onRequestStreamEnd = (): void => {
      options?.onRequestStreamEnd?.();
      this.#answerLost(id);
    };
    try {
      await this.#inner.send(message, loose({ ...options, onRequestStreamEnd }));
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
    options?.requestSignal?.addEventListener('abort', () => this.#waiting.delete(id), { once: true });
  }

  terminateSession(): Promise<void> {
    return this.#inner.terminateSession();
  }

  close(): Promise<void> {
    return this.#closed ? Promise.resolve() : this.#inner.close();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#waiting.clear();
    this.onclose?.();
  }

  #answerLost(id: RequestId): void {
    if (!this.#waiting.delete(id)) return;
    const message = `${placeOf(this.#url)} ended its answer before the result had come.`;
    const failure = this.#broken ?? new PlugError('protocol_error', message, { owner: 'server' });
    this.#broken = undefined;
    const error = { code: -32_000, message: failure.message };
    const answer: JSONRPCMessage = { jsonrpc: '2.0', id, error };
    lost.set(answer, failure);
    this.onmessage?.(answer);
  }
}

export interface StreamableOptions extends Omit<StreamableHTTPClientTransportOptions, 'fetch'> {
  /** How deep a message may be nested. */
  readonly depthMax: number;
}

type InnerOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The SDK's types do not tell an absent field from an undefined one. */
function loose(options: TransportSendOptions | undefined): InnerOptions {
  return options as InnerOptions;
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: RequestId } {
  return 'id' in message && message.id !== undefined && !('method' in message);
}
