import { PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import type { Catalog, CatalogServer, Entry } from '../catalog/catalog.ts';
import type { WithheldTool } from '../catalog/tool.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import type { Profile } from '../servers/profile.ts';
import { selects } from '../servers/select.ts';

export interface FindOptions {
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly catalogServer: (server: PooledServer) => CatalogServer;
}

export type Found =
  | { readonly kind: 'entry'; readonly entry: Entry }
  | { readonly kind: 'error'; readonly error: PlugError };

/** The tool of that name from the manifest, without waking anybody; else what became of it. */
export function findTool(
  server: PooledServer,
  name: string,
  profile: Profile | undefined,
  { pool, catalog, catalogServer }: FindOptions,
): Found {
  const asked = catalogServer(server);
  const manifest = pool.manifest(server.key);
  const entry = manifest && catalog.find(asked, manifest, name);
  if (!entry) {
    const gone = catalog.gone(asked, name);
    const tools = manifest?.tools ?? [];
    return { kind: 'error', error: gone ? withheldError(gone) : unknownTool(server, name, tools) };
  }
  if (entry.withheld) return { kind: 'error', error: withheldError(entry.withheld) };
  if (profile && !selects(profile, server.definition, entry.tool)) {
    return { kind: 'error', error: hiddenByProfile(entry.tool.ref, server, profile) };
  }
  return { kind: 'entry', entry };
}

/** Never “unknown tool” without a cause: what is known of it is said. */
function withheldError({ ref, server, reason, next, cause, diff }: WithheldTool): PlugError {
  const code = cause === 'changed' ? 'denied' : 'not_found';
  return new PlugError(code, `${ref} is not offered: ${reason}`, {
    owner: cause === 'changed' || cause === 'gone' || cause === 'bad_schema' ? 'server' : 'you',
    server,
    ...(next === undefined ? {} : { next }),
    details: { cause, ...(diff ? { diff } : {}) },
  });
}

function hiddenByProfile(ref: string, { definition: { id } }: PooledServer, { name }: Profile): PlugError {
  return new PlugError('not_found', `${ref} is not offered: the profile ${name} hides it.`, {
    owner: 'you',
    server: id,
    next: 'plug profile list',
    details: { cause: 'filtered' },
  });
}

function unknownTool(
  { definition: { id } }: PooledServer,
  name: string,
  tools: readonly { readonly name: string }[],
): PlugError {
  const near = suggest(
    name,
    tools.map((tool) => tool.name),
  );
  const guess = didYouMean(near.map((each) => `${id}/${each}`));
  return new PlugError('not_found', `${id} has no tool “${name}”. ${guess}`.trimEnd(), {
    owner: 'you',
    server: id,
    next: `plug tools ${id}`,
    details: { near },
  });
}
