import { BlockList, isIPv6 } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import type { Limits } from '../../base/limits.ts';
import { publicOnly, type AddressGuard } from '../http/address-guard.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import { placeOf } from '../http/network-error.ts';
import { isRedirect, redirectTarget } from '../http/redirects.ts';

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
function within(fetch: Fetch, clock: Clock, { metadataTimeoutMs, apiJsonDepthMax }: Limits): Fetch {
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
      const answer = await fetch(input, { ...init, signal }, hooks);
      if (isRedirect(answer.status) && init.method === 'POST') throw redirected(answer, new URL(input));
      // What is kept of it is written as JSON, which takes no such depth.
      const bounds = { depthMax: apiJsonDepthMax, itemsMax: Infinity };
      if (findShapeProblem(await answer.clone().text(), bounds) === undefined) return answer;
      const place = placeOf(new URL(input));
      throw new PlugError('protocol_error', `${place} answered with JSON that is nested too deeply.`, {
        owner: 'server',
      });
    } finally {
      cancel();
    }
  };
}

/**
 * What is posted holds a code, a token or a secret of ours: nothing of it goes on. A description
 * that redirects is one that is not there, and is looked for at the next of its places.
 */
function redirected(answer: Response, url: URL): PlugError {
  const target = redirectTarget(url, answer.headers.get('location'));
  const to = target ? placeOf(target) : 'no address';
  return new PlugError('protocol_error', `${placeOf(url)} redirects to ${to}, and nothing was sent there.`, {
    owner: 'server',
    remedy: 'Tell those who run the server that its sign-in redirects.',
    details: { host: placeOf(url), redirected: answer.status },
  });
}

/** Whether a request of a sign-in failed because its answer named another place. */
export function isRedirected(error: unknown): boolean {
  return error instanceof PlugError && error.details?.['redirected'] !== undefined;
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
