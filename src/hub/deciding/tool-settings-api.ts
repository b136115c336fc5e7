import { PlugError } from '../../base/errors.ts';
import type { Entry } from '../../catalog/catalog.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { Core } from '../core.ts';
import type { ToolSettingsApi } from '../deciding.ts';
import type { Workspace } from '../workspace.ts';

/** What people decide about single tools. */
export function toolSettingsOf(core: Core, workspace: Workspace): ToolSettingsApi {
  const { settings } = core.deciding.known;
  const tell = (): void => core.events.send({ kind: 'tools-change' });
  return {
    setEnabled: async (ref, enabled) => {
      const { server, name } = named(core, workspace, ref);
      await settings.setEnabled(server.key, name, enabled);
      tell();
    },
    setRisk: async (ref, risk) => {
      const { server, name } = named(core, workspace, ref);
      await settings.setRisk(server.key, name, risk);
      tell();
    },
    approve: async (ref, { hash } = {}) => {
      const { server, entry } = named(core, workspace, ref);
      if (hash !== undefined && hash !== entry.hash) {
        throw new PlugError('denied', `${ref} has changed again since it was shown.`, {
          owner: 'server',
          server: server.definition.id,
          next: `plug tools ${server.definition.id} --audit`,
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
): { readonly server: PooledServer; readonly name: string; readonly entry: Entry } {
  const { server: id, tool: name } = parseToolRef(ref);
  const server = workspace.pooled(workspace.resolved(id));
  const manifest = core.pool.manifest(server.key);
  const entry =
    manifest && core.deciding.known.catalog.find(core.deciding.known.seen(server), manifest, name);
  if (entry) return { server, name, entry };
  throw new PlugError('not_found', `${id} has no tool “${name.slice(0, 100)}”.`, {
    owner: 'you',
    server: id,
    next: `plug tools ${id}`,
  });
}
