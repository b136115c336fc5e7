import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import type { InstallPlan, PlanPackage } from './plan.ts';

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
  const facts = await lookup.lookup(pack.name.replace(/\[.*$/, ''), pack.version, options);
  const { version, integrity, deprecated } = facts;
  if (!facts.exists || version === undefined) throw missing(pack, facts);
  const warnings = plan.warnings.filter(({ kind }) => kind !== 'unpinned');
  if (deprecated !== undefined) {
    const message = `Its maker has given up ${pack.name} ${version}: ${deprecated}`;
    warnings.push({ kind: 'deprecated', message });
  }
  return { ...plan, package: { ...pack, version, pinned: 'exact', ...defined({ integrity }) }, warnings };
}

function missing({ registry, name, version }: PlanPackage, { exists, latest }: PackageFacts): PlugError {
  const what = exists && version !== undefined ? `version ${version} of ${name}` : `package ${name}`;
  const text =
    exists && latest !== undefined
      ? `Ask for the newest one, ${name}@${latest}.`
      : 'Check how its maker spells it.';
  return new PlugError('not_found', `There is no ${what} at ${registry}. Nothing was installed.`, {
    owner: 'registry',
    remedy: { do: 'say', text },
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

/**
 * Invariant: one version has one content. A recorded checksum that is no longer listed means a replaced package,
 * and without any checksum nothing proves the contrary.
 */
export function checkIntegrity(recorded: RecordedPackage, found: PackageFacts): void {
  const { server, registry, name, version, integrity } = recorded;
  if (found.version !== version) return;
  const sums = found.sums ?? (found.integrity === undefined ? [] : [found.integrity]);
  if (integrity.split(/\s+/).every((sum) => sums.includes(sum))) return;
  const now = found.integrity === undefined ? 'none is given now' : `it is ${found.integrity}`;
  const message = `${name} ${version} at ${registry} is not what you approved: its checksum was ${integrity}, now ${now}. It was not started. Remove it, and add it again once its maker confirms the change.`;
  throw new PlugError('denied', message, {
    owner: 'registry',
    server,
    remedy: { do: 'remove', server },
    details: { registry, name, version, recorded: integrity, found: found.integrity ?? null },
  });
}
