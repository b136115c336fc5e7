import { PlugError } from '../../base/errors.ts';
import type { Fetch } from './capped-fetch.ts';

/**
 * Sends the user's own headers to the server and to nobody else. Given to the SDK they would also
 * go to whatever authorization server the MCP server names, and they often hold a key.
 */
export function withOwnHeaders(fetch: Fetch, url: URL, headers: Readonly<Record<string, string>>): Fetch {
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

/** Says which header is unusable without repeating its value, as the platform's own error would. */
export function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) continue;
    throw new PlugError('bad_config', `The header “${name.slice(0, 80)}” cannot be sent.`, {
      owner: 'you',
      remedy: 'Remove line breaks and special characters from its name and value.',
    });
  }
}

/** The origin itself, or the https form of a plain http one when both use their default ports. */
export function isSameServer(server: URL, target: URL): boolean {
  if (server.origin === target.origin) return true;
  const upgraded = server.protocol === 'http:' && target.protocol === 'https:';
  return upgraded && server.hostname === target.hostname && server.port === '' && target.port === '';
}
