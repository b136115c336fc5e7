import type { AuthProvider, OAuthClientProvider, Transport } from '@modelcontextprotocol/client';
import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { Runtime } from '../limits.ts';
import type { Fetch } from './capped-fetch.ts';
import type { HttpClient } from './http-client.ts';
import { isSameServer } from './redirects.ts';
import { SseTransport, clampedScheduler, reconnectionOptions } from './sse-transport.ts';
import { StreamableTransport } from './streamable-transport.ts';
import { checkServerUrl } from './url.ts';
import { WebSocketTransport } from './websocket-transport.ts';

export interface OpenHttpOptions extends Pick<Runtime, 'clock' | 'ids'> {
  readonly kind: 'streamable-http' | 'sse' | 'ws';
  readonly url: string;
  /** The user's own headers, placeholders resolved; they go to this server only. */
  readonly headers: Readonly<Record<string, string>>;
  readonly client: HttpClient;
  readonly authProvider?: AuthProvider | OAuthClientProvider;
}

/** Not yet started. The caller closes the client's sockets. */
export function openHttpTransport(options: OpenHttpOptions): Transport {
  const { client, headers, clock, ids } = options;
  const { dispatcher, limits } = client;
  const { url } = checkServerUrl(options.url);
  checkHeaders(headers);
  if (options.kind === 'ws') return new WebSocketTransport({ url, headers, dispatcher, clock, limits });
  const fetch = withOwnHeaders(client.fetch, url, headers);
  const common = {
    ...defined({ authProvider: options.authProvider }),
    depthMax: limits.messageDepthMax,
    redirectPolicy: 'same-origin',
  } as const;
  if (options.kind === 'sse') {
    return new SseTransport(url, fetch, { ...common, clock, endpointMs: limits.sseEndpointMs });
  }
  return new StreamableTransport(url, fetch, {
    ...common,
    reconnectionOptions: reconnectionOptions(limits),
    reconnectionScheduler: clampedScheduler({ clock, ids, limits }),
  });
}

/**
 * Sends the user's own headers to the server alone. The SDK would also send them, and the key in them,
 * to the authorization server that the MCP server names.
 */
function withOwnHeaders(fetch: Fetch, url: URL, headers: Readonly<Record<string, string>>): Fetch {
  const own = Object.entries(headers);
  if (own.length === 0) return fetch;
  return (input, init = {}, hooks) => {
    const target = input instanceof URL ? input : new URL(input);
    if (!isSameServer(url, target)) return fetch(target, init, hooks);
    const merged = new Headers(init.headers);
    for (const [name, value] of own) if (!merged.has(name)) merged.set(name, value);
    return fetch(target, { ...init, headers: merged }, hooks);
  };
}

/** Does not repeat the value, unlike the platform's own error. */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue;
    throw new PlugError('bad_config', `The header “${name.slice(0, 80)}” cannot be sent.`, {
      owner: 'you',
      remedy: 'Remove line breaks and special characters from its name and value.',
    });
  }
}
