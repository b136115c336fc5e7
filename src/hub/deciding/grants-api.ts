import { PlugError } from '../../base/errors.ts';
import type { Risk } from '../../catalog/risk.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { Grant, GrantScope } from '../../policy/grant.ts';
import { describeGrant, staleness } from '../../policy/grant-words.ts';
import type { Core } from '../core.ts';
import type { GrantsApi, GrantView, NewGrant } from '../deciding.ts';
import type { Workspace } from '../workspace.ts';

/** What may run without asking: listed, explained, revoked. */
export function grantsOf(core: Core, workspace: Workspace): GrantsApi {
  const { grants } = core.deciding;
  return {
    list: async ({ server } = {}) => {
      const key = server === undefined ? undefined : workspace.pooled(workspace.resolved(server)).key;
      const all = await grants.list(key === undefined ? {} : { server: key });
      return all.map((grant) => viewOf(core, workspace, grant));
    },
    add: async (wanted) => {
      const { server, scope, risk } = scopeOf(core, workspace, wanted);
      if (risk === 'destructive' && scope.kind === 'tool' && wanted.until === undefined) {
        throw alwaysAsks(wanted.tool);
      }
      const grant = await grants.add({
        principal: core.owner,
        server: server.key,
        fingerprint: server.fingerprint,
        scope,
        ...(wanted.until === undefined ? {} : { until: wanted.until }),
        session: wanted.session ?? false,
        source: 'plug grants add',
      });
      return viewOf(core, workspace, grant);
    },
    revoke: (id) => grants.revoke(id),
  };
}

function scopeOf(
  core: Core,
  workspace: Workspace,
  { tool: wanted, args, once = false, argsHash }: NewGrant,
): { readonly server: PooledServer; readonly scope: GrantScope; readonly risk?: Risk } {
  if (!wanted.includes('/')) {
    if (once || args) throw onlyForTools(wanted);
    return { server: workspace.pooled(workspace.resolved(wanted)), scope: { kind: 'reads' } };
  }
  const { server: id, tool } = parseToolRef(wanted);
  const server = workspace.pooled(workspace.resolved(id));
  const manifest = core.pool.manifest(server.key);
  const entry =
    manifest && core.deciding.known.catalog.find(core.deciding.known.seen(server), manifest, tool);
  if (!entry) throw unknownTool(id, tool, manifest !== undefined);
  const { hash } = entry;
  const { risk } = entry.tool;
  if (once) {
    const bound = argsHash === undefined ? {} : { argsHash };
    return { server, risk, scope: { kind: 'once', tool, hash, ...bound } };
  }
  if (args) return { server, risk, scope: { kind: 'arguments', tool, hash, pattern: args } };
  return { server, risk, scope: { kind: 'tool', tool, hash } };
}

/** A grant that would never count is worse than none: the person would rely on it. */
function alwaysAsks(tool: string): PlugError {
  return new PlugError('usage', `${tool} may destroy something, so it cannot be granted for good.`, {
    owner: 'you',
    next: `plug grants add ${tool} --once, or with --args or --until`,
  });
}

function onlyForTools(wanted: string): PlugError {
  return new PlugError('usage', `“${wanted.slice(0, 80)}” names a server: --once and --args need one tool.`, {
    owner: 'you',
    next: `plug grants add ${wanted.slice(0, 80)}/TOOL`,
  });
}

function unknownTool(id: string, tool: string, connected: boolean): PlugError {
  const why = connected
    ? `${id} has no tool “${tool.slice(0, 100)}”.`
    : `${id} was never connected, so its tools are not known.`;
  return new PlugError('not_found', why, { owner: 'you', server: id, next: `plug tools ${id}` });
}

function viewOf(core: Core, workspace: Workspace, grant: Grant): GrantView {
  const serverId = workspace.idOf(grant.server);
  const server = serverId === undefined ? undefined : workspace.pooled(workspace.resolved(serverId));
  const manifest = server && core.pool.manifest(server.key);
  const stale = staleness(grant, {
    now: core.clock.now(),
    fingerprint: server?.fingerprint,
    // What was never connected has not changed either.
    hashOf: (tool) =>
      server && manifest
        ? core.deciding.known.catalog.find(core.deciding.known.seen(server), manifest, tool)?.hash
        : hashOf(grant),
  });
  return {
    ...grant,
    ...(serverId === undefined ? {} : { serverId }),
    says: describeGrant(grant, serverId ?? grant.server),
    ...(stale === undefined ? {} : { stale }),
  };
}

function hashOf({ scope }: Grant): string | undefined {
  return scope.kind === 'reads' ? undefined : scope.hash;
}
