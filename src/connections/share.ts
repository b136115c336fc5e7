import { isAbsolute } from 'node:path';
import type { Host, PooledServer } from './pool.ts';
import type { Verdict } from './store.ts';
import { cwdMatters } from './working-folder.ts';

const shared = new WeakMap<PooledServer, string>();

/** For whom a connection is: everybody, one host, or all hosts in one folder. */
export type SharedBy =
  | { readonly kind: 'all' }
  | { readonly kind: 'host'; readonly host: Host }
  | { readonly kind: 'folder'; readonly folder: string };

export const BY_ALL: SharedBy = { kind: 'all' };

/**
 * Servers are shared, but for those that must not be: a person said so; an old server that asks its
 * host questions, as on a shared link nobody could tell who is meant; one whose folder matters.
 */
export function sharedBy(
  { definition }: PooledServer,
  host: Host | undefined,
  verdict: Verdict | undefined,
): SharedBy {
  if (!host || definition.sharing === 'shared') return BY_ALL;
  const asks = verdict?.era === 'legacy' && verdict.usesHost;
  if (asks || definition.sharing === 'per-host') return { kind: 'host', host };
  if (host.cwd !== undefined && cwdMatters(definition)) return { kind: 'folder', folder: host.cwd };
  return BY_ALL;
}

/** Names the connection that a server uses; equal names share one. */
export function shareOf(server: PooledServer, by: SharedBy = BY_ALL, account?: string): string {
  let share = shared.get(server);
  if (share === undefined) {
    share = describe(server);
    shared.set(server, share);
  }
  const own =
    by.kind === 'all' ? share : `${share}#${by.kind === 'host' ? by.host.id : JSON.stringify(by.folder)}`;
  return account === undefined ? own : `${own}@${account}`;
}

/**
 * Two definitions share only where nothing depends on who wrote them: a placeholder may stand
 * for another secret, a relative folder for another place, and accounts are kept by id.
 */
function describe({ key, fingerprint, definition, folder }: PooledServer): string {
  const { endpoint, source } = definition;
  const relative = endpoint.kind === 'stdio' && endpoint.cwd !== undefined && !isAbsolute(endpoint.cwd);
  const depends = relative || JSON.stringify(endpoint).includes('${');
  // A project's own servers start in its folder.
  const place = source.scope === 'project' ? folder : '';
  const identity = endpoint.kind === 'stdio' ? '' : definition.id;
  return JSON.stringify([fingerprint, place, depends ? key : '', identity]);
}
