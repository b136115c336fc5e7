import { PlugError } from '../../base/errors.ts';
import type { FeaturedInput, FeaturedServer } from '../featured.ts';
import type { NamedInput, RegistryArgument } from '../registry/entry.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { planPackage, type PlanBase } from './install.ts';
import type { InstallPlan } from './plan.ts';

/** The version is looked up with `pinPlan`. */
export function planFeatured(server: FeaturedServer, checks: PlanChecks = {}): InstallPlan {
  const { id, title, remote, package: pack } = server;
  const base: PlanBase = {
    id,
    title,
    source: { kind: 'featured', name: id },
    untrusted: false,
    warnings: [],
  };
  const auth = {
    kind: server.auth === 'header' ? 'key' : server.auth,
    fields: [],
    offers: [],
    why: 'Known from the featured servers.',
  } as const;
  if (remote) {
    const target = {
      kind: 'remote',
      transport: remote.kind,
      url: [remote.url],
      query: [],
      headers: [],
    } as const;
    return { ...base, target, form: [], auth, steps: [] };
  }
  const { registry = 'npm', name = '', args = [], inputs = [] } = pack ?? {};
  const planned = planPackage(
    {
      type: registry,
      identifier: name,
      runtimeArguments: [],
      packageArguments: [...args.map(fixed), ...inputs.flatMap(argumentOf)],
      environment: inputs.flatMap(variableOf),
      transport: { kind: 'stdio' },
      extra: {},
    },
    base,
  );
  const checked = planned.kind === 'ok' ? checkPlan(planned.plan, checks) : planned;
  if (checked.kind === 'ok') return { ...checked.plan, auth: { ...checked.plan.auth, kind: auth.kind } };
  throw new PlugError('unsupported', `“${title}” cannot be installed: ${checked.why}.`, {
    owner: 'plugboard',
  });
}

function fixed(value: string): RegistryArgument {
  return { kind: 'positional', value, required: true, format: 'string', repeated: false, variables: {} };
}

function variableOf(input: FeaturedInput): readonly NamedInput[] {
  if (!('env' in input)) return [];
  const { env, what, kind } = input;
  const format = kind === 'file' ? 'filepath' : 'string';
  return [{ name: env, description: what, required: true, secret: kind === 'secret', format, variables: {} }];
}

function argumentOf(input: FeaturedInput): readonly RegistryArgument[] {
  if (!('arg' in input)) return [];
  const { arg: hint, what: description, kind } = input;
  const format = kind === 'file' || kind === 'files' ? 'filepath' : 'string';
  return [
    {
      kind: 'positional',
      hint,
      description,
      required: true,
      format,
      repeated: kind === 'files',
      variables: {},
    },
  ];
}
