import { defined } from '../../base/defined.ts';
import { PlugError } from '../../base/errors.ts';
import { checkPlan, type PlanChecks } from '../../servers/plans/checks.ts';
import { suggestId } from '../../servers/plans/id.ts';
import { planInstalls, planPackage } from '../../servers/plans/install.ts';
import type { InstallPlan } from '../../servers/plans/plan.ts';
import type { RegistryEntry } from '../../servers/registry/entry.ts';
import { declaredIn } from '../icons/declared.ts';
import type { MadePlan } from './plan-pasted.ts';

export interface EntryOptions {
  readonly checks: PlanChecks;
  readonly remoteOnly: boolean;
}

export function entryPlan(entry: RegistryEntry, { checks, remoteOnly }: EntryOptions): MadePlan {
  const { plans, refused } = planInstalls(entry, checks);
  const plan = plans.find(({ target }) => !remoteOnly || target.kind === 'remote');
  if (plan) {
    const docs = entry.repository?.url ?? entry.websiteUrl;
    const publisher = entry.name.includes('/') ? entry.name.split('/', 1)[0] : undefined;
    const icons = declaredIn(entry.extra);
    const settings = icons.length === 0 ? undefined : { icons };
    return madeOf(plan, defined({ settings, publisher: publisher?.replace(/^@/, ''), docs }));
  }
  if (plans.length > 0) {
    const why = `“${entry.name}” is a local server: it would run a program on the hub's machine`;
    const remedy = 'Give the address of a remote server instead, such as https://host/mcp.';
    throw new PlugError('denied', `${why}, which isn’t allowed here.`, { owner: 'you', remedy });
  }
  const reasons = refused.map(({ what, why }) => `${what}: ${why}`).join('; ');
  const why = reasons || 'it lists no package and no address';
  const remedy = entry.repository && `Read how its maker installs it: ${entry.repository.url}`;
  const message = `“${entry.name}” cannot be installed: ${why}.`;
  throw new PlugError('unsupported', message, { owner: 'registry', remedy });
}

export function packagePlan(
  type: 'npm' | 'pypi' | 'oci' | 'mcpb',
  ref: { readonly id: string; readonly version?: string; readonly sha256?: string; readonly name?: string },
  checks: PlanChecks,
): InstallPlan {
  const { id, version, sha256, name = id } = ref;
  const made = planPackage(
    {
      type,
      identifier: id,
      ...defined({ version, sha256 }),
      runtimeArguments: [],
      packageArguments: [],
      environment: [],
      transport: { kind: 'stdio' },
      extra: {},
    },
    {
      id: suggestId(name),
      title: name,
      source: { kind: 'manual', name: id },
      untrusted: false,
      warnings: [],
    },
  );
  const checked = made.kind === 'ok' ? checkPlan(made.plan, checks) : made;
  if (checked.kind === 'ok') return checked.plan;
  throw new PlugError('unsupported', `${type} ${id} cannot be installed: ${checked.why}.`, { owner: 'you' });
}

export function madeOf(
  plan: InstallPlan,
  more: Partial<Pick<MadePlan, 'publisher' | 'docs' | 'settings'>> = {},
): MadePlan {
  return { plan, given: {}, kept: [], settings: {}, ...more };
}
