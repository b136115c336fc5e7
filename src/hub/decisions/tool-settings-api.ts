import { PlugError } from '../../base/errors.ts';
import type { CatalogTool } from '../../catalog/catalog.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { Core } from '../core.ts';
import type { Workspace } from '../workspace.ts';
import type { Implementations } from '../operations/table.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { decide } from '../../policy/decide.ts';
import type { Decision } from '../../policy/decision.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { ToolAudit } from '../decisions.ts';
import { stateOf } from '../views.ts';
import type { LearnedOutput } from '../calls.ts';

/** What people decide about single tools. */
export function toolSettingsOf(
  core: Core,
  workspace: Workspace,
): Pick<Implementations['tools'], 'setEnabled' | 'setRisk' | 'approve'> {
  const { settings } = core.decisions.known;
  const tell = (): void => core.events.send({ kind: 'tools-change' });
  return {
    setEnabled: async ({ ref, enabled }) => {
      const { server, name } = named(core, workspace, ref);
      await settings.setEnabled(server.key, name, enabled);
      tell();
    },
    setRisk: async ({ ref, risk }) => {
      const { server, name } = named(core, workspace, ref);
      await settings.setRisk(server.key, name, risk);
      tell();
    },
    approve: async ({ ref, hash }) => {
      const { server, entry } = named(core, workspace, ref);
      if (hash !== undefined && hash !== entry.hash) {
        throw new PlugError('denied', `${ref} has changed again since it was shown.`, {
          owner: 'server',
          server: server.definition.id,
          remedy: { do: 'review-tools', server: server.definition.id },
        });
      }
      await settings.approve(server.key, [entry.tool]);
      tell();
    },
  };
}

/** A tool that is known, offered or not. */
function named(
  core: Core,
  workspace: Workspace,
  ref: string,
): { readonly server: PooledServer; readonly name: string; readonly entry: CatalogTool } {
  const { server: id, tool: name } = parseToolRef(ref);
  const server = workspace.pooled(workspace.resolved(id));
  const manifest = core.pool.manifest(server.key);
  const entry =
    manifest && core.decisions.known.catalog.find(core.decisions.known.seen(server), manifest, name);
  if (entry) return { server, name, entry };
  throw new PlugError('not_found', `${id} has no tool “${name.slice(0, 100)}”.`, {
    owner: 'you',
    server: id,
    remedy: { do: 'list-tools', server: id },
  });
}

type AuditedServer = ToolAudit['servers'][number];

/** Everything that is known about every tool, offered or not. Servers that failed come first. */
export async function auditTools(
  core: Core,
  workspace: Workspace,
  { server }: { readonly server?: string },
): Promise<ToolAudit> {
  const chosen = server === undefined ? workspace.servers : [workspace.resolved(server)];
  await Promise.all(chosen.map((each) => countTokens(core, workspace, each)));
  const audited = await Promise.all(chosen.map((each) => auditServer(core, workspace, each)));
  const servers = audited.toSorted((a, b) => rank(a) - rank(b) || (a.server < b.server ? -1 : 1));
  return { servers };
}

async function countTokens(core: Core, workspace: Workspace, server: ResolvedServer): Promise<void> {
  const { key } = workspace.pooled(server);
  const manifest = core.pool.manifest(key);
  if (manifest) await core.decisions.known.facts.counted(key, manifest);
}

async function auditServer(core: Core, workspace: Workspace, server: ResolvedServer): Promise<AuditedServer> {
  const { decisions, pool } = core;
  const pooled = workspace.pooled(server);
  const state = stateOf(core, server);
  const manifest = pool.manifest(pooled.key);
  const entries = manifest ? decisions.known.catalog.entries(decisions.known.seen(pooled), manifest) : [];
  const shown = manifest ? decisions.known.offered(pooled, manifest, undefined) : { tools: [], withheld: [] };
  return {
    server: server.definition.id,
    state: state.kind,
    reason: state.reason,
    ...nextStep(state.remedy),
    tokens: shown.tools.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
    tools: await Promise.all(
      entries.map(async (entry) => ({
        ...entry.tool,
        enabled: entry.enabled,
        confirm: await confirmOf(core, pooled, entry),
      })),
    ),
    withheld: shown.withheld,
  };
}

/** What a call without arguments and without any grant for once would meet. */
async function confirmOf(
  core: Core,
  server: Parameters<Core['decisions']['question']>[0],
  entry: CatalogTool,
): Promise<Decision['effect']> {
  return decide(await core.decisions.question(server, entry, {}), core.decisions.policy.snapshot).effect;
}

/** What needs a look comes first. */
function rank({ state }: AuditedServer): number {
  const order = ['failed', 'quarantined', 'needs-sign-in', 'needs-input', 'degraded'];
  const at = order.indexOf(state);
  return at === -1 ? order.length : at;
}

/** What results of tools looked like that declare no output, for the tools as they are now. */
export async function learnedOutputs(
  { decisions: { known, learned }, pool }: Core,
  workspace: Workspace,
  options: { readonly server?: string },
): Promise<readonly LearnedOutput[]> {
  const { server: id } = options;
  const servers = id === undefined ? workspace.servers : [workspace.resolved(id)];
  await learned.load();
  return servers.flatMap((resolved) => {
    const server = workspace.pooled(resolved);
    const manifest = pool.manifest(server.key);
    if (!manifest) return [];
    return known.catalog.entries(known.seen(server), manifest).flatMap(({ tool, hash }) => {
      const found = learned.of(server.key, tool.name, hash);
      return found ? [{ tool: tool.ref, schema: found.schema, seen: found.seen }] : [];
    });
  });
}
