import { PlugError } from '../../base/errors.ts';
import type { FeaturedInput, FeaturedServer } from '../featured.ts';
import type { NamedInput, RegistryArgument } from '../registry/entry.ts';
import { checkPlan, type PlanChecks } from './checks.ts';
import { planPackage, type PlanBase } from './install.ts';
import type { InstallPlan } from './plan.ts';

/** The version is looked up with `pinPlan`. */
export function planFeatured(server: FeaturedServer, checks: PlanChecks = {}): InstallPlan {
  const { id, title, remote, package: pack } = server;
  const source = { kind: 'featured', name: id } as const;
  const base: PlanBase = { id, title, source, untrusted: false, warnings: [] };
  const kind = server.auth === 'header' ? 'key' : server.auth;
  if (remote) {
    const { kind: transport, url } = remote;
    const target = { kind: 'remote', transport, url: [url], query: [], headers: [] } as const;
    const auth = { kind, fields: [], offers: [], why: 'Known from the featured servers.' };
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
  if (checked.kind === 'ok') return { ...checked.plan, auth: { ...checked.plan.auth, kind } };
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
  const format = kind === 'file' || kind === 'folders' ? 'filepath' : 'string';
  const repeated = kind === 'folders';
  return [{ kind: 'positional', hint, description, required: true, format, repeated, variables: {} }];
}
