import { PlugError } from '../../base/errors.ts';
import type { CatalogTool } from '../../catalog/catalog.ts';
import { parseToolRef, type ToolRef } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { Client } from '../client.ts';
import type { Core } from '../core.ts';
import type { Workspace } from '../workspace.ts';
import type { Implementations } from '../operations/table.ts';
import { nextStep } from '../../base/remedy-command.ts';
import { decide } from '../../policy/decide.ts';
import type { ResolvedServer } from '../../servers/sources.ts';
import type { ToolAudit } from '../decisions.ts';
import { stateOf } from '../views.ts';
import type { LearnedOutput } from '../calls.ts';

export function toolSettingsOf(
  core: Core,
  workspace: Workspace,
): Pick<Implementations['tools'], 'setEnabled' | 'setRisk' | 'approve'> {
  const { settings } = core.decisions.known;
  const tell = (): void => core.events.send({ kind: 'tools-change' });
  return {
    setEnabled: async ({ ref, enabled }) => {
      const { server, entry } = knownTool(core, workspace, parseToolRef(ref));
      await settings.setEnabled(server.key, entry.tool.name, enabled);
      tell();
    },
    setRisk: async ({ ref, risk }) => {
      const { server, entry } = knownTool(core, workspace, parseToolRef(ref));
      await settings.setRisk(server.key, entry.tool.name, risk);
      tell();
    },
    approve: async ({ ref, hash }) => {
      const { server, entry } = knownTool(core, workspace, parseToolRef(ref));
      if (hash !== undefined && hash !== entry.hash) {
        const { id } = server.definition;
        const remedy = { do: 'review-tools', server: id } as const;
        const why = `${ref} has changed again since it was shown.`;
        throw new PlugError('denied', why, { owner: 'server', server: id, remedy });
      }
      await settings.approve(server.key, [entry.tool]);
      tell();
    },
  };
}

interface KnownTool {
  readonly server: PooledServer;
  /** Offered or not. */
  readonly entry: CatalogTool;
}

export function knownTool(core: Core, workspace: Workspace, { server: id, tool }: ToolRef): KnownTool {
  const server = workspace.pooled(workspace.resolved(id));
  const entry = entryOf(core, server, tool);
  if (entry) return { server, entry };
  throw noTool(id, `${id} has no tool “${tool.slice(0, 100)}”.`);
}

export function entryOf(
  { pool, decisions: { known } }: Core,
  server: PooledServer,
  tool: string,
): CatalogTool | undefined {
  const manifest = pool.manifest(server.key);
  return manifest && known.catalog.find(known.seen(server), manifest, tool);
}

export function noTool(server: string, why: string): PlugError {
  return new PlugError('not_found', why, { owner: 'you', server, remedy: { do: 'list-tools', server } });
}

type AuditedServer = ToolAudit['servers'][number];

/** Everything that is known about every tool, offered or not. Servers that failed come first. */
export async function auditTools(
  core: Core,
  workspace: Workspace,
  client: Client,
  { server }: { readonly server?: string },
): Promise<ToolAudit> {
  const chosen = server === undefined ? workspace.servers : [workspace.resolved(server)];
  await Promise.all(
    chosen.map(async (each) => {
      const { key } = workspace.pooled(each);
      const manifest = core.pool.manifest(key);
      if (manifest) await core.decisions.known.facts.counted(key, manifest);
    }),
  );
  const audited = await Promise.all(chosen.map((each) => auditServer(core, workspace, client, each)));
  const servers = audited.toSorted((a, b) => rank(a) - rank(b) || (a.server < b.server ? -1 : 1));
  return { servers };
}

async function auditServer(
  core: Core,
  workspace: Workspace,
  { principal }: Client,
  server: ResolvedServer,
): Promise<AuditedServer> {
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
      entries.map(async (entry) => {
        // As for a call without arguments and without a one-time grant.
        const question = await decisions.question(pooled, entry, { principal: principal.id, args: {} });
        const confirm = decide(question, decisions.policy.snapshot).effect;
        return { ...entry.tool, enabled: entry.enabled, confirm };
      }),
    ),
    withheld: shown.withheld,
  };
}

function rank({ state }: AuditedServer): number {
  const order = ['failed', 'quarantined', 'needs-sign-in', 'needs-input', 'degraded'];
  const at = order.indexOf(state);
  return at === -1 ? order.length : at;
}

/** What results of tools looked like that declare no output, for the tools as they are now. */
export async function learnedOutputs(
  { decisions: { known, learned }, pool }: Core,
  workspace: Workspace,
  { server: id }: { readonly server?: string },
): Promise<readonly LearnedOutput[]> {
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
