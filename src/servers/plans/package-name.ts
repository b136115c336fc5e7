import type { RegistryPackage } from '../registry/entry.ts';
import type { PlanPackage } from './plan.ts';

export type NamedPackage =
  | { readonly kind: 'ok'; readonly package: PlanPackage }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Reads name and version of a package, and refuses what a runner would take for something else:
 * an option, an address, a range, a placeholder.
 */
export function namePackage(given: RegistryPackage): NamedPackage {
  const named = read(given);
  if (named.kind === 'refused' || given.runtimeHint === undefined) return named;
  return { kind: 'ok', package: { ...named.package, runtimeHint: given.runtimeHint } };
}

function read({ type, identifier, version, sha256 }: RegistryPackage): NamedPackage {
  switch (type) {
    case 'npm':
      return fromIndex('npm', identifier, version, {
        name: NPM_NAME,
        exact: SEMVER,
        split: /^(.+?)@([^@/]+)$/,
      });
    case 'pypi':
      return fromIndex('pypi', identifier, version, {
        name: PYPI_NAME,
        exact: PEP_440,
        split: /^(.+?)(?:==|@)(.+)$/,
      });
    case 'nuget':
      return fromIndex('nuget', identifier, version, {
        name: NUGET_NAME,
        exact: NUGET_VERSION,
        split: /^(.+?)@(.+)$/,
      });
    case 'oci':
      return image(identifier, version);
    case 'mcpb':
      return bundle(identifier, version, sha256);
    default:
      return {
        kind: 'refused',
        why: `packages of the kind ${JSON.stringify(type)} cannot be installed by us`,
      };
  }
}

const NPM_NAME = /^(@[a-z0-9_][\w.~-]*\/)?[a-z0-9_][\w.~-]*$/i;
const PYPI_NAME = /^[a-z0-9]([\w.-]*[a-z0-9])?(\[[a-z0-9][\w,. -]*\])?$/i;
const NUGET_NAME = /^[a-z0-9_][\w.-]*$/i;
const SEMVER = /^\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?$/;
const NUGET_VERSION = /^\d+(\.\d+){1,3}(-[\w.-]+)?(\+[\w.-]+)?$/;
const PEP_440 = /^(\d+!)?\d+(\.\d+)*([a-z._+-][\w.+-]*)?$/i;
const TAG = /^[a-z][\w.-]{0,127}$/i;

interface Rules {
  readonly name: RegExp;
  readonly exact: RegExp;
  /** Takes a version apart that stands in the name. */
  readonly split: RegExp;
}

function fromIndex(
  registry: 'npm' | 'pypi' | 'nuget',
  identifier: string,
  given: string | undefined,
  rules: Rules,
): NamedPackage {
  const [, inName, versionInName] = rules.split.exec(identifier) ?? [];
  const name = inName ?? identifier;
  if (!rules.name.test(name)) return { kind: 'refused', why: `${quoted(name)} is no name of a package` };
  // “v1.2.3” is how makers write it and no index does.
  const version = (given ?? versionInName)?.replace(/^v(?=\d)/, '');
  if (version === undefined || version === '')
    return { kind: 'ok', package: { registry, name, pinned: 'none' } };
  if (rules.exact.test(version)) return { kind: 'ok', package: { registry, name, version, pinned: 'exact' } };
  if (TAG.test(version)) return { kind: 'ok', package: { registry, name, version, pinned: 'tag' } };
  return { kind: 'refused', why: `${quoted(version)} is no exact version` };
}

/** `host/path/name:tag@digest`. Registries take lower case only; documents do not always. */
function image(identifier: string, given: string | undefined): NamedPackage {
  const [, path = '', tag, digest] =
    /^([^@]+?)(?::([^/:@]+))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(identifier) ?? [];
  const name = path.toLowerCase();
  if (!IMAGE_NAME.test(name)) return { kind: 'refused', why: `${quoted(identifier)} is no name of an image` };
  if (digest !== undefined) {
    return {
      kind: 'ok',
      package: { registry: 'oci', name, version: digest, pinned: 'content', integrity: digest },
    };
  }
  const version = tag ?? given;
  if (version === undefined) return { kind: 'ok', package: { registry: 'oci', name, pinned: 'none' } };
  if (!IMAGE_TAG.test(version)) return { kind: 'refused', why: `${quoted(version)} is no tag of an image` };
  return { kind: 'ok', package: { registry: 'oci', name, version, pinned: 'tag' } };
}

const IMAGE_NAME = /^[a-z0-9][a-z0-9.-]*(:\d+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*$/;
const IMAGE_TAG = /^\w[\w.-]{0,127}$/;

function bundle(identifier: string, version: string | undefined, sha256: string | undefined): NamedPackage {
  if (!URL.canParse(identifier) || new URL(identifier).protocol !== 'https:') {
    return { kind: 'refused', why: 'a bundle is downloaded over https only' };
  }
  if (sha256 === undefined || !/^[0-9a-f]{64}$/.test(sha256)) {
    return {
      kind: 'refused',
      why: 'its bundle has no sha256, so that nobody could tell whether it is the right one',
    };
  }
  return {
    kind: 'ok',
    package: {
      registry: 'mcpb',
      name: identifier,
      pinned: 'content',
      integrity: `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`,
      ...(version === undefined ? {} : { version }),
    },
  };
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 120));
}
