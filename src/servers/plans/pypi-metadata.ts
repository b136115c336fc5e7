import { messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';
import type { PackageFacts, PackageMetadata } from './pin.ts';

export interface PypiMetadataOptions {
  readonly fetch: FetchPort;
  readonly limits: Limits;
  /** The index that uv itself uses, such as its configured `index-url`; it ends in /simple. */
  readonly index: string;
}

/** Asks a Python package index in JSON (PEP 691, PEP 700), as uv does before it installs. */
export function pypiMetadata({ fetch, limits, index }: PypiMetadataOptions): PackageMetadata {
  return {
    lookup: async (name, version, { signal } = {}) => {
      const timeout = AbortSignal.timeout(limits.packageLookupMs);
      // PEP 503: one spelling for Foo.Bar, foo_bar and foo-bar.
      const plain = name.toLowerCase().replaceAll(/[._-]+/g, '-');
      try {
        const answer = await fetch(`${index.replace(/\/+$/, '')}/${plain}/`, {
          headers: { accept: 'application/vnd.pypi.simple.v1+json' },
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
          `The Python index could not be asked about ${name}: ${messageOf(error)}.`,
          {
            owner: 'network',
            next: 'Check the network and the index that uv is configured for.',
            cause: error,
          },
        );
      }
    },
  };
}

interface File {
  readonly version: string;
  readonly name: string;
  readonly sha256: string | undefined;
  /** A withdrawn version, with its maker's words or none. */
  readonly yanked: string | boolean;
}

function factsOf(document: unknown, wanted: string | undefined): PackageFacts {
  if (!isObject(document) || !Array.isArray(document['files'])) throw new Error('the answer holds no files');
  const files = (document['files'] as unknown[]).flatMap(readFile);
  const latest = files
    .filter(({ version, yanked }) => yanked === false && /^\d+(\.\d+)*$/.test(version))
    .map(({ version }) => version)
    .toSorted(compareVersions)
    .at(-1);
  const version = wanted === undefined || !/\d/.test(wanted) ? latest : wanted;
  const found = files.filter((file) => file.version === version);
  const newest = latest === undefined ? {} : { latest };
  if (version === undefined || found.length === 0) return { exists: true, ...newest };
  const source = found.find(({ name }) => name.endsWith('.tar.gz'));
  const wheel =
    found.find(({ name }) => name.endsWith('-py3-none-any.whl')) ??
    found.find(({ name }) => name.endsWith('.whl'));
  const sha256 = (wheel ?? source)?.sha256;
  const yanked = found.find((file) => file.yanked !== false)?.yanked;
  return {
    exists: true,
    version,
    ...newest,
    ...(sha256 === undefined ? {} : { integrity: sumOf(sha256) }),
    // Files are added to a version after its first day; which of them is chosen may change then.
    sums: found.flatMap((file) => (file.sha256 === undefined ? [] : [sumOf(file.sha256)])),
    ...(yanked === undefined
      ? {}
      : { deprecated: typeof yanked === 'string' ? yanked.slice(0, 500) : 'it was withdrawn' }),
  };
}

function sumOf(sha256: string): string {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
}

/** The version stands in the file's name: `name-1.2.3-py3-none-any.whl`, `name-1.2.3.tar.gz`. */
function readFile(given: unknown): readonly File[] {
  if (!isObject(given) || typeof given['filename'] !== 'string') return [];
  const name = given['filename'];
  const version =
    /^[^-]+-([^-]+)(?:-[^/]*)?\.whl$/.exec(name)?.[1] ?? /-(\d[^-]*)\.(?:tar\.gz|zip)$/.exec(name)?.[1];
  if (version === undefined) return [];
  const hashes = isObject(given['hashes']) ? given['hashes'] : {};
  const sha256 = typeof hashes['sha256'] === 'string' ? hashes['sha256'] : undefined;
  const { yanked } = given;
  return [{ version, name, sha256, yanked: typeof yanked === 'string' || yanked === true ? yanked : false }];
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let index = 0; index < Math.max(left?.length ?? 0, right?.length ?? 0); index += 1) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
