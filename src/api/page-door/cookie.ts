import { doorLimits } from './limits.ts';

/**
 * The page's cookie. The port is in its name, as the browser keeps one jar for all ports of an address:
 * two hubs of one person would else overwrite each other's.
 */
export function setCookie(port: number, value: string): string {
  const seconds = doorLimits.sessionMs / 1_000;
  return `${nameOf(port)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict`;
}

/** Whoever serves another port can plant a cookie of this name beside ours, so that there may be several. */
export function cookiesFor(port: number, header: string | undefined): readonly string[] {
  const start = `${nameOf(port)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
    .slice(0, doorLimits.cookiesMax)
    .map((pair) => pair.slice(start.length));
}

function nameOf(port: number): string {
  return `plug-page-${port}`;
}
