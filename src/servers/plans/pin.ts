import { PlugError } from '../../base/errors.ts';
import type { InstallPlan, PlanPackage, PlanWarning } from './plan.ts';

/** What a package registry says about one version of a package. */
export interface PackageFacts {
  readonly exists: boolean;
  /** Exact; absent when there is no such package or version. */
  readonly version?: string;
  /** Of what would be downloaded, such as `sha512-…`. */
  readonly integrity?: string;
  /** Its maker's words. */
  readonly deprecated?: string;
  /** The newest version, for the advice when the wanted one is missing. */
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

/**
 * Looks up the exact version and its integrity, and puts both into the plan. A package or version
 * that does not exist is an error here, long before a runner would print one.
 */
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
    next:
      exists && latest !== undefined
        ? `Ask for the newest one, ${name}@${latest}.`
        : 'Check how its maker spells it.',
    details: { registry, name, version: version ?? null },
  });
}

/**
 * Invariant: one version of a package has one content. When the recorded integrity and the one
 * that the registry states now differ, somebody has replaced what was approved.
 */
export function checkIntegrity(
  recorded: { readonly name: string; readonly version: string; readonly integrity?: string },
  found: PackageFacts,
): void {
  const { name, version, integrity } = recorded;
  if (integrity === undefined || found.integrity === undefined || found.version !== version) return;
  if (found.integrity === integrity) return;
  throw new PlugError(
    'denied',
    `${name} ${version} is not what it was when you approved it. It was not started.`,
    {
      owner: 'registry',
      next: `Ask its maker; if the change is right, remove the server and add it again.`,
      details: { name, version, recorded: integrity, found: found.integrity },
    },
  );
}
