import type { AuthProvider, OAuthClientProvider, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { HttpClient } from './http-client.ts';
import { checkHeaders, withOwnHeaders } from './own-headers.ts';
import { SseTransport, clampedScheduler, reconnectionOptions } from './sse-transport.ts';
import { StreamableTransport } from './streamable-transport.ts';
import { checkServerUrl } from './url.ts';
import { WebSocketTransport } from './websocket-transport.ts';

export interface OpenHttpOptions {
  readonly kind: 'streamable-http' | 'sse' | 'ws';
  readonly url: string;
  /** The user's own headers, placeholders resolved; they go to this server only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly authProvider?: AuthProvider | OAuthClientProvider;
}

/** A transport to a remote server, not yet started. The client's sockets stay the caller's to close. */
export function openHttpTransport(options: OpenHttpOptions): Transport {
  const { client, headers, clock, ids } = options;
  const { url } = checkServerUrl(options.url);
  checkHeaders(headers);
  const auth = options.authProvider === undefined ? {} : { authProvider: options.authProvider };
  switch (options.kind) {
    case 'streamable-http':
      return new StreamableTransport(url, withOwnHeaders(client.fetch, url, headers), {
        ...auth,
        depthMax: client.limits.messageDepthMax,
        redirectPolicy: 'same-origin',
        reconnectionOptions: reconnectionOptions(client.limits),
        reconnectionScheduler: clampedScheduler({ clock, ids, limits: client.limits }),
      });
    case 'sse':
      return new SseTransport(url, withOwnHeaders(client.fetch, url, headers), {
        ...auth,
        depthMax: client.limits.messageDepthMax,
        redirectPolicy: 'same-origin',
      });
    case 'ws':
      return new WebSocketTransport({
        url,
        headers,
        dispatcher: client.dispatcher,
        clock,
        limits: client.limits,
      });
    default:
      return options.kind satisfies never;
  }
}
