import { isServerId } from '../servers/definition.ts';
import { READ_ONLY } from './stream/address.ts';
import type { HostAtDoor } from './http/knock.ts';

/** What the tool list of an endpoint looks like. */
export type Mode = 'all' | 'servers' | 'search' | 'code' | 'auto';

export const modes: readonly Mode[] = ['all', 'servers', 'search', 'code', 'auto'];

/** What one endpoint shows: everything, a profile, or one server under its own names. */
export interface Scope {
  readonly profile?: string;
  readonly server?: string;
  readonly mode?: Mode;
  /** Only what is known to read. */
  readonly readOnly?: true;
  /** The project as which the servers are seen. */
  readonly folder?: string;
}

/**
 * Reads `/mcp`, `/mcp/p/PROFILE` and `/mcp/s/SERVER`, each with `?mode=` and `?read-only`; undefined for
 * every other address. The same words serve `/mcp/stream` and, for old hosts, `/sse`.
 */
export function scopeOf(path: string, query: URLSearchParams): Scope | undefined {
  const [, kind, name] = SCOPED.exec(path) ?? [];
  if (path !== '' && name === undefined) return undefined;
  if (name !== undefined && !isServerId(name)) return undefined;
  const mode = query.get('mode');
  if (mode !== null && !isMode(mode)) return undefined;
  const readOnly = query.get(READ_ONLY);
  // What can be read in two ways is no address: somebody relies on the one that was meant.
  if (readOnly !== null && !ON.has(readOnly)) return undefined;
  return {
    ...(kind === 'p' && name !== undefined ? { profile: name } : {}),
    ...(kind === 's' && name !== undefined ? { server: name } : {}),
    ...(mode === null ? {} : { mode }),
    ...(readOnly === null ? {} : { readOnly: true }),
  };
}

function isMode(text: string): text is Mode {
  return (modes as readonly string[]).includes(text);
}

const ON: ReadonlySet<string> = new Set(['', '1', 'true', 'on']);

const SCOPED = /^\/(p|s)\/([^/]+)$/;

/**
 * What a host gets at an address: no more than its token says. One that is bound to a profile has that
 * profile also at the address of everything; undefined where it asks for anything else.
 */
export function boundScope(scope: Scope, host: HostAtDoor | undefined): Scope | undefined {
  if (!host || (host.profile === undefined && !host.readOnly)) return scope;
  const { profile } = host;
  const isElsewhere = scope.server !== undefined || (scope.profile ?? profile) !== profile;
  if (profile !== undefined && isElsewhere) return undefined;
  const known = bound.get(host)?.get(scope);
  if (known) return known;
  const made: Scope = {
    ...scope,
    ...(profile === undefined ? {} : { profile }),
    ...(host.readOnly ? { readOnly: true } : {}),
  };
  const ofHost = bound.get(host) ?? new WeakMap<Scope, Scope>();
  bound.set(host, ofHost.set(scope, made));
  return made;
}

/** Addresses are read once, so that their scopes come again: so do those that are made of them. */
const bound = new WeakMap<HostAtDoor, WeakMap<Scope, Scope>>();

export function otherProfile({ name, profile = '' }: HostAtDoor): string {
  return `The host ${name} is bound to the profile ${profile}: its addresses are /mcp and /mcp/p/${profile}.`;
}
