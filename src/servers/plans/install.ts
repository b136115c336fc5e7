import type { Source } from '../definition.ts';
import type { RegistryEntry, RegistryPackage, RegistryRemote } from '../registry/entry.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { Form } from './form.ts';
import { suggestId } from './id.ts';
import { namePackage } from './command-package.ts';
import type { InstallPlan, PlanWarning, RefusedPlan } from './plan.ts';
import { planRemote } from './remote.ts';
import { runPackage } from './runners.ts';

export interface InstallPlans {
  readonly plans: readonly InstallPlan[];
  readonly refused: readonly RefusedPlan[];
}

/** Nothing is fetched or run. */
export function planInstalls(entry: RegistryEntry, checks: PlanChecks = {}): InstallPlans {
  const plans: InstallPlan[] = [];
  const refused: RefusedPlan[] = [];
  const base = baseOf(entry);
  const remotes = entry.remotes.toSorted((a, b) => Number(a.kind === 'sse') - Number(b.kind === 'sse'));
  const packages = entry.packages.toSorted(
    (a, b) =>
      Number(a.transport.kind !== 'stdio') - Number(b.transport.kind !== 'stdio') ||
      rankOf(a.type) - rankOf(b.type),
  );
  const tried = [
    ...remotes.map((remote) => ({ what: remote.url, plan: planAddress(remote, base) })),
    ...packages.map((pack) => ({ what: `${pack.type} ${pack.identifier}`, plan: planPackage(pack, base) })),
  ];
  for (const { what, plan } of tried) {
    const checked = plan.kind === 'ok' ? checkPlan(plan.plan, checks) : plan;
    if (checked.kind === 'ok') plans.push(checked.plan);
    else refused.push({ what, why: checked.why });
  }
  return { plans, refused };
}

export type Planned =
  | { readonly kind: 'ok'; readonly plan: InstallPlan }
  | { readonly kind: 'refused'; readonly why: string };

export type PlanBase = Pick<InstallPlan, 'id' | 'title' | 'source' | 'untrusted' | 'warnings'>;

const TYPES = ['npm', 'pypi', 'oci', 'nuget', 'mcpb'];

function rankOf(type: string): number {
  const place = TYPES.indexOf(type);
  return place < 0 ? TYPES.length : place;
}

function baseOf(entry: RegistryEntry): PlanBase {
  const { name, version, kind, status, statusMessage } = entry;
  const source: Source = { kind, name, ...(version === undefined ? {} : { version }) };
  const why = statusMessage === undefined ? '' : ` (${statusMessage})`;
  const warnings: readonly PlanWarning[] =
    status === 'active'
      ? []
      : [{ kind: 'deprecated', message: `The registry “${entry.registry}” lists it as ${status}${why}.` }];
  return { id: suggestId(name), title: entry.title ?? name, source, untrusted: false, warnings };
}

function planAddress(given: RegistryRemote, base: PlanBase): Planned {
  const form = new Form();
  const planned = planRemote(given, form);
  if (planned.kind === 'refused') return planned;
  const warnings = [...base.warnings, ...planned.warnings];
  return { kind: 'ok', plan: form.complete({ ...base, target: planned.remote, warnings }, 'remote') };
}

/** Also for packages from a link or the featured table. */
export function planPackage(given: RegistryPackage, base: PlanBase): Planned {
  const named = namePackage(given);
  if (named.kind === 'refused') return named;
  const form = new Form(given.environment);
  const { registry, name: url } = named.package;
  const warnings = [...base.warnings, ...otherRegistry(given)];
  if (registry === 'mcpb') {
    // Only the user may name a file of this machine.
    if (url.startsWith('file:') && base.source.kind !== 'manual')
      return { kind: 'refused', why: 'a bundle is downloaded over https only' };
    const env = given.environment.map((input) => form.value(input, 'env'));
    const sha256 = given.sha256 ?? '';
    const target = { kind: 'bundle', url, sha256, env } as const;
    const steps = [{ kind: 'download', url, sha256 }] as const;
    return { kind: 'ok', plan: form.complete({ ...base, warnings, target, steps, package: named.package }) };
  }
  const run = runPackage(given, named.package, form);
  if (run.kind === 'refused') return run;
  warnings.push(...run.warnings);
  if (given.transport.kind === 'stdio')
    return {
      kind: 'ok',
      plan: form.complete({ ...base, warnings, target: run.command, package: named.package }),
    };
  const remote = planRemote(given.transport, form);
  if (remote.kind === 'refused') return remote;
  const message = 'It is a server on its own: you start it, and it is then reached by its address.';
  const plan = form.complete({
    ...base,
    warnings: [...warnings, ...remote.warnings, { kind: 'start-yourself', message }],
    target: remote.remote,
    steps: [{ kind: 'start-yourself', command: run.command }],
    package: named.package,
  });
  return { kind: 'ok', plan };
}

/** Hosts of the public package registries. */
const USUAL: Readonly<Record<string, string>> = { npm: 'npmjs', pypi: 'pypi', nuget: 'nuget' };

/** Runners use the user's own registry, whatever the document says. */
function otherRegistry({ type, baseUrl }: RegistryPackage): readonly PlanWarning[] {
  if (baseUrl === undefined || !Object.hasOwn(USUAL, type)) return [];
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : baseUrl;
  if (host.split('.').at(-2) === USUAL[type]) return [];
  const message = `Its maker publishes it at ${JSON.stringify(host.slice(0, 100))}; it is fetched from where ${type} is configured to.`;
  return [{ kind: 'other-package-registry', message }];
}
