import type { Entry } from '../../catalog/catalog.ts';
import { decide } from '../../policy/decide.ts';
import type { Decision } from '../../policy/decision.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { Core } from '../core.ts';
import type { ToolAudit } from '../deciding.ts';
import { stateOf } from '../views.ts';
import type { Workspace } from '../workspace.ts';

type AuditedServer = ToolAudit['servers'][number];

/** Everything that is known about every tool, offered or not. Servers that failed come first. */
export async function auditTools(
  core: Core,
  workspace: Workspace,
  { server }: { readonly server?: string },
): Promise<ToolAudit> {
  const chosen = server === undefined ? workspace.servers : [workspace.resolved(server)];
  await Promise.all(chosen.map((each) => countTokens(core, workspace, each)));
  const servers = chosen
    .map((each) => auditServer(core, workspace, each))
    .toSorted((a, b) => rank(a) - rank(b) || (a.server < b.server ? -1 : 1));
  return { servers };
}

async function countTokens(core: Core, workspace: Workspace, server: ResolvedServer): Promise<void> {
  const { key } = workspace.pooled(server);
  const manifest = core.pool.manifest(key);
  if (manifest) await core.deciding.known.facts.counted(key, manifest);
}

function auditServer(core: Core, workspace: Workspace, server: ResolvedServer): AuditedServer {
  const { deciding, pool } = core;
  const pooled = workspace.pooled(server);
  const state = stateOf(core, server);
  const manifest = pool.manifest(pooled.key);
  const entries = manifest ? deciding.known.catalog.entries(deciding.known.seen(pooled), manifest) : [];
  const shown = manifest ? deciding.known.offered(pooled, manifest, undefined) : { tools: [], withheld: [] };
  return {
    server: server.definition.id,
    state: state.kind,
    reason: state.reason,
    ...(state.next === undefined ? {} : { next: state.next }),
    tokens: shown.tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    tools: entries.map((entry) => ({
      ...entry.tool,
      enabled: entry.enabled,
      confirm: confirmOf(core, pooled, entry),
    })),
    withheld: shown.withheld,
  };
}

/** What a call without arguments and without any grant for once would meet. */
function confirmOf(
  core: Core,
  server: Parameters<Core['deciding']['question']>[0],
  entry: Entry,
): Decision['effect'] {
  return decide(core.deciding.question(server, entry, {}), core.deciding.policy()).effect;
}

/** What needs a look comes first. */
function rank({ state }: AuditedServer): number {
  const order = ['failed', 'quarantined', 'needs-sign-in', 'needs-input', 'degraded'];
  const at = order.indexOf(state);
  return at === -1 ? order.length : at;
}
