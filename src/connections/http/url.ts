import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

export interface ServerUrl {
  readonly url: URL;
  /** Equal for addresses that reach the same endpoint; tokens are stored under it. */
  readonly key: string;
}

const SCHEMES = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** Refuses what a URL parser would silently repair: every parser must end up at the same host and path. */
export function checkServerUrl(text: string): ServerUrl {
  const trimmed = text.trim();
  const problem = problemOf(trimmed);
  if (problem !== undefined) throw refused(problem);
  const url = new URL(trimmed);
  return { url, key: urlKey(url) };
}

function problemOf(text: string): string | undefined {
  if (text.length > limits.urlCharsMax) return 'is too long';
  if (/[\s\p{Cc}]/u.test(text)) return 'contains a space or a control character';
  if (text.includes('\\')) return 'contains a backslash';
  if (!URL.canParse(text)) return 'cannot be read as an address';
  const url = new URL(text);
  if (!SCHEMES.has(url.protocol)) return 'does not start with http://, https://, ws:// or wss://';
  // Parsers accept “https:host” and “https:///host”, and people misread both.
  if (!/^[a-z]+:\/\/[^/]/i.test(text)) return 'has no host after the “//”';
  if (/^[a-z]+:\/\/[^/?#]*@/i.test(text)) return 'holds a user name or a password; use a header instead';
  if (text.includes('#')) return 'has a fragment (#…), which never reaches a server';
  const path = /^[a-z]+:\/\/[^/?]*([^?]*)/i.exec(text)?.[1] ?? '';
  if (path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) return 'has “.” or “..” in its path';
  if (/%(?![0-9a-f]{2})/i.test(path) || /%(00|0a|0d|5c)/i.test(path))
    return 'has a broken escape in its path';
  return undefined;
}

/** Lower-case host without its root dot, no default port, escapes in one spelling (RFC 3986 §6.2.2). */
function urlKey(url: URL): string {
  const host = url.hostname.replace(/\.$/, '');
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${host}${port}${oneSpelling(url.pathname)}${oneSpelling(url.search)}`;
}

function oneSpelling(part: string): string {
  return part.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const char = String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    return /[a-z0-9._~-]/i.test(char) ? char : escape.toUpperCase();
  });
}

/** The address itself is not repeated: it may hold a key in its query. */
function refused(problem: string): PlugError {
  return new PlugError('bad_config', `The server's address ${problem}.`, {
    owner: 'you',
    remedy: 'Write it as https://host/path.',
  });
}
