import { getFeatured } from '../featured.ts';
import { addressOf } from './address.ts';
import type { RegistryEntry } from './entry.ts';
import { hostOf, isBySameMaker, isLentHost, makerOf } from './maker.ts';

/** One server, with all registries that list it. */
export interface FoundServer {
  readonly name: string;
  /** Leads to exactly this entry, wherever a server can be named. */
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly sources: readonly string[];
  readonly verified: boolean;
  readonly useCount: number;
  readonly deprecated: boolean;
  /** The first one stands for the server. */
  readonly entries: readonly RegistryEntry[];
}

/** Groups by package or URL, and across registries also by repository, host or similar name. */
export function mergeEntries(entries: readonly RegistryEntry[]): readonly FoundServer[] {
  const groups = new Groups();
  for (const entry of entries) if (entry.status !== 'deleted') groups.add(entry);
  return [...groups.all].map((group) =>
    toFound(group.toSorted((a, b) => rankIn(group, b) - rankIn(group, a))),
  );
}

class Groups {
  readonly all = new Set<RegistryEntry[]>();
  readonly #byKey = new Map<string, Set<RegistryEntry[]>>();

  add(entry: RegistryEntry): void {
    const strong = strongKeys(entry);
    const weak = weakKeys(entry);
    const same = strong.flatMap((key) => [...this.#withKey(key)])[0];
    const group = same ?? this.#similar(entry, weak) ?? [];
    group.push(entry);
    this.all.add(group);
    for (const key of [...strong, ...weak.keys()]) this.#byKey.set(key, this.#withKey(key).add(group));
  }

  #withKey(key: string): Set<RegistryEntry[]> {
    return this.#byKey.get(key) ?? new Set();
  }

  /** Repositories and hosts hold many servers: only groups without an entry of the same registry are joined. */
  #similar(entry: RegistryEntry, keys: ReadonlyMap<string, number>): RegistryEntry[] | undefined {
    const weights = new Map<RegistryEntry[], number>();
    for (const [key, weight] of keys) {
      for (const group of this.#withKey(key)) {
        if (group.some(({ registry }) => registry === entry.registry)) continue;
        weights.set(group, (weights.get(group) ?? 0) + weight);
      }
    }
    return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}

/**
 * Which entry stands for the group. A stranger may list a known package or address beside something else:
 * beside a featured server only its own maker does, and otherwise those who are verified.
 */
function rankIn(group: readonly RegistryEntry[], entry: RegistryEntry): number {
  if (entry.kind === 'featured') return 4;
  const featured = group.find(({ kind }) => kind === 'featured');
  const known = featured && getFeatured(featured.name);
  if (known && entry.status === 'active' && isBySameMaker(entry, known)) return 5;
  return Number(isTrusted(group, entry)) * 2 + Number(entry.kind === 'official');
}

/** Verified itself, or its maker is, elsewhere. */
function isTrusted(group: readonly RegistryEntry[], { verified, name }: RegistryEntry): boolean {
  const maker = makerOf(name);
  if (verified || maker === undefined) return verified;
  return group.some((other) => other.verified && makerOf(other.name) === maker);
}

function toFound(entries: readonly RegistryEntry[]): FoundServer {
  const [first] = entries;
  const titled = entries.find(({ title }) => title !== undefined);
  const described = entries.find(({ description }) => description !== '');
  return {
    name: first?.name ?? '',
    address: first ? addressOf(first) : '',
    title: titled?.title ?? first?.name ?? '',
    description: described?.description ?? '',
    sources: [...new Set(entries.map(({ registry }) => registry))],
    verified: first !== undefined && isTrusted(entries, first),
    useCount: Math.max(...entries.map(({ useCount }) => useCount)),
    // Still active in one registry: it can be installed from there.
    deprecated: entries.every(({ status }) => status === 'deprecated'),
    entries,
  };
}

/** A shared one means the same server, even within a registry. */
function strongKeys(entry: RegistryEntry): readonly string[] {
  const packages = entry.packages.map(({ type, identifier }) => `package ${type} ${bare(type, identifier)}`);
  return [...packages, ...entry.remotes.map(({ url }) => `address ${plainUrl(url)}`)];
}

/** Keys that make two servers similar, with their weights. */
function weakKeys(entry: RegistryEntry): ReadonlyMap<string, number> {
  const hosts = entry.remotes.flatMap(({ url }) => hostOf(url) ?? []).filter((host) => !isLentHost(host));
  const repository = repositoryOf(entry);
  return new Map([
    [`name ${nameKey(entry.name)}`, 4],
    ...(repository === undefined ? [] : [[`repository ${repository}`, 2] as const]),
    ...hosts.map((host) => [`host ${host}`, 1] as const),
  ]);
}

/** Without the version: an image's tag or digest, npm's `@1.2.3`. */
function bare(type: string, identifier: string): string {
  const lower = identifier.toLowerCase();
  if (type === 'oci')
    return lower
      .replace(/@sha256:.*$/, '')
      .replace(/:[^/:]*$/, '')
      .replace(/^docker\.io\//, '');
  return type === 'npm' ? lower.replace(/(?<=.)@[^/]*$/, '') : lower;
}

function plainUrl(url: string): string {
  return url
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '');
}

function repositoryOf({ repository }: RegistryEntry): string | undefined {
  const plain = repository?.url
    .toLowerCase()
    .replace(/^git\+/, '')
    .replace(/^(https?|ssh|git):\/\//, '')
    .replace(/^(git@|www\.)/, '')
    .replace(':', '/')
    .replace(/\/tree\/.*$/, '')
    .replace(/(\.git)?\/*$/, '');
  return plain === undefined || plain === '' ? undefined : plain;
}

/** `io.github.upstash/context7` and `@upstash/context7-mcp` are both `upstash/context7`. */
function nameKey(name: string): string {
  const parts = name.toLowerCase().split('/');
  const base = plainName(parts.at(-1) ?? '');
  const publisher = parts.length > 1 ? publisherOf(parts[0] ?? '') : base;
  return `${publisher}/${base === '' ? publisher : base}`;
}

function publisherOf(namespace: string): string {
  const labels = namespace.replace(/^@/, '').split('.');
  return plainName(labels.findLast((label) => label !== 'mcp') ?? '');
}

function plainName(text: string): string {
  return text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => !NOISE.has(word))
    .join('');
}

const NOISE = new Set(['mcp', 'server', 'servers', 'official', 'remote', 'com', '']);
