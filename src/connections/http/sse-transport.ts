import {
  type JSONRPCMessage,
  SSEClientTransport,
  type SSEClientTransportOptions,
  type Transport,
  type ReconnectionScheduler,
  type StreamableHTTPReconnectionOptions,
} from '@modelcontextprotocol/client';
import { ignore, type PlugError, toPlugError } from '../../base/errors.ts';
import { relay } from '../frame-depth.ts';
import type { Fetch } from './capped-fetch.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { Runtime } from '../limits.ts';
import type { Limits } from '../../base/limits.ts';

export interface SseOptions extends Omit<SSEClientTransportOptions, 'fetch' | 'eventSourceInit'> {
  /** How deep a message may be nested. */
  readonly depthMax: number;
}

/** A session of HTTP+SSE ends with its stream, so this closes; the SDK would reconnect for ever. */
export class SseTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: SSEClientTransport;
  readonly #gone = Promise.withResolvers<never>();
  #failure: PlugError | undefined;
  #closed = false;

  constructor(url: URL, fetch: Fetch, given: SseOptions) {
    const { depthMax, ...options } = given;
    ignore(this.#gone.promise, 'it matters only during the start');
    this.#inner = new SSEClientTransport(url, {
      ...options,
      fetch: (input, init) => fetch(input, init, { redirects: 'same-server' }),
      eventSourceInit: { fetch: (input, init) => this.#openStream(fetch, input, init) },
    });
    relay(this.#inner, this, { depthMax, onclose: () => this.#end() });
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  async start(): Promise<void> {
    try {
      await Promise.race([this.#inner.start(), this.#gone.promise]);
    } catch (error) {
      await this.close();
      // The event source passes on only the text of this failure.
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
      return await fetch(input, init, {
        onStreamEnd: (error) => this.#streamEnded(error),
        redirects: 'same-server',
      });
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

/** For the SDK's counting; the scheduler below decides when the next attempt comes. */
export function reconnectionOptions(limits: Limits): StreamableHTTPReconnectionOptions {
  return {
    initialReconnectionDelay: limits.streamRetryMinMs,
    maxReconnectionDelay: limits.streamRetryMaxMs,
    reconnectionDelayGrowFactor: 2,
    maxRetries: limits.streamRetriesMax,
  };
}

/** Bounds the server's `retry:`. The wait grows for a server that closes each stream at once. */
export function clampedScheduler({ clock, ids, limits }: Runtime): ReconnectionScheduler {
  const { streamRetryMinMs: minMs, streamRetryMaxMs: maxMs } = limits;
  let lastAt = Number.NEGATIVE_INFINITY;
  let quick = 0;
  return (reconnect, askedMs) => {
    const now = clock.monotonic();
    quick = now - lastAt < limits.stableMs + maxMs ? quick + 1 : 0;
    const patienceMs = quick === 0 ? 0 : backoffMs({ attempt: quick, baseMs: minMs, maxMs, ids });
    const jitterMs = ids.random() * (minMs / 4);
    const waitMs = Math.min(maxMs, Math.max(minMs, askedMs, patienceMs) + jitterMs);
    lastAt = now + waitMs;
    return clock.after(waitMs, reconnect);
  };
}
