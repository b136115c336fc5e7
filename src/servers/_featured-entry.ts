import type { FeaturedInput, FeaturedPackage, FeaturedRisk, FeaturedServer } from './featured.ts';
import type { AuthKind } from './definition.ts';

interface Facts {
  /** Other names and phrases, in lower case. */
  readonly words: readonly string[];
  readonly docs: string;
  readonly auth?: AuthKind;
  readonly risk?: FeaturedRisk;
  readonly readTool?: string;
}

interface PackageFacts extends Facts {
  readonly args?: readonly string[];
  readonly inputs?: readonly FeaturedInput[];
}

export function remote(
  id: string,
  title: string,
  url: string,
  { kind = 'http', auth = 'oauth', risk = 'write', ...facts }: Facts & { readonly kind?: 'http' | 'sse' },
): FeaturedServer {
  return { id, title, auth, risk, ...facts, remote: { kind, url } };
}

type PackageMaker = (id: string, title: string, name: string, facts: PackageFacts) => FeaturedServer;

export const npm: PackageMaker = packageOf('npm');
export const pypi: PackageMaker = packageOf('pypi');
export const oci: PackageMaker = packageOf('oci');

function packageOf(registry: FeaturedPackage['registry']): PackageMaker {
  return (id, title, name, { auth = 'none', risk = 'write', args = [], inputs = [], ...facts }) => ({
    id,
    title,
    auth,
    risk,
    ...facts,
    package: { registry, name, args, inputs },
  });
}
