import {
  type JSONRPCMessage,
  SSEClientTransport,
  type SSEClientTransportOptions,
  type Transport,
  type ReconnectionScheduler,
  type StreamableHTTPReconnectionOptions,
} from '@modelcontextprotocol/client';
import type { Cancel, Clock } from '../../base/clock.ts';
import { ignore, PlugError, toPlugError } from '../../base/errors.ts';
import { relay } from '../frame-depth.ts';
import { MarkedNumbers } from './marked-numbers.ts';
import type { Fetch } from './capped-fetch.ts';
import { backoffMs } from '../../base/backoff.ts';
import type { Runtime } from '../limits.ts';
import type { Limits } from '../../base/limits.ts';

export interface SseOptions extends Omit<SSEClientTransportOptions, 'fetch' | 'eventSourceInit'> {
  /** How deep a message may be nested. */
  readonly depthMax: number;
  readonly clock: Clock;
  /** How long an open stream may take to name the address for messages. */
  readonly endpointMs: number;
}

/** A session of HTTP+SSE ends with its stream, so this closes; the SDK would reconnect for ever. */
export class SseTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #inner: SSEClientTransport;
  readonly #gone = Promise.withResolvers<never>();
  readonly #numbers = new MarkedNumbers();
  readonly #given: Pick<SseOptions, 'clock' | 'endpointMs'>;
  #failure: PlugError | undefined;
  #cancelWait: Cancel | undefined;
  #closed = false;

  constructor(url: URL, fetch: Fetch, given: SseOptions) {
    const { depthMax, clock, endpointMs, ...options } = given;
    this.#given = { clock, endpointMs };
    ignore(this.#gone.promise, 'it matters only during the start');
    this.#inner = new SSEClientTransport(url, {
      ...options,
      fetch: (input, init) => fetch(input, init, { redirects: 'same-server' }),
      eventSourceInit: { fetch: (input, init) => this.#openStream(fetch, input, init) },
    });
    relay(this.#inner, this, { depthMax, numbers: this.#numbers, onclose: () => this.#end() });
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
    } finally {
      this.#cancelWait?.();
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
      const response = await fetch(input, init, {
        onStreamEnd: (error) => this.#streamEnded(error),
        redirects: 'same-server',
        numbers: this.#numbers,
      });
      // Streamable HTTP servers may open a stream here too, on which nothing ever comes.
      const { clock, endpointMs } = this.#given;
      this.#cancelWait = clock.after(endpointMs, () => this.#gone.reject(noEndpoint(endpointMs)));
      return response;
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
    this.#gone.reject(noEndpoint());
    this.onclose?.();
  }
}

function noEndpoint(waitedMs?: number): PlugError {
  const what = waitedMs === undefined ? 'ended' : `was silent for ${waitedMs / 1000} s`;
  return new PlugError(
    'protocol_error',
    `The event stream ${what} before the server had named its endpoint.`,
    {
      owner: 'server',
      remedy: 'Look at the address: servers of this kind are usually at /sse.',
      details: { endpointNamed: false },
    },
  );
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
