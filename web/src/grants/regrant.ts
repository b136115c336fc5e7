import type { GrantView, NewGrant } from '../hub/hub-context.tsx';

/**
 * How to grant the same again. One that holds no more has no way back: it was for another server
 * or another definition, and granting it anew would cover what nobody has looked at.
 */
export function regrant({ serverId, scope, until, session, stale }: GrantView): NewGrant | undefined {
  if (serverId === undefined || stale !== undefined) return undefined;
  return {
    tool: scope.kind === 'reads' ? serverId : `${serverId}/${scope.tool}`,
    ...(scope.kind === 'arguments' ? { args: scope.pattern } : {}),
    ...(scope.kind === 'once' ? { once: true } : {}),
    ...(scope.kind === 'once' && scope.argsHash !== undefined ? { argsHash: scope.argsHash } : {}),
    ...(until === undefined ? {} : { until }),
    ...(session ? { session } : {}),
  };
}
