import { wordSet } from '../word-set.ts';
import { programOf } from '../paste/commands/run-command.ts';
import type { PlanPackage, PlanPart } from './plan.ts';
import { defined } from '../../base/defined.ts';
import type { RegistryPackage } from '../registry/entry.ts';

export interface CommandPackage {
  readonly package: PlanPackage;
  readonly index: number;
  readonly before: readonly PlanPart[];
}

export function commandPackage(command: string, args: readonly string[]): CommandPackage | undefined {
  const runner = RUNNERS.get(programOf(command));
  if (runner === undefined) return undefined;
  if (runner.words.some((word, index) => args[index] !== word)) return undefined;
  for (let index = runner.words.length; index < args.length; index += 1) {
    const word = args[index] ?? '';
    const [, flag = word, value] = /^(--?[\w-]+)=(.*)$/s.exec(word) ?? [];
    if (runner.names.has(flag)) {
      if (value !== undefined) return named(runner.type, value, index, [`${flag}=`]);
      return named(runner.type, args[index + 1] ?? '', index + 1, []);
    }
    if (!word.startsWith('-')) return named(runner.type, word, index, []);
    if (value === undefined && runner.takes.has(flag)) index += 1;
  }
  return undefined;
}

function named(
  type: Runner['type'],
  identifier: string,
  index: number,
  before: readonly PlanPart[],
): CommandPackage | undefined {
  const read = namePackage({ type, identifier });
  return read.kind === 'ok' ? { package: read.package, index, before } : undefined;
}

interface Runner {
  readonly type: 'npm' | 'pypi' | 'oci' | 'nuget';
  readonly words: readonly string[];
  readonly takes: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

const NPX: Runner = {
  type: 'npm',
  words: [],
  takes: wordSet('-c --call --registry --userconfig'),
  names: wordSet('-p --package'),
};
const UVX: Runner = {
  type: 'pypi',
  words: [],
  takes: wordSet('--python -p --with --index --index-url'),
  names: wordSet('--from'),
};
const DOCKER: Runner = {
  type: 'oci',
  words: ['run'],
  takes: wordSet(
    '-e --env -v --volume --mount -p --publish --name --network --net --user -u -w --workdir --env-file --platform --add-host -m --memory --cpus --entrypoint --pull -l --label',
  ),
  names: new Set(),
};

const RUNNERS: ReadonlyMap<string, Runner> = new Map([
  ['npx', NPX],
  ['bunx', NPX],
  ['pnpx', NPX],
  ['npm', { ...NPX, words: ['exec'] }],
  ['pnpm', { ...NPX, words: ['dlx'] }],
  ['uvx', UVX],
  ['uv', { ...UVX, words: ['tool', 'run'] }],
  ['pipx', { ...UVX, words: ['run'], names: wordSet('--spec') }],
  ['docker', DOCKER],
  ['podman', DOCKER],
  ['dnx', { type: 'nuget', words: [], takes: wordSet('--source --add-source'), names: new Set() }],
]);

type NamedPackage =
  | { readonly kind: 'ok'; readonly package: PlanPackage }
  | { readonly kind: 'refused'; readonly why: string };

/** Refuses names that a runner would take for something else: an option, a URL, a range, a placeholder. */
export function namePackage(given: NamedInRegistry): NamedPackage {
  const named = read(given);
  if (named.kind === 'refused' || given.runtimeHint === undefined) return named;
  return { kind: 'ok', package: { ...named.package, runtimeHint: given.runtimeHint } };
}

type NamedInRegistry = Pick<RegistryPackage, 'type' | 'identifier' | 'version' | 'sha256' | 'runtimeHint'>;

function read({ type, identifier, version, sha256 }: NamedInRegistry): NamedPackage {
  if (type === 'npm' || type === 'pypi' || type === 'nuget') return fromIndex(type, identifier, version);
  if (type === 'oci') return image(identifier, version);
  if (type === 'mcpb') return bundle(identifier, version, sha256);
  return refused(`packages of the type ${JSON.stringify(type)} cannot be installed by us`);
}

const TAG = /^[a-z][\w.-]{0,127}$/i;

/** `split` finds a version in the name. */
const INDEXES = {
  npm: {
    name: /^(@[a-z0-9_][\w.~-]*\/)?[a-z0-9_][\w.~-]*$/i,
    exact: /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/,
    split: /^(.+?)@([^@/]+)$/,
  },
  pypi: {
    name: /^[a-z0-9]([\w.-]*[a-z0-9])?(\[[a-z0-9][\w,. -]*\])?$/i,
    exact: /^(\d+!)?\d+(\.\d+)*([a-z._+-][\w.+-]*)?$/i, // PEP 440
    split: /^(.+?)(?:==|@)(.+)$/,
  },
  nuget: {
    name: /^[a-z0-9_][\w.-]*$/i,
    exact: /^\d+(\.\d+){1,3}(-[\w.-]+)?(\+[\w.-]+)?$/,
    split: /^(.+?)@(.+)$/,
  },
};

function fromIndex(
  registry: keyof typeof INDEXES,
  identifier: string,
  given: string | undefined,
): NamedPackage {
  const rules = INDEXES[registry];
  const [, inName, versionInName] = rules.split.exec(identifier) ?? [];
  const name = inName ?? identifier;
  if (!rules.name.test(name)) return refused(`${quoted(name)} is no name of a package`);
  // Vendors write “v1.2.3”, indexes don't.
  const version = (given ?? versionInName)?.replace(/^v(?=\d)/, '');
  if (version === undefined || version === '') return ok({ registry, name, pinned: 'none' });
  if (rules.exact.test(version)) return ok({ registry, name, version, pinned: 'exact' });
  if (TAG.test(version)) return ok({ registry, name, version, pinned: 'tag' });
  return refused(`${quoted(version)} is no exact version`);
}

/** `host/path/name:tag@digest`. Registries take lower case only. */
function image(identifier: string, given: string | undefined): NamedPackage {
  const [, path = '', tag, digest] =
    /^([^@]+?)(?::([^/:@]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(identifier) ?? [];
  const name = path.toLowerCase();
  if (!IMAGE_NAME.test(name)) return refused(`${quoted(identifier)} is no name of an image`);
  if (digest !== undefined)
    return ok({ registry: 'oci', name, version: digest, pinned: 'content', integrity: digest });
  const version = tag ?? given;
  if (version === undefined) return ok({ registry: 'oci', name, pinned: 'none' });
  if (!IMAGE_TAG.test(version)) return refused(`${quoted(version)} is no tag of an image`);
  return ok({ registry: 'oci', name, version, pinned: 'tag' });
}

const IMAGE_NAME = /^[a-z0-9][a-z0-9.-]*(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;
const IMAGE_TAG = /^\w[\w.-]{0,127}$/;

function bundle(identifier: string, version: string | undefined, sha256: string | undefined): NamedPackage {
  const url = URL.canParse(identifier) ? new URL(identifier) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'file:')
    return refused('a bundle is downloaded over https only');
  if (sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256))
    return refused('its bundle has no sha256, so it can’t be verified');
  const integrity = `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
  return ok({ registry: 'mcpb', name: identifier, pinned: 'content', integrity, ...defined({ version }) });
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}

function ok(named: PlanPackage): NamedPackage {
  return { kind: 'ok', package: named };
}

function refused(why: string): NamedPackage {
  return { kind: 'refused', why };
}
