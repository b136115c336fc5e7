import { commandPackage } from './command-package.ts';
import type { ServerDefinition } from '../definition.ts';
import type { PlanPackage } from './plan.ts';

/** The package that a definition starts, as its command names it. */
export function runningPackage(definition: ServerDefinition): PlanPackage | undefined {
  const { endpoint } = definition;
  return endpoint.kind === 'stdio' ? commandPackage(endpoint.command, endpoint.args)?.package : undefined;
}

/** The same definition with another version of its package; undefined when its command names none. */
export function withVersion(
  definition: ServerDefinition,
  version: string,
  integrity: string | undefined,
): ServerDefinition | undefined {
  const { endpoint } = definition;
  if (endpoint.kind !== 'stdio') return undefined;
  const found = commandPackage(endpoint.command, endpoint.args);
  if (!found || (found.package.registry !== 'npm' && found.package.registry !== 'pypi')) return undefined;
  const { registry, name } = found.package;
  const flag = found.before.filter((part) => typeof part === 'string').join('');
  const word = `${flag}${name}${registry === 'npm' ? '@' : '=='}${version}`;
  return {
    ...definition,
    endpoint: { ...endpoint, args: endpoint.args.with(found.index, word) },
    package: { registry, name, version, ...(integrity === undefined ? {} : { integrity }) },
  };
}
