import { isAbsolute } from 'node:path';
import type { PooledServer } from './pool.ts';

const shared = new WeakMap<PooledServer, string>();

/** Names the connection that a server uses; equal names share one. */
export function shareOf(server: PooledServer, host: string | undefined): string {
  let share = shared.get(server);
  if (share === undefined) {
    share = describe(server);
    shared.set(server, share);
  }
  return host === undefined ? share : `${share}#${host}`;
}

/**
 * Two definitions share only where nothing depends on who wrote them: a placeholder may stand
 * for another secret, and a relative folder for another place.
 */
function describe({ key, fingerprint, definition, folder }: PooledServer): string {
  const { endpoint, source } = definition;
  const relative = endpoint.kind === 'stdio' && endpoint.cwd !== undefined && !isAbsolute(endpoint.cwd);
  const depends = relative || JSON.stringify(endpoint).includes('${');
  // A project's own servers start in its folder.
  const place = source.scope === 'project' ? folder : '';
  return JSON.stringify([fingerprint, place, depends ? key : '']);
}
