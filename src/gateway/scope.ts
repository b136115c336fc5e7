import { isServerId } from '../servers/definition.ts';
import { READ_ONLY } from './stream/address.ts';
import type { HostAtDoor } from './http/knock.ts';

export type Mode = 'all' | 'servers' | 'search' | 'code' | 'auto';

const modes: readonly Mode[] = ['all', 'servers', 'search', 'code', 'auto'];

/** Everything, a profile, or one server under its own names. */
export interface Scope {
  readonly profile?: string;
  readonly server?: string;
  readonly mode?: Mode;
  readonly readOnly?: true;
  /** The project folder that decides which servers are seen. */
  readonly folder?: string;
}

/** Parses “”, `/p/PROFILE` or `/s/SERVER` with `?mode=` and `?read-only`; undefined for anything else. */
export function scopeOf(path: string, query: URLSearchParams): Scope | undefined {
  const [, kind, name] = SCOPED.exec(path) ?? [];
  if (path !== '' && name === undefined) return undefined;
  if (name !== undefined && !isServerId(name)) return undefined;
  const mode = query.get('mode');
  if (mode !== null && !isMode(mode)) return undefined;
  const readOnly = query.get(READ_ONLY);
  // An ambiguous value is refused: someone relies on read-only.
  if (readOnly !== null && !ON.has(readOnly)) return undefined;
  return {
    ...(kind === 'p' && name !== undefined ? { profile: name } : {}),
    ...(kind === 's' && name !== undefined ? { server: name } : {}),
    ...(mode === null ? {} : { mode }),
    ...(readOnly === null ? {} : { readOnly: true }),
  };
}

/** What is wrong with the query of an address whose path is right. */
export function wrongQuery(path: string, query: URLSearchParams): string | undefined {
  if (scopeOf(path, query) || !scopeOf(path, new URLSearchParams())) return undefined;
  const mode = query.get('mode');
  if (mode === null || isMode(mode)) return '“read-only” takes no value.';
  return `There is no mode “${mode.slice(0, SHOWN_CHARS_MAX)}”: it is one of ${modes.join(', ')}.`;
}

const SHOWN_CHARS_MAX = 100;

function isMode(text: string): text is Mode {
  return (modes as readonly string[]).includes(text);
}

const ON: ReadonlySet<string> = new Set(['', '1', 'true', 'on']);

const SCOPED = /^\/(p|s)\/([^/]+)$/;

/** A host gets no more than its token allows; undefined where it asks for anything else. */
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

/** Routes cache their scopes, so bound ones are cached too. */
const bound = new WeakMap<HostAtDoor, WeakMap<Scope, Scope>>();

export function otherProfile({ name, profile = '' }: HostAtDoor): string {
  return `The host ${name} is bound to the profile ${profile}: its addresses are /mcp and /mcp/p/${profile}.`;
}
