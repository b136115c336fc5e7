import { defined } from '../../base/defined.ts';
import { PlugError, messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { PackageFacts, PackageMetadata } from './pin.ts';
import type { Limits } from '../../base/limits.ts';
import type { FetchPort } from '../registry/registry.ts';
import { timeoutSignal } from '../../base/clock.ts';

/** npm itself knows the registry of a scope, proxies, certificates and sign-ins. */
export function npmMetadata(
  /** Runs npm and returns its output, whatever the exit code. */
  run: (args: readonly string[], options: { readonly signal?: AbortSignal | undefined }) => Promise<string>,
): PackageMetadata {
  return {
    lookup: async (name, version = 'latest', { signal } = {}) => {
      const view = async (spec: string, fields: readonly string[]): Promise<Fields | undefined> =>
        readAnswer(await run(['view', '--json', '--fetch-retries=0', '--', spec, ...fields], { signal }));
      try {
        const exact = await view(`${name}@${version}`, ['version', 'dist', 'dist-tags', 'deprecated']);
        if (exact) return npmFacts(exact);
        const known = await view(name, ['name', 'dist-tags']);
        return known ? { exists: true, ...latestIn(known) } : { exists: false };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const remedy =
          'Check the network and the registry that npm is configured for: npm config get registry';
        throw unreachable("npm's registry", name, remedy, error);
      }
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;
function readAnswer(text: string): Fields | undefined {
  // npm prints nothing for a tag that doesn't exist.
  if (text.trim() === '') return undefined;
  const answer: unknown = JSON.parse(text);
  if (!isObject(answer)) throw new Error('npm printed something else than a package');
  const { error } = answer;
  if (!isObject(error)) return answer;
  if (error['code'] === 'E404') return undefined;
  const says = [error['summary'], error['code']].find((part) => typeof part === 'string' && part !== '');
  throw new Error(typeof says === 'string' ? says : 'npm did not say why');
}

function npmFacts(fields: Fields): PackageFacts {
  const { version, deprecated } = fields;
  const latest = latestIn(fields);
  if (typeof version !== 'string') return { exists: true, ...latest };
  return {
    exists: true,
    version,
    ...latest,
    ...integrityOf(isObject(fields['dist']) ? fields['dist'] : {}),
    ...(typeof deprecated === 'string' && deprecated !== '' ? { deprecated: deprecated.slice(0, 500) } : {}),
  };
}

function latestIn(fields: Fields): Pick<PackageFacts, 'latest'> {
  const tags = isObject(fields['dist-tags']) ? fields['dist-tags'] : {};
  return typeof tags['latest'] === 'string' ? { latest: tags['latest'] } : {};
}

/** Packages from before 2017 have only a SHA-1 sum. */
function integrityOf({ integrity, shasum }: Fields): Pick<PackageFacts, 'integrity' | 'sums'> {
  const sums = typeof integrity === 'string' ? integrity.split(/\s+/) : [];
  if (typeof shasum === 'string' && /^[0-9a-f]{40}$/.test(shasum))
    sums.push(`sha1-${Buffer.from(shasum, 'hex').toString('base64')}`);
  const chosen = typeof integrity === 'string' ? integrity : sums[0];
  return chosen === undefined ? {} : { integrity: chosen, sums };
}

/** Asks a Python index in JSON (PEP 691, PEP 700), as uv does. */
export function pypiMetadata({
  fetch,
  limits,
  index,
}: {
  readonly fetch: FetchPort;
  readonly limits: Limits;
  /** uv's own index, such as its `index-url`; it ends in /simple. */
  readonly index: string;
}): PackageMetadata {
  return {
    lookup: async (name, version, { signal } = {}) => {
      const timeout = timeoutSignal(limits.packageLookupMs);
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
        return pypiFacts(JSON.parse(text), version);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const remedy = 'Check the network and the index that uv is configured for.';
        throw unreachable('The Python index', name, remedy, error);
      }
    },
  };
}

function pypiFacts(document: unknown, wanted: string | undefined): PackageFacts {
  if (!isObject(document) || !Array.isArray(document['files'])) throw new Error('the answer holds no files');
  const files = (document['files'] as unknown[]).flatMap(readFile);
  const latest = files
    .filter(({ version, yanked }) => yanked === false && /^\d+(\.\d+)*$/.test(version))
    .map(({ version }) => version)
    .toSorted(compareVersions)
    .at(-1);
  const version = wanted === undefined || !/\d/.test(wanted) ? latest : wanted;
  const found = files.filter((file) => file.version === version);
  if (version === undefined || found.length === 0) return { exists: true, ...defined({ latest }) };
  const source = found.find(({ name }) => name.endsWith('.tar.gz'));
  const wheel =
    found.find(({ name }) => name.endsWith('-py3-none-any.whl')) ??
    found.find(({ name }) => name.endsWith('.whl'));
  const sha256 = (wheel ?? source)?.sha256;
  const yanked = found.find((file) => file.yanked !== false)?.yanked;
  return {
    exists: true,
    version,
    ...defined({ latest, integrity: sha256 && sumOf(sha256) }),
    // Files may be added to a version later, which can change the choice.
    sums: found.flatMap((file) => (file.sha256 === undefined ? [] : [sumOf(file.sha256)])),
    ...(yanked === undefined
      ? {}
      : { deprecated: typeof yanked === 'string' ? yanked.slice(0, 500) : 'it was withdrawn' }),
  };
}

function sumOf(sha256: string): string {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
}

/** `name-1.2.3-py3-none-any.whl`, `name-1.2.3.tar.gz`. */
function readFile(given: unknown) {
  if (!isObject(given) || typeof given['filename'] !== 'string') return [];
  const { filename: name, hashes, yanked } = given;
  const version =
    /^[^-]+-([^-]+)(?:-[^/]*)?\.whl$/.exec(name)?.[1] ?? /-(\d[^-]*)\.(?:tar\.gz|zip)$/.exec(name)?.[1];
  if (version === undefined) return [];
  const hash = isObject(hashes) ? hashes['sha256'] : undefined;
  const sha256 = typeof hash === 'string' ? hash : undefined;
  // A withdrawn version, with the reason if given.
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

function unreachable(index: string, name: string, remedy: string, cause: unknown): PlugError {
  const message = `${index} could not be asked about ${name}: ${messageOf(cause)}.`;
  return new PlugError('unreachable', message, { owner: 'network', remedy, cause });
}
