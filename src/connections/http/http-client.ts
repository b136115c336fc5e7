import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../../base/clock.ts';
import { type Limits, limits as defaultLimits } from '../../base/limits.ts';
import { type AddressGuard, guardedConnector } from './address-guard.ts';
import { createFetch, type Fetch } from './capped-fetch.ts';
import { backoffMs } from '../../base/backoff.ts';
import { ignore, PlugError } from '../../base/errors.ts';
import type { Runtime } from '../limits.ts';
import { placeOf } from './network-error.ts';

export interface HttpClientOptions extends Pick<Runtime, 'clock' | 'ids'> {
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up; absent means no proxy. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly guard?: AddressGuard | undefined;
  /** Trusted instead of the system's certificates. */
  readonly ca?: string;
  readonly limits?: Partial<Limits>;
  readonly onRateLimited?: (event: RateLimited) => void;
}

/** All sockets of one connection: closing it ends every exchange on them. */
export interface HttpClient extends AsyncDisposable {
  readonly fetch: Fetch;
  /** For the WebSocket, which dials by itself. */
  readonly dispatcher: Dispatcher;
  readonly limits: Limits;
  close(): Promise<void>;
}

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const limits = { ...defaultLimits, ...options.limits };
  const { clock, ids, guard, onRateLimited } = options;
  const sockets = new Set<Socket>();
  const dispatcher = createDispatcher(options, limits, sockets);
  const close = async (): Promise<void> => {
    await dispatcher.destroy();
    // An upgraded socket is no longer the dispatcher's, and its peer may never say goodbye.
    for (const socket of sockets) socket.destroy();
  };
  const bounded = createFetch({ dispatcher, clock, limits, guard });
  const fetch = withRateLimit(bounded, { clock, ids, limits, onRateLimited });
  return { fetch, dispatcher, limits, close, [Symbol.asyncDispose]: close };
}

function createDispatcher(options: HttpClientOptions, limits: Limits, sockets: Set<Socket>): Dispatcher {
  const tls = options.ca === undefined ? {} : { ca: options.ca };
  const dial = { timeout: limits.httpConnectMs, allowH2: false, ...tls };
  const connector =
    options.guard === undefined ? buildConnector(dial) : guardedConnector(options.guard, dial);
  const common: Agent.Options = {
    // The caps on headers and on WebSocket upgrades are those of HTTP/1.1.
    allowH2: false,
    connections: limits.httpSocketsMax,
    headersTimeout: limits.httpHeadersMs,
    // Bodies have bounds of their own, because event streams may rest for long.
    bodyTimeout: 0,
    maxHeaderSize: limits.httpHeaderBytesMax,
    connect: remembering(connector, sockets),
    webSocket: { maxPayloadSize: limits.messageBytesMax },
  };
  const env = options.env ?? {};
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY'] ?? '';
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '';
  if (httpProxy === '' && httpsProxy === '') return new Agent(common);
  const noProxy = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  return new EnvHttpProxyAgent({ ...common, httpProxy, httpsProxy, noProxy, requestTls: tls });
}

/** Keeps each open socket in the set until it closes. */
function remembering(connect: buildConnector.connector, sockets: Set<Socket>): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error === null) {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      }
      callback(...result);
    });
}

export interface RateLimited {
  readonly waitMs: number;
  /** Counts from 1: how often this request has been refused. */
  readonly attempt: number;
}

interface RateLimitOptions extends Runtime {
  /** Told before each wait, so that the server's state can say why it is slow. */
  readonly onRateLimited?: ((event: RateLimited) => void) | undefined;
}

/** Waits as long as a busy server asks for, within bounds, and retries a few times. */
function withRateLimit(fetch: Fetch, options: RateLimitOptions): Fetch {
  const { clock, limits } = options;
  return async (input, init, hooks) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(input, init, hooks);
      if (!isBusy(response)) return response;
      const waitMs = waitFor(response, attempt, options);
      if (response.body !== null) ignore(response.body.cancel(), 'a refusal has nothing to say');
      if (attempt > limits.rateLimitRetriesMax) throw givenUp(new URL(input), waitMs, attempt);
      options.onRateLimited?.({ waitMs, attempt });
      await clock.sleep(waitMs, init?.signal ?? undefined);
    }
  };
}

/** 503 says “later” only together with a time; alone it is a failure like any other. */
function isBusy(response: Response): boolean {
  return response.status === 429 || (response.status === 503 && response.headers.has('retry-after'));
}

function waitFor(response: Response, attempt: number, { limits, clock, ids }: Runtime): number {
  const { rateLimitBackoffBaseMs: baseMs, rateLimitBackoffMaxMs: maxMs } = limits;
  const asked = retryAfterMs(response.headers.get('retry-after'), clock);
  if (asked !== undefined) return Math.min(maxMs, Math.max(baseMs, asked));
  // The first wait is drawn from [1 s, 2 s]: never less than the base.
  return Math.max(baseMs, backoffMs({ attempt, baseMs, maxMs, ids }));
}

/** Seconds or an HTTP date, RFC 9110 §10.2.3; anything else counts as absent. */
export function retryAfterMs(value: string | null, clock: Clock): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  // Date.parse would also take “1.5” or “-3” for a date.
  const at = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

function givenUp(url: URL, waitMs: number, attempts: number): PlugError {
  const seconds = Math.ceil(waitMs / 1_000);
  return new PlugError('rate_limited', `${placeOf(url)} refused ${attempts} times: too many requests.`, {
    owner: 'server',
    remedy: { do: 'wait', seconds },
    details: { retryAfterMs: waitMs, attempts },
  });
}
