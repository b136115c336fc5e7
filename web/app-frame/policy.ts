/** What an app's resource declares under `_meta.ui.csp` (MCP Apps, 2026-01-26). */
export interface DeclaredOrigins {
  readonly connectDomains?: unknown;
  readonly resourceDomains?: unknown;
}

/**
 * The policy of one app: its own inline code, and the origins that its resource declares, of which the
 * person was told. An origin that is none of the internet's is left out, as nothing on this machine or
 * in its network is an app's business.
 */
export function appPolicy({ connectDomains, resourceDomains }: DeclaredOrigins): string {
  const files = originsOf(resourceDomains, /^https$/);
  const talks = originsOf(connectDomains, /^(?:https|wss)$/);
  return [
    "default-src 'none'",
    sources('script-src', ["'unsafe-inline'", ...files]),
    sources('style-src', ["'unsafe-inline'", ...files]),
    sources('img-src', ['data:', 'blob:', ...files]),
    sources('media-src', ['data:', 'blob:', ...files]),
    sources('font-src', ['data:', ...files]),
    sources('connect-src', talks.length > 0 ? talks : ["'none'"]),
    "frame-src 'none'",
    "child-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}

const ORIGINS_MAX = 32;

/** `https://host`, `https://*.host`, with or without a port; a name with a dot, and not a number. */
const ORIGIN = /^([a-z]+):\/\/((?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*)(:\d{1,5})?$/;

function originsOf(declared: unknown, scheme: RegExp): readonly string[] {
  if (!Array.isArray(declared)) return [];
  return declared
    .slice(0, ORIGINS_MAX)
    .filter((each): each is string => typeof each === 'string')
    .map((each) => each.toLowerCase().replace(/\/$/, ''))
    .filter((each) => {
      const [, found = '', host = ''] = ORIGIN.exec(each) ?? [];
      return scheme.test(found) && !LOCAL.test(host);
    });
}

const LOCAL = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$/;

function sources(directive: string, allowed: readonly string[]): string {
  return `${directive} ${allowed.join(' ')}`;
}
