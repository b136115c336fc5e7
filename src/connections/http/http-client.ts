import type { Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { limits as defaultLimits, type Limits } from '../../base/limits.ts';
import { type AddressGuard, guardedConnector } from './address-guard.ts';
import { createFetch, type Fetch } from './capped-fetch.ts';
import { type RateLimited, withRateLimit } from './rate-limit.ts';

export interface HttpClientOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are looked up; absent means no proxy. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Asked before an address is dialled. */
  readonly guard?: AddressGuard;
  /** Certificates that are trusted instead of the system's. */
  readonly ca?: string;
  /** Single bounds of this connection, such as a longer wait for a slow tool's headers. */
  readonly limits?: Partial<Limits>;
  readonly onRateLimited?: (event: RateLimited) => void;
}

/** All sockets of one connection: closing it ends whatever still runs on them. */
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
  return {
    fetch: withRateLimit(createFetch({ dispatcher, clock, limits, guard }), {
      clock,
      ids,
      limits,
      onRateLimited,
    }),
    dispatcher,
    limits,
    close,
    [Symbol.asyncDispose]: close,
  };
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

/** Keeps each open socket in the set for as long as it lives. */
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
