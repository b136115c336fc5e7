import type { Tool } from '../../catalog/tool.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { Core } from '../core.ts';

/** Trusts a server as it is now: what reads runs without asking, and every tool is pinned. */
export async function trustServer(
  core: Core,
  server: PooledServer,
  { session, source }: { readonly session: boolean; readonly source: string },
): Promise<void> {
  const { trust, settings } = core.deciding.known;
  const { key, fingerprint } = server;
  if (session) await trust.trustForSession(key, fingerprint);
  else await trust.keep(key, fingerprint, source);
  await settings.approve(key, approvable(core, server));
  core.events.send({ kind: 'tools-change' });
}

/**
 * Trust is not for what is flagged, nor for what changed since somebody approved it: such a tool
 * is looked at and approved by its own name, or not at all.
 */
function approvable({ deciding: { known }, pool }: Core, server: PooledServer): readonly Tool[] {
  const manifest = pool.manifest(server.key);
  if (!manifest) return [];
  return known.catalog
    .entries(known.seen(server), manifest)
    .filter(({ tool, withheld }) => tool.flags.length === 0 && withheld?.cause !== 'changed')
    .map(({ tool }) => tool);
}

/** Grants stay: each is a decision of its own. The tools are pinned no more. */
export async function untrustServer(core: Core, { key }: PooledServer): Promise<void> {
  const { trust, settings } = core.deciding.known;
  await trust.revoke(key);
  await settings.unpin(key);
  core.events.send({ kind: 'tools-change' });
}
