import { findPlaceholders } from './placeholders.ts';

const SCHEMES = ['http:', 'https:', 'ws:', 'wss:'] as const;

/**
 * Says what is wrong, without repeating the URL (it may hold a password). The URL shown must be the one contacted:
 * no characters that parsers drop or change.
 */
export function problemOfUrl(url: string): string | undefined {
  if (HIDDEN.test(url)) return 'it holds spaces, control characters or backslashes';
  if (!URL.canParse(url)) return 'it is not a whole address, such as https://example.com/mcp';
  const parsed = new URL(url);
  if (!isScheme(parsed.protocol)) return 'it must start with http, https, ws or wss';
  if (parsed.username !== '' || parsed.password !== '' || USERINFO.test(url))
    return 'it carries a user name or password; give these as a header instead';
  if (url.includes('#')) return 'the part after # is never sent to a server';
  return undefined;
}

/** Before placeholders are resolved. */
export function problemOfUrlTemplate(url: string): string | undefined {
  if (findPlaceholders(url).length === 0) return problemOfUrl(url);
  if (/^(\$\{|\{env:)/.test(url)) return undefined;
  const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(url)?.[0].toLowerCase();
  if (scheme === undefined || !isScheme(scheme)) return 'it must start with http, https, ws or wss';
  return undefined;
}

export function kindOfUrl(url: string): 'http' | 'ws' {
  return /^wss?:/i.test(url) ? 'ws' : 'http';
}

function isScheme(protocol: string): boolean {
  return SCHEMES.some((scheme) => scheme === protocol);
}

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const HIDDEN = /[\u0000-\u0020\u007f\\]/;
const USERINFO = /:\/\/[^/?#]*@/;
