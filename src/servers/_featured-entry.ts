import type { FeaturedPackage, FeaturedServer } from './featured.ts';

type Facts = Pick<FeaturedServer, 'about' | 'words' | 'docs' | 'readTool'> &
  Partial<Pick<FeaturedServer, 'auth' | 'risk' | 'topics'>>;
type PackageMaker = (
  id: string,
  title: string,
  name: string,
  facts: Facts & Partial<Pick<FeaturedPackage, 'args' | 'inputs'>>,
) => FeaturedServer;

/** A vendor's own server: sign-in and writing, unless said otherwise. */
export function remote(
  id: string,
  title: string,
  url: string,
  { auth = 'oauth', risk = 'write', topics = [], ...facts }: Facts,
): FeaturedServer {
  const kind = url.endsWith('/sse') ? 'sse' : 'http';
  return { id, title, auth, risk, topics, ...facts, remote: { kind, url } };
}

/** Read-only, without sign-in. */
export function openRemote(id: string, title: string, url: string, facts: Facts): FeaturedServer {
  return remote(id, title, url, { auth: 'none', risk: 'read', ...facts });
}

export const npm: PackageMaker = packageIn('npm');
export const pypi: PackageMaker = packageIn('pypi');
export const oci: PackageMaker = packageIn('oci');

/** Writes, and needs a key if it asks for a secret, unless said otherwise. */
function packageIn(registry: FeaturedPackage['registry']): PackageMaker {
  return (id, title, name, { risk = 'write', args = [], inputs = [], topics = [], ...facts }) => {
    const auth = inputs.some(({ kind }) => kind === 'secret') ? 'key' : 'none';
    return { id, title, auth, risk, topics, ...facts, package: { registry, name, args, inputs } };
  };
}
