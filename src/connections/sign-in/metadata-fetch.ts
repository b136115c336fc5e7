import { BlockList, isIPv6 } from 'node:net';
import { PlugError } from '../../base/errors.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { publicOnly, type AddressGuard } from '../http/address-guard.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { createHttpClient, type HttpClient } from '../http/http-client.ts';
import { placeOf } from '../http/network-error.ts';
import { isRedirect, redirectTarget } from '../http/redirects.ts';
import type { Bounds, Runtime } from '../limits.ts';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

export interface MetadataClientOptions extends Runtime {
  /** Refuses more than what a server may name. */
  readonly guard?: AddressGuard | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * A server must not send us to places that it could not reach itself: one on the internet may name only
 * public addresses, one on this machine also this machine's (security cases E1 to E4).
 */
export function metadataClient(options: MetadataClientOptions & { readonly serverUrl: string }): HttpClient {
  const { serverUrl, clock, ids, limits, env } = options;
  const own = isLoopback(new URL(serverUrl).hostname);
  const named: AddressGuard = (ip) => (own && isLoopback(ip) ? undefined : publicOnly(ip));
  const guard: AddressGuard = (ip) => options.guard?.(ip) ?? named(ip);
  const small = { ...limits, httpAnswerBytesMax: limits.metadataBytesMax, rateLimitRetriesMax: 1 };
  const client = createHttpClient({ clock, ids, env, guard, limits: small });
  return { ...client, fetch: within(client.fetch, { clock, limits }) };
}

/** One time limit for the whole exchange, retries included. */
function within(fetch: Fetch, { clock, limits }: Bounds): Fetch {
  return async (input, init = {}, hooks) => {
    const url = new URL(input);
    const place = placeOf(url);
    const late = new AbortController();
    const cancel = clock.after(limits.metadataTimeoutMs, () =>
      late.abort(new PlugError('unreachable', `${place} took too long to answer.`, { owner: 'network' })),
    );
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
    try {
      const answer = await fetch(input, { ...init, signal }, hooks);
      if (isRedirect(answer.status) && init.method === 'POST') throw redirected(answer, url);
      // It is stored as JSON, which does not take any depth.
      const bounds = { depthMax: limits.apiJsonDepthMax, itemsMax: Infinity };
      if (findShapeProblem(await answer.clone().text(), bounds) === undefined) return answer;
      const message = `${place} answered with JSON that is nested too deeply.`;
      throw new PlugError('protocol_error', message, { owner: 'server' });
    } finally {
      cancel();
    }
  };
}

/** A POST holds a code, a token or a secret: it follows no redirect. Metadata that redirects counts as absent. */
function redirected(answer: Response, url: URL): PlugError {
  const target = redirectTarget(url, answer.headers.get('location'));
  const to = target ? placeOf(target) : 'no address';
  return new PlugError('protocol_error', `${placeOf(url)} redirects to ${to}, and nothing was sent there.`, {
    owner: 'server',
    remedy: 'Tell those who run the server that its sign-in redirects.',
    details: { host: placeOf(url), redirected: answer.status },
  });
}

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
