import { PlugError } from '../../base/errors.ts';
import type { InstallPlan, PlanPackage, PlanWarning } from './plan.ts';

export interface PackageFacts {
  readonly exists: boolean;
  readonly version?: string;
  /** Of the download, such as `sha512-…`. */
  readonly integrity?: string;
  /** All checksums of this version: other files or algorithms. */
  readonly sums?: readonly string[];
  readonly deprecated?: string;
  readonly latest?: string;
}

export interface PackageMetadata {
  /** `version` is exact, a tag such as `latest`, or absent. */
  lookup(
    name: string,
    version: string | undefined,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<PackageFacts>;
}

export type MetadataByRegistry = Partial<Record<PlanPackage['registry'], PackageMetadata>>;

/** Pins the exact version and its checksum. A missing package or version fails here. */
export async function pinPlan(
  plan: InstallPlan,
  metadata: MetadataByRegistry,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<InstallPlan> {
  const { package: pack } = plan;
  const lookup = pack && metadata[pack.registry];
  if (pack === undefined || lookup === undefined) return plan;
  const name = pack.name.replace(/\[.*$/, '');
  const facts = await lookup.lookup(name, pack.version, options);
  if (!facts.exists || facts.version === undefined) throw missing(pack, facts);
  const deprecated: readonly PlanWarning[] =
    facts.deprecated === undefined
      ? []
      : [
          {
            kind: 'deprecated',
            message: `Its maker has given up ${pack.name} ${facts.version}: ${facts.deprecated}`,
          },
        ];
  return {
    ...plan,
    package: {
      ...pack,
      version: facts.version,
      pinned: 'exact',
      ...(facts.integrity === undefined ? {} : { integrity: facts.integrity }),
    },
    warnings: [...plan.warnings.filter(({ kind }) => kind !== 'unpinned'), ...deprecated],
  };
}

function missing({ registry, name, version }: PlanPackage, { exists, latest }: PackageFacts): PlugError {
  const what =
    exists && version !== undefined
      ? `There is no version ${version} of ${name}`
      : `There is no package ${name}`;
  return new PlugError('not_found', `${what} at ${registry}. Nothing was installed.`, {
    owner: 'registry',
    remedy:
      exists && latest !== undefined
        ? { do: 'say', text: `Ask for the newest one, ${name}@${latest}.` }
        : { do: 'say', text: 'Check how its maker spells it.' },
    details: { registry, name, version: version ?? null },
  });
}

export interface RecordedPackage {
  readonly server: string;
  readonly registry: 'npm' | 'pypi';
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** Invariant: one version has one content. A recorded checksum that is no longer listed means a replaced package. */
export function checkIntegrity(recorded: RecordedPackage, found: PackageFacts): void {
  const { server, registry, name, version, integrity } = recorded;
  if (found.version !== version) return;
  const sums = found.sums ?? (found.integrity === undefined ? [] : [found.integrity]);
  if (integrity.split(/\s+/).every((sum) => sums.includes(sum))) return;
  const now = found.integrity === undefined ? 'none is stated any more' : `it is ${found.integrity}`;
  throw new PlugError(
    'denied',
    `${name} ${version} at ${registry} is not what you approved: its checksum was ${integrity}, now ${now}. It was not started. Remove it, and add it again once its maker confirms the change.`,
    {
      owner: 'registry',
      server,
      remedy: { do: 'remove', server },
      details: { registry, name, version, recorded: integrity, found: found.integrity ?? null },
    },
  );
}
