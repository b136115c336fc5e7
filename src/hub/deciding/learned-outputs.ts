import type { LearnedOutput } from '../calling.ts';
import type { Core } from '../core.ts';
import type { Workspace } from '../workspace.ts';

/** What results of tools looked like that declare no output, for the tools as they are now. */
export async function learnedOutputs(
  { deciding: { known, learned }, pool }: Core,
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
