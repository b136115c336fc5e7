import { BlockList, isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import { publicOnly, type AddressGuard } from '../http/address-guard.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import { placeOf } from '../http/network-error.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/**
 * A client for the addresses that a server names while we sign in. A server must not send us to
 * places that it could not reach itself: one on the internet may name only public addresses, one
 * on this machine also this machine's (security cases E1 to E4).
 */
export function metadataClient(options: {
  readonly serverUrl: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly env: Readonly<Record<string, string | undefined>>;
}): HttpClient {
  const { serverUrl, clock, ids, limits, env } = options;
  const own = isLoopback(new URL(serverUrl).hostname);
  const guard: AddressGuard = (ip) => (own && isLoopback(ip) ? undefined : publicOnly(ip));
  const small = { ...limits, httpAnswerBytesMax: limits.metadataBytesMax, rateLimitRetriesMax: 1 };
  const client = createHttpClient({ clock, ids, env, guard, limits: small });
  return { ...client, fetch: within(client.fetch, clock, limits) };
}

/** However slowly the other side answers, and however often it asks for patience. */
function within(fetch: Fetch, clock: Clock, { metadataTimeoutMs }: Limits): Fetch {
  return async (input, init = {}, hooks) => {
    const late = new AbortController();
    const cancel = clock.after(metadataTimeoutMs, () =>
      late.abort(
        new PlugError('unreachable', `${placeOf(new URL(input))} took too long to answer.`, {
          owner: 'network',
        }),
      ),
    );
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      return await fetch(input, { ...init, signal }, hooks);
    } finally {
      cancel();
    }
  };
}

function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const bare = host.startsWith('[') ? host.slice(1, -1) : host;
  try {
    return loopback.check(bare, isIPv6(bare) ? 'ipv6' : 'ipv4');
  } catch {
    return false; // a name, not an address
  }
}
