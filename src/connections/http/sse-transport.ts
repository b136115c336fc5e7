import {
  type JSONRPCMessage,
  SSEClientTransport,
  type SSEClientTransportOptions,
  type Transport,
} from '@modelcontextprotocol/client';
import { ignore, type PlugError, toPlugError } from '../../base/errors.ts';
import type { Fetch } from './capped-fetch.ts';

/**
 * The SDK's transport for servers of the older HTTP+SSE kind. There a session lives exactly as
 * long as its stream: a new stream is a new session that nobody has initialized. So the transport
 * closes when the stream ends, where the SDK would reconnect for ever and leave calls to wait.
 */
export class SseTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: SSEClientTransport;
  readonly #gone = Promise.withResolvers<never>();
  #failure: PlugError | undefined;
  #closed = false;

  constructor(url: URL, fetch: Fetch, options: Omit<SSEClientTransportOptions, 'fetch' | 'eventSourceInit'>) {
    ignore(this.#gone.promise, 'most of the time nobody waits for the start any more');
    this.#inner = new SSEClientTransport(url, {
      ...options,
      fetch: (input, init) => fetch(input, init),
      eventSourceInit: { fetch: (input, init) => this.#openStream(fetch, input, init) },
    });
    Object.assign(this.#inner, {
      onmessage: (message, extra) => this.onmessage?.(message, extra),
      onerror: (error) => this.onerror?.(error),
      onclose: () => this.#end(),
    } satisfies Pick<Transport, 'onmessage' | 'onerror' | 'onclose'>);
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    try {
      await Promise.race([this.#inner.start(), this.#gone.promise]);
    } catch (error) {
      await this.close();
      // The event source tells only the text of what went wrong; this is the thing itself.
      throw this.#failure ?? error;
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#inner.send(message);
  }

  async close(): Promise<void> {
    if (!this.#closed) await this.#inner.close();
  }

  async #openStream(fetch: Fetch, input: string | URL, init: RequestInit | undefined): Promise<Response> {
    try {
      return await fetch(input, init, { onStreamEnd: (error) => this.#streamEnded(error) });
    } catch (error) {
      if (!this.#closed) this.#failure = toPlugError(error);
      throw error;
    }
  }

  #streamEnded(error: PlugError | undefined): void {
    if (this.#closed) return;
    this.#failure = error;
    if (error !== undefined) this.onerror?.(error);
    void this.close();
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#gone.reject(new Error('The event stream ended before the server had named its endpoint.'));
    this.onclose?.();
  }
}
