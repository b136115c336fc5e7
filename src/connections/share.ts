import { isAbsolute } from 'node:path';
import type { PooledServer } from './pool.ts';

const shared = new WeakMap<PooledServer, string>();

/** Names the connection that a server uses; equal names share one. */
export function shareOf(server: PooledServer, host?: string, account?: string): string {
  let share = shared.get(server);
  if (share === undefined) {
    share = describe(server);
    shared.set(server, share);
  }
  const own = host === undefined ? share : `${share}#${host}`;
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
