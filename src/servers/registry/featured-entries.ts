import { defined } from '../../base/defined.ts';
import { listFeatured, type FeaturedServer } from '../featured.ts';
import type { RegistryEntry } from './entry.ts';

/** The featured table stands beside the registries under this name. */
export const FEATURED = 'featured';

export function featuredEntries(): readonly RegistryEntry[] {
  return ENTRIES;
}

const ENTRIES: readonly RegistryEntry[] = listFeatured().map(entryOf);

function entryOf({ id, title, about, docs, remote, package: pack }: FeaturedServer): RegistryEntry {
  const code = /^https:\/\/github\.com\/[^/]+\/[^/]+/.exec(docs)?.[0];
  // Many servers are kept in one repository: only a whole one says which is meant.
  const repository = code !== undefined && code === docs.replace(/\/$/, '') ? { url: code } : undefined;
  return {
    registry: FEATURED,
    kind: 'featured',
    name: id,
    title,
    description: about,
    status: 'active',
    isLatest: true,
    verified: true,
    useCount: 0,
    packages: pack ? [packageOf(pack)] : [],
    remotes: remote ? [{ ...remote, headers: [], variables: {}, extra: {} }] : [],
    detail: 'full',
    ...defined({ repository, websiteUrl: docs }),
    extra: {},
  };
}

function packageOf({
  registry,
  name,
}: NonNullable<FeaturedServer['package']>): RegistryEntry['packages'][number] {
  return {
    type: registry,
    identifier: name,
    runtimeArguments: [],
    packageArguments: [],
    environment: [],
    transport: { kind: 'stdio' },
    extra: {},
  };
}
