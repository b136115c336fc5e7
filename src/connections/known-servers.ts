import { canonicalJson, type JsonObject } from '../base/json.ts';
import { diffManifests, type Manifest, type ManifestDiff, diffTools, hashManifest } from './manifest.ts';
import type { PooledServer, PoolOptions } from './pool.ts';
import type { Verdict } from './store.ts';

export interface KnownServersOptions extends Pick<PoolOptions, 'owner' | 'store'> {
  readonly onManifest: (key: string, diff: ManifestDiff) => void;
}

/** Manifests of servers and how they were last reached, in memory and in the store. */
export class KnownServers {
  readonly #options: KnownServersOptions;
  readonly #manifests = new Map<string, Manifest>();
  readonly #verdicts = new Map<string, Verdict>();
  /** Servers that asked their host something, maybe before their verdict was known. */
  readonly #asking = new Set<string>();

  constructor(options: KnownServersOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const manifest of await store.listManifests(owner)) this.#manifests.set(manifest.server, manifest);
  }

  /** A manifest of an older definition does not count. */
  manifest(server: PooledServer | undefined): Manifest | undefined {
    const manifest = server && this.#manifests.get(server.key);
    return manifest?.fingerprint === server?.fingerprint ? manifest : undefined;
  }

  /** `last` is the previous manifest of the same connection. */
  async keep(server: PooledServer, read: Manifest, last?: Manifest): Promise<void> {
    const { store, owner, onManifest } = this.#options;
    const before = this.manifest(server);
    const manifest = manifestToKeep(before, read, last);
    if (manifest === before) return;
    const mine = { ...manifest, server: server.key };
    this.#manifests.set(server.key, mine);
    if (before && sameBut(before, mine)) return;
    await store.putManifest(owner, mine);
    if (before?.hash !== mine.hash) onManifest(server.key, diffManifests(before, mine));
  }

  /** From a link that is not asked what the server is: what changed between two readings of its lists. */
  async keepChanges(server: PooledServer, read: Manifest, last: Manifest): Promise<void> {
    const kept = this.manifest(server);
    if (kept) await this.keep(server, withChanges(kept, last, read));
  }

  /** From memory alone: undefined may mean that the store was not read yet. */
  verdictNow(server: PooledServer): Verdict | undefined {
    const known = this.#verdicts.get(server.key);
    return known?.fingerprint === server.fingerprint ? known : undefined;
  }

  async verdict(server: PooledServer): Promise<Verdict | undefined> {
    const { store, owner } = this.#options;
    const verdict = this.#verdicts.get(server.key) ?? (await store.getVerdict(owner, server.key));
    if (verdict?.fingerprint !== server.fingerprint) return undefined;
    this.#verdicts.set(server.key, verdict);
    return verdict;
  }

  async remember(verdict: Verdict): Promise<void> {
    const usesHost = verdict.usesHost || this.#asking.has(named(verdict.server, verdict.fingerprint));
    const known = { ...verdict, usesHost };
    this.#verdicts.set(verdict.server, known);
    await this.#options.store.putVerdict(this.#options.owner, known);
  }

  /** The server has asked its host something: from now on each host gets its own connection. */
  async rememberHostWanted(server: PooledServer): Promise<void> {
    this.#asking.add(named(server.key, server.fingerprint));
    const verdict = await this.verdict(server);
    if (verdict && !verdict.usesHost) await this.remember({ ...verdict, usesHost: true });
  }

  /** The modern server takes no legacy link. */
  async rememberOneEra(server: PooledServer): Promise<void> {
    const verdict = await this.verdict(server);
    if (verdict && verdict.alsoLegacy !== false) await this.remember({ ...verdict, alsoLegacy: false });
  }

  /** A server that joins another's connection knows what is known of it; one that takes it over, all anew. */
  async copy(
    from: PooledServer,
    to: PooledServer,
    { anew = false }: { readonly anew?: boolean } = {},
  ): Promise<void> {
    const [manifest, verdict] = [this.manifest(from), await this.verdict(from)];
    const { key: server, fingerprint } = to;
    if (manifest && (anew || !this.manifest(to))) await this.keep(to, { ...manifest, fingerprint });
    if (verdict && (anew || !(await this.verdict(to))))
      await this.remember({ ...verdict, server, fingerprint });
  }

  forget(key: string): void {
    this.#manifests.delete(key);
    this.#verdicts.delete(key);
    for (const each of this.#asking) if (each.startsWith(named(key, ''))) this.#asking.delete(each);
  }
}

/** No key contains a line end. */
function named(key: string, fingerprint: string): string {
  return `${key}\n${fingerprint}`;
}

/** Nothing changed but the moment of reading. */
function sameBut(before: Manifest, after: Manifest): boolean {
  const timeless = ({ hash, protocolVersion, capabilities, problems }: Manifest): string =>
    canonicalJson({ hash, protocolVersion, capabilities, problems });
  return timeless(before) === timeless(after);
}

/**
 * A server may look different from another folder or through another host without having changed, and
 * there is one list for all hosts. So the first place counts, until it is read again there, the server
 * is another version, or something changes while a connection lives: only that is taken over.
 */
export function manifestToKeep(
  kept: Manifest | undefined,
  read: Manifest,
  before: Manifest | undefined,
): Manifest {
  if (!kept || kept.place === read.place || isOther(kept, read)) return read;
  return before ? withChanges(kept, before, read) : kept;
}

function isOther(kept: Manifest, read: Manifest): boolean {
  const version = ({ era, serverInfo }: Manifest): string => canonicalJson({ era, serverInfo });
  return version(kept) !== version(read);
}

/** `kept`, with the changes from `before` to `read`. */
function withChanges(kept: Manifest, before: Manifest, read: Manifest): Manifest {
  const { added, removed, changed } = diffTools(before, read);
  const touched = new Set([...added, ...removed, ...changed]);
  const newer = new Map(read.tools.filter(({ name }) => touched.has(name)).map((tool) => [tool.name, tool]));
  const tools = kept.tools.flatMap((tool) => {
    const now = touched.has(tool.name) ? newer.get(tool.name) : tool;
    newer.delete(tool.name);
    return now ? [now] : [];
  });
  const list = (pick: (manifest: Manifest) => readonly JsonObject[]): readonly JsonObject[] =>
    canonicalJson(pick(before)) === canonicalJson(pick(read)) ? pick(kept) : pick(read);
  const merged = {
    ...kept,
    tools: [...tools, ...newer.values()],
    resources: list(({ resources }) => resources),
    resourceTemplates: list(({ resourceTemplates }) => resourceTemplates),
    prompts: list(({ prompts }) => prompts),
  };
  const hash = hashManifest(merged);
  return hash === kept.hash ? kept : { ...merged, hash };
}
