import type { RegistryEntry } from './entry.ts';
import { strongKeys, weakKeys } from './_same-server.ts';

/** One server as a person looks for it, with every place that lists it. */
export interface FoundServer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Names of the registries that list it, in the order in which they were asked. */
  readonly sources: readonly string[];
  readonly verified: boolean;
  readonly useCount: number;
  readonly deprecated: boolean;
  /** What each of the sources says, in the same order. */
  readonly entries: readonly RegistryEntry[];
}

/**
 * Puts together what is the same server: same package or address, and across registries also the
 * same repository, host or nearly the same name. Verified servers come first, then by use count;
 * servers that are equal in this keep their order.
 */
export function mergeEntries(entries: readonly RegistryEntry[]): readonly FoundServer[] {
  const groups = new Groups();
  for (const entry of entries) if (entry.status !== 'deleted') groups.add(entry);
  return groups
    .list()
    .map(toFound)
    .toSorted(
      (a, b) =>
        Number(a.deprecated) - Number(b.deprecated) ||
        Number(b.verified) - Number(a.verified) ||
        b.useCount - a.useCount,
    );
}

class Groups {
  readonly #groups = new Set<RegistryEntry[]>();
  readonly #byKey = new Map<string, Set<RegistryEntry[]>>();

  add(entry: RegistryEntry): void {
    const strong = strongKeys(entry);
    const weak = weakKeys(entry);
    const group = this.#sharing(strong) ?? this.#similar(entry, weak) ?? [];
    group.push(entry);
    this.#groups.add(group);
    for (const { key } of [...strong, ...weak]) {
      this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(group));
    }
  }

  list(): readonly (readonly RegistryEntry[])[] {
    return [...this.#groups];
  }

  #sharing(keys: readonly { readonly key: string }[]): RegistryEntry[] | undefined {
    for (const { key } of keys) for (const group of this.#byKey.get(key) ?? []) return group;
    return undefined;
  }

  /**
   * A repository may hold many servers, and a host may serve many: what is only similar joins a
   * group that its own registry has no part in, and of several the most similar.
   */
  #similar(
    entry: RegistryEntry,
    keys: readonly { readonly key: string; readonly weight: number }[],
  ): RegistryEntry[] | undefined {
    const weights = new Map<RegistryEntry[], number>();
    for (const { key, weight } of keys) {
      for (const group of this.#byKey.get(key) ?? []) {
        if (group.some(({ registry }) => registry === entry.registry)) continue;
        weights.set(group, (weights.get(group) ?? 0) + weight);
      }
    }
    return [...weights].toSorted(([, a], [, b]) => b - a)[0]?.[0];
  }
}

function toFound(entries: readonly RegistryEntry[]): FoundServer {
  const [first] = entries;
  const titled = entries.find(({ title }) => title !== undefined);
  const described = entries.find(({ description }) => description !== '');
  return {
    name: first?.name ?? '',
    title: titled?.title ?? first?.name ?? '',
    description: described?.description ?? '',
    sources: [...new Set(entries.map(({ registry }) => registry))],
    verified: entries.some(({ verified }) => verified),
    useCount: Math.max(...entries.map(({ useCount }) => useCount)),
    // A server that one registry still lists as active can be installed from there.
    deprecated: entries.every(({ status }) => status === 'deprecated'),
    entries,
  };
}
