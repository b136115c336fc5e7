import { PlugError } from '../../base/errors.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { ServerState } from '../../connections/state.ts';
import { decide } from '../../policy/decide.ts';
import type { Decision } from '../../policy/decision.ts';
import type { Core } from '../core.ts';

/** Throws when a rule keeps this server from being connected. */
export function checkConnect(core: Core, server: PooledServer): void {
  const decision = decideServer(core, server, 'connect');
  if (!decision || decision.effect === 'allow') return;
  const { id } = server.definition;
  throw new PlugError('denied', `${id} is not connected. ${decision.reason}`, {
    owner: 'you',
    server: id,
    next: 'plug rules',
    details: { by: decision.by },
  });
}

/** The state of a server whose tools a rule keeps off every list. */
export function unlisted(core: Core, server: PooledServer): ServerState | undefined {
  const decision = decideServer(core, server, 'list');
  if (!decision || decision.effect === 'allow') return undefined;
  return { kind: 'disabled', reason: decision.reason, next: 'plug rules' };
}

/**
 * Whoever added a server, or trusted an entry of a project's file, has agreed to connecting it:
 * here it is known, and nothing is asked. A default that denies is for all but the trusted.
 */
function decideServer(
  { deciding, owner, clock }: Core,
  { key, fingerprint, definition: { id } }: PooledServer,
  action: 'connect' | 'list',
): Decision | undefined {
  const { rules, defaults } = deciding.rules.inForce;
  const denies = defaults[action] === 'deny';
  if (rules.deny.length + rules.ask.length === 0 && !denies) return undefined;
  const trust = denies ? deciding.known.trust.trustOf(key, fingerprint) : 'kept';
  return decide(
    {
      action,
      principal: owner,
      requester: { kind: 'person', id: owner },
      now: clock.now(),
      server: { id, key, fingerprint, trust },
    },
    deciding.policy(),
  );
}
