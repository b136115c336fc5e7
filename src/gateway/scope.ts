import { isServerId } from '../servers/definition.ts';

/** What the tool list of an endpoint looks like. */
export type Mode = 'all' | 'servers' | 'search' | 'code' | 'auto';

export const modes: readonly Mode[] = ['all', 'servers', 'search', 'code', 'auto'];

/** What one endpoint shows: everything, a profile, or one server under its own names. */
export interface Scope {
  readonly profile?: string;
  readonly server?: string;
  readonly mode?: Mode;
  /** The project as which the servers are seen. */
  readonly folder?: string;
}

/**
 * Reads `/mcp`, `/mcp/p/PROFILE` and `/mcp/s/SERVER`, each with `?mode=`; undefined for every other
 * address. The same words serve `/mcp/stream` and, for old hosts, `/sse`.
 */
export function scopeOf(path: string, query: URLSearchParams): Scope | undefined {
  const [, kind, name] = SCOPED.exec(path) ?? [];
  if (path !== '' && name === undefined) return undefined;
  if (name !== undefined && !isServerId(name)) return undefined;
  const mode = query.get('mode');
  if (mode !== null && !isMode(mode)) return undefined;
  return {
    ...(kind === 'p' && name !== undefined ? { profile: name } : {}),
    ...(kind === 's' && name !== undefined ? { server: name } : {}),
    ...(mode === null ? {} : { mode }),
  };
}

function isMode(text: string): text is Mode {
  return (modes as readonly string[]).includes(text);
}

const SCOPED = /^\/(p|s)\/([^/]+)$/;
