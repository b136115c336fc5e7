import { PlugError } from '../../base/errors.ts';
import { placeOf } from './network-error.ts';

export interface Redirecting {
  readonly url: URL;
  readonly method: string;
  readonly status: number;
  /** Its Location header. */
  readonly location: string | undefined;
}

/**
 * Why a redirect is not followed; undefined for one that stays with the server and keeps the message.
 * Any other would send the key, the session and the message to a place that the answer names.
 */
export function refusedRedirect({ url, method, status, location }: Redirecting): PlugError | undefined {
  if (!isRedirect(status)) return undefined;
  const target = redirectTarget(url, location);
  if (target && isSameServer(url, target)) {
    if (method === 'GET' || KEEPS_METHOD.has(status)) return undefined;
    return refusal(`redirects in a way that loses what is sent to it (HTTP ${status})`, url, status);
  }
  if (!target) return refusal(`redirects to no address (HTTP ${status})`, url, status);
  return refusal(`redirects to ${placeOf(target)}, and nothing was sent there`, url, status);
}

export function redirectTarget(url: URL, location: string | null | undefined): URL | undefined {
  if (location === undefined || location === null) return undefined;
  return URL.canParse(location, url.href) ? new URL(location, url) : undefined;
}

/** 304 says that nothing has changed, RFC 9110 §15.4.5. */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

/** After any other, a message becomes a GET without its body. */
const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

function refusal(what: string, url: URL, status: number): PlugError {
  return new PlugError('protocol_error', `${placeOf(url)} ${what}.`, {
    owner: 'server',
    remedy: 'If it has moved, give its new address.',
    details: { host: placeOf(url), httpStatus: status },
  });
}

/** The origin itself, or the https form of a plain http one when both use their default ports. */
export function isSameServer(server: URL, target: URL): boolean {
  if (server.origin === target.origin) return true;
  const upgraded = server.protocol === 'http:' && target.protocol === 'https:';
  return upgraded && server.hostname === target.hostname && server.port === '' && target.port === '';
}
