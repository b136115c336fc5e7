import { listFeatured } from '../../servers/featured.ts';
import { asListed } from '../../servers/plans/as-listed.ts';
import { planFeatured } from '../../servers/plans/featured-plan.ts';
import { planInstalls } from '../../servers/plans/install.ts';
import type { InstallPlan, PlanPackage } from '../../servers/plans/plan.ts';
import type { PlanCore } from './open.ts';
import type { MadePlan } from './plan-pasted.ts';
import type { RefOptions } from './plan-refs.ts';

/** Completed with what the featured table, or what is stored of the registries, says about its package. */
export async function asKnownPackage(
  core: PlanCore,
  made: MadePlan,
  { isNamed, options }: { readonly isNamed: boolean; readonly options: RefOptions },
): Promise<MadePlan> {
  const { plan } = made;
  // What a stranger put together is shown as it is.
  if (plan.package === undefined || plan.untrusted) return made;
  const known = featuredPlan(plan.package, options) ?? (await storedPlan(core, plan.package, options));
  if (!known) return made;
  const { plan: listed, docs } = known;
  const named = isNamed ? {} : { id: listed.id, title: listed.title };
  return { ...made, plan: { ...asListed(plan, listed), ...named }, ...(docs === undefined ? {} : { docs }) };
}

interface KnownPlan {
  readonly plan: InstallPlan;
  readonly docs: string | undefined;
}

function featuredPlan({ registry, name }: PlanPackage, { checks }: RefOptions): KnownPlan | undefined {
  const featured = listFeatured().find(
    ({ package: pack }) => pack?.registry === registry && pack.name === name,
  );
  return featured && { plan: planFeatured(featured, checks), docs: featured.docs };
}

/** Asks no network: an entry that was seen in a registry before. */
async function storedPlan(
  { storage, owner, limits }: PlanCore,
  { registry, name }: PlanPackage,
  { checks }: RefOptions,
): Promise<KnownPlan | undefined> {
  const query = name.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim();
  const found = await storage.registry.searchEntries(owner, { query, limit: limits.searchResultsShown });
  for (const { entry } of found) {
    const plan = planInstalls(entry, checks).plans.find(
      ({ package: pack }) => pack?.registry === registry && pack.name === name,
    );
    if (plan) return { plan, docs: entry.repository?.url ?? entry.websiteUrl };
  }
  return undefined;
}
