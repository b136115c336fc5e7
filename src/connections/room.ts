import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import { isLocal, type ServerDefinition } from '../servers/definition.ts';
import type { Connection } from './connection.ts';

/** A connection as seen by whoever decides which of them may stay. */
export interface Tenant {
  readonly connection: Pick<Connection, 'busy' | 'idleMs' | 'live' | 'occupied' | 'stop'>;
  readonly definition: ServerDefinition;
  /** Somebody who shares it wants it to stay. */
  readonly keepAlive: boolean;
}

/** Why a connection is stopped as idle, or undefined while it may stay. */
export function whyIdle({ connection, definition, keepAlive }: Tenant, limits: Limits): string | undefined {
  const usual = isLocal(definition.endpoint) ? limits.localIdleMs : limits.remoteIdleMs;
  const idleMs = definition.timeouts.idleMs ?? usual;
  if (keepAlive || !connection.live || connection.idleMs < idleMs) return undefined;
  return `Idle for ${Math.max(1, Math.round(idleMs / 60_000))} min; starts again on first use.`;
}

/**
 * The one that stops so that another local server may start: the longest idle, and one that is
 * to be kept alive only when there is no other. Undefined while there is room.
 */
export function whoMakesRoom(others: readonly Tenant[], limits: Limits): Tenant | undefined {
  const locals = others.filter(
    ({ connection, definition }) => isLocal(definition.endpoint) && connection.occupied,
  );
  if (locals.length < limits.liveLocalServersMax) return undefined;
  const [longest] = locals
    .filter(({ connection }) => connection.live && !connection.busy)
    .toSorted(
      (a, b) => Number(a.keepAlive) - Number(b.keepAlive) || b.connection.idleMs - a.connection.idleMs,
    );
  if (longest) return longest;
  const message = `All ${limits.liveLocalServersMax} local servers that may run are busy.`;
  throw new PlugError('unavailable', message, { owner: 'you', next: 'plug list' });
}
