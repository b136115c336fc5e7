import type { Remedy } from '../../base/remedy.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { PlugError } from '../../base/errors.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { ServerState } from '../../connections/state.ts';
import { decide } from '../../policy/decide.ts';
import type { Decision } from '../../policy/decision.ts';
import type { Core } from '../core.ts';
import type { Tool } from '../../catalog/tool.ts';

/** Throws when a rule keeps this server from being connected. */
export function checkConnect(core: Core, server: PooledServer): void {
  const decision = decideServer(core, server, 'connect');
  if (!decision || decision.effect === 'allow') return;
  const { id } = server.definition;
  throw new PlugError('denied', `${id} is not connected. ${decision.reason}`, {
    owner: 'you',
    server: id,
    remedy: remedyFor(decision, id),
    details: { by: decision.by },
  });
}

/** The state of a server whose tools a rule keeps off every list. */
export function unlisted(core: Core, server: PooledServer): ServerState | undefined {
  const decision = decideServer(core, server, 'list');
  if (!decision || decision.effect === 'allow') return undefined;
  const remedy = remedyFor(decision, server.definition.id);
  return { kind: 'disabled', reason: decision.reason, ...nextStep(remedy) };
}

function remedyFor({ by }: Decision, server: string): Remedy {
  return by.kind === 'default' ? { do: 'trust', server } : { do: 'show', what: 'rules' };
}

/** Adding or trusting a server was consent to connect it: nothing is asked. A default that denies spares the trusted. */
function decideServer(
  { decisions, owner, clock }: Core,
  { key, fingerprint, definition: { id } }: PooledServer,
  action: 'connect' | 'list',
): Decision | undefined {
  const { rules, defaults } = decisions.policy.rules;
  const denies = defaults[action] === 'deny';
  if (rules.deny.length + rules.ask.length === 0 && !denies) return undefined;
  const trust = denies ? decisions.known.trust.trustOf(key, fingerprint) : 'kept';
  const requester = { kind: 'person', id: owner } as const;
  const server = { id, key, fingerprint, trust };
  const question = { action, principal: owner, requester, now: clock.now(), server };
  return decide(question, decisions.policy.snapshot);
}

/** Trusts a server as it is now: read-only tools run without asking, and every tool is pinned. */
export async function trustServer(
  core: Core,
  server: PooledServer,
  { session, source }: { readonly session: boolean; readonly source: string },
): Promise<void> {
  const { trust, settings } = core.decisions.known;
  const { key, fingerprint } = server;
  if (session) await trust.trustForSession(key, fingerprint);
  else await trust.keep(key, fingerprint, source);
  await settings.approve(key, approvable(core, server));
  core.events.send({ kind: 'tools-change' });
}

/** Flagged and changed tools are not covered by trust: each is approved by its own name. */
function approvable({ decisions: { known }, pool }: Core, server: PooledServer): readonly Tool[] {
  const manifest = pool.manifest(server.key);
  if (!manifest) return [];
  return known.catalog
    .entries(known.seen(server), manifest)
    .filter(({ tool, withheld }) => tool.flags.length === 0 && withheld?.cause !== 'changed')
    .map(({ tool }) => tool);
}

/** Grants stay: each is a decision of its own. The tools are pinned no more. */
export async function untrustServer(core: Core, { key }: PooledServer): Promise<void> {
  const { trust, settings } = core.decisions.known;
  await trust.revoke(key);
  await settings.unpin(key);
  core.events.send({ kind: 'tools-change' });
}
