import type { RegistryEntry } from '../src/servers/registry/entry.ts';
import type { InstallPlan } from '../src/servers/plans/plan.ts';
import { entryPlan } from '../src/hub/plans/plan-entry.ts';

/** The plan that the hub makes of a registry's entry. */
export function planOf(entry: RegistryEntry): InstallPlan {
  return entryPlan(entry, { checks: {}, remoteOnly: false }).plan;
}
