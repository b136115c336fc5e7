import { PlugError } from '../../base/errors.ts';
import { decide } from '../../policy/decide.ts';
import type { Core } from '../core.ts';
import type { PolicyApi } from '../deciding.ts';
import type { Workspace } from '../workspace.ts';

/** What would be decided and why, and what holds where nothing else does. */
export function policyOf(core: Core, workspace: Workspace): PolicyApi {
  const { rules, known, question, policy } = core.deciding;
  return {
    explain: async ({ tool, args = {} }) => {
      const ref = known.parseName(tool);
      const server = workspace.pooled(workspace.resolved(ref.server));
      const manifest = core.pool.manifest(server.key);
      const entry = manifest && known.catalog.find(known.seen(server), manifest, ref.tool);
      if (entry) return Promise.resolve(decide(question(server, entry, args), policy()));
      throw new PlugError('not_found', `${ref.server} has no tool “${ref.tool.slice(0, 100)}”.`, {
        owner: 'you',
        server: ref.server,
        next: `plug tools ${ref.server}`,
      });
    },
    defaults: () => Promise.resolve(rules.inForce.defaults),
    setDefaults: (change) => rules.setDefaults(change),
    rules: () => Promise.resolve(rules.view()),
  };
}
