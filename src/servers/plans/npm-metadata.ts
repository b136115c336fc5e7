import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';
import type { PackageFacts, PackageMetadata } from './pin.ts';

export interface NpmMetadataOptions {
  readonly fetch: FetchPort;
  readonly limits: Limits;
  /** The registry that npm itself uses for a package: a scope may have one of its own. */
  readonly registryFor: (name: string) => string;
}

/** Reads a package's short document, as npm does before it installs. */
export function npmMetadata({ fetch, limits, registryFor }: NpmMetadataOptions): PackageMetadata {
  return {
    lookup: async (name, version, { signal } = {}) => {
      const timeout = AbortSignal.timeout(limits.packageLookupMs);
      const url = `${registryFor(name).replace(/\/+$/, '')}/${name.replace('/', '%2f')}`;
      try {
        const answer = await fetch(url, {
          headers: { accept: 'application/vnd.npm.install-v1+json, application/json;q=0.8' },
          redirect: 'manual',
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        const text = await answer.text();
        if (answer.status === 404) return { exists: false };
        if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
        return factsOf(JSON.parse(text), version);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw new PlugError(
          'unreachable',
          `npm's registry could not be asked about ${name}: ${messageOf(error)}.`,
          {
            owner: 'network',
            next: 'Check the network and the registry that npm is configured for: npm config get registry',
            cause: error,
          },
        );
      }
    },
  };
}

function factsOf(document: unknown, wanted = 'latest'): PackageFacts {
  if (!isObject(document) || !isObject(document['versions'])) throw new Error('the answer holds no versions');
  const tags = isObject(document['dist-tags']) ? document['dist-tags'] : {};
  const latest = typeof tags['latest'] === 'string' ? { latest: tags['latest'] } : {};
  const tagged = Object.hasOwn(tags, wanted) ? tags[wanted] : wanted;
  const { versions } = document;
  const found = typeof tagged === 'string' && Object.hasOwn(versions, tagged) ? versions[tagged] : undefined;
  if (!isObject(found) || typeof tagged !== 'string') return { exists: true, ...latest };
  const dist = isObject(found['dist']) ? found['dist'] : {};
  const { deprecated } = found;
  return {
    exists: true,
    version: tagged,
    ...latest,
    ...integrityOf(dist),
    ...(typeof deprecated === 'string' && deprecated !== '' ? { deprecated: deprecated.slice(0, 500) } : {}),
  };
}

/** Packages from before 2017 have a SHA-1 sum alone, and may get a better one later. */
function integrityOf(dist: Readonly<Record<string, unknown>>): Pick<PackageFacts, 'integrity' | 'sums'> {
  const { integrity, shasum } = dist;
  const better = typeof integrity === 'string' ? integrity : undefined;
  const old =
    typeof shasum === 'string' && /^[0-9a-f]{40}$/.test(shasum)
      ? `sha1-${Buffer.from(shasum, 'hex').toString('base64')}`
      : undefined;
  const chosen = better ?? old;
  if (chosen === undefined) return {};
  return { integrity: chosen, sums: [...(better?.split(/\s+/) ?? []), ...(old === undefined ? [] : [old])] };
}
