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

/** The first way to install it that this hub may go. */
export function entryPlan(entry: RegistryEntry, { checks, remoteOnly }: EntryOptions): MadePlan {
  const { plans, refused } = planInstalls(entry, checks);
  const usable = remoteOnly ? plans.filter(({ target }) => target.kind === 'remote') : plans;
  const [plan] = usable;
  if (plan) {
    const docs = entry.repository?.url ?? entry.websiteUrl;
    const publisher = entry.name.includes('/') ? entry.name.split('/', 1)[0] : undefined;
    const icons = declaredIn(entry.extra);
    const settings = icons.length === 0 ? undefined : { icons };
    return madeOf(plan, defined({ settings, publisher: publisher?.replace(/^@/, ''), docs }));
  }
  if (plans.length > 0) {
    throw new PlugError(
      'denied',
      `“${entry.name}” is a local server: it would run a program on the hub's machine, which is not allowed here.`,
      {
        owner: 'you',
        remedy: 'Give the address of a remote server instead, such as https://host/mcp.',
      },
    );
  }
  const why = refused.map(({ what, why: reason }) => `${what}: ${reason}`).join('; ');
  throw new PlugError(
    'unsupported',
    `“${entry.name}” cannot be installed: ${why || 'it lists no package and no address'}.`,
    {
      owner: 'registry',
      ...(entry.repository ? { remedy: `Read how its maker installs it: ${entry.repository.url}` } : {}),
    },
  );
}

/** A package that a link names, with nothing known about what it asks for. */
export function packagePlan(
  type: 'npm' | 'pypi' | 'oci',
  ref: { readonly id: string; readonly version?: string },
  checks: PlanChecks,
): InstallPlan {
  const made = planPackage(
    {
      type,
      identifier: ref.id,
      ...(ref.version === undefined ? {} : { version: ref.version }),
      runtimeArguments: [],
      packageArguments: [],
      environment: [],
      transport: { kind: 'stdio' },
      extra: {},
    },
    {
      id: suggestId(ref.id),
      title: ref.id,
      source: { kind: 'manual', name: ref.id },
      untrusted: false,
      warnings: [],
    },
  );
  const checked = made.kind === 'ok' ? checkPlan(made.plan, checks) : made;
  if (checked.kind === 'ok') return checked.plan;
  throw new PlugError('unsupported', `${type} ${ref.id} cannot be installed: ${checked.why}.`, {
    owner: 'you',
  });
}

export function madeOf(
  plan: InstallPlan,
  more: Partial<Pick<MadePlan, 'publisher' | 'docs' | 'settings'>> = {},
): MadePlan {
  return { plan, given: {}, kept: [], settings: {}, ...more };
}
