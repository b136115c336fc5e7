import { PlugError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import { defineServer, type Endpoint, type PackageRef, type ServerDefinition } from '../definition.ts';
import { problemOfUrlTemplate } from '../server-url.ts';
import { readValues, type FieldValue, type GivenValue } from './values.ts';
import { Writer } from './writer.ts';
import { specOf, type InstallPlan, type PlanPackage } from './plan.ts';

export interface FilledPlan {
  readonly definition: ServerDefinition;
  /** To be put into the vault before the server starts: the definition refers to them by name. */
  readonly secrets: readonly { readonly name: string; readonly value: Secret }[];
}

export interface FillOptions {
  /** The server's id; else the suggested one. */
  readonly id?: string;
  /** Accept a package whose exact version is not known. */
  readonly allowUnpinned?: boolean;
}

/** Makes the definition of a plan and what the user gave. Missing or wrong values are named. */
export function fillPlan(
  plan: InstallPlan,
  values: Readonly<Record<string, FieldValue>>,
  options: FillOptions = {},
): FilledPlan {
  const id = options.id ?? plan.id;
  const given = readValues(plan, values);
  checkPinned(plan, options.allowUnpinned === true);
  const writer = new Writer(id, given, plan.package && specOf(plan.package));
  const endpoint = endpointOf(plan, writer);
  const { package: pack } = plan;
  const definition = defineServer({
    id,
    name: plan.title,
    endpoint,
    auth: authOf(plan, given),
    source: plan.source,
    ...(pack === undefined ? {} : { package: refOf(pack) }),
    extra: pack?.integrity === undefined ? {} : { integrity: pack.integrity },
  });
  return { definition, secrets: writer.secrets() };
}

function endpointOf({ target, title }: InstallPlan, writer: Writer): Endpoint {
  if (target.kind === 'bundle') {
    throw new PlugError('usage', `The bundle of “${title}” has to be downloaded and unpacked first.`, {
      owner: 'plugboard',
    });
  }
  if (target.kind === 'command') {
    const env = writer.record(target.env);
    const args = writer.args(target.args, new Set(Object.keys(env)));
    const cwd = target.cwd === undefined ? {} : { cwd: writer.literal(target.cwd) };
    return { kind: 'stdio', command: writer.literal(target.command), args, env, ...cwd };
  }
  const url = writer.url(target.url, target.query);
  const problem = problemOfUrlTemplate(url);
  if (problem === undefined) return { kind: target.transport, url, headers: writer.headers(target.headers) };
  throw new PlugError('bad_config', `With these values the address cannot be used: ${problem}.`, {
    owner: 'you',
  });
}

/** What was approved is one version, not whatever bears the name later. */
function checkPinned({ package: pack, title }: InstallPlan, allowed: boolean): void {
  if (pack === undefined || allowed || pack.registry === 'oci') return;
  if (pack.pinned === 'exact' || pack.pinned === 'content') return;
  throw new PlugError(
    'bad_config',
    `Which version of ${pack.name} is meant by “${title}” is not known yet.`,
    {
      owner: 'you',
      next: `Name a version, as in ${pack.name}${pack.registry === 'pypi' ? '==' : '@'}1.2.3, or go online.`,
      details: { package: pack.name, version: pack.version ?? null },
    },
  );
}

function authOf({ auth }: InstallPlan, given: ReadonlyMap<string, GivenValue>): ServerDefinition['auth'] {
  const offered = auth.fields.some((id) => given.has(id));
  // Who gives a key where a sign-in is possible too has chosen the key.
  if (auth.kind === 'oauth' && offered && auth.fields.every((id) => id.startsWith('header:'))) return 'key';
  if (auth.kind === 'key' && !offered)
    return auth.fields.some((id) => id.startsWith('header:')) ? 'unknown' : 'none';
  return auth.kind;
}

function refOf({ registry, name, version, runtimeHint }: PlanPackage): PackageRef {
  return { registry, name, version: version ?? '', ...(runtimeHint === undefined ? {} : { runtimeHint }) };
}
