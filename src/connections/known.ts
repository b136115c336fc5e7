import { canonicalJson } from '../base/json.ts';
import type { OwnerId } from '../servers/store.ts';
import { diffTools, type Manifest, type ManifestDiff } from './manifest.ts';
import type { PooledServer } from './pool.ts';
import type { ConnectionStore, Verdict } from './store.ts';

export interface KnownOptions {
  readonly owner: OwnerId;
  readonly store: ConnectionStore;
  readonly onManifest: (key: string, diff: ManifestDiff) => void;
}

/** What is known of servers without asking them: manifests and how they were reached. */
export class Known {
  readonly #options: KnownOptions;
  readonly #manifests = new Map<string, Manifest>();
  readonly #verdicts = new Map<string, Verdict>();

  constructor(options: KnownOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const manifest of await store.listManifests(owner)) this.#manifests.set(manifest.server, manifest);
  }

  /** The manifest of the definition as it is now; one of an older definition does not count. */
  manifest(server: PooledServer | undefined): Manifest | undefined {
    const manifest = server && this.#manifests.get(server.key);
    return manifest?.fingerprint === server?.fingerprint ? manifest : undefined;
  }

  async keep(server: PooledServer, manifest: Manifest): Promise<void> {
    const { store, owner, onManifest } = this.#options;
    const before = this.manifest(server);
    const mine = { ...manifest, server: server.key };
    this.#manifests.set(server.key, mine);
    if (before && sameBut(before, mine)) return;
    await store.putManifest(owner, mine);
    if (before?.hash !== mine.hash) onManifest(server.key, diffTools(before, mine));
  }

  async verdict(server: PooledServer): Promise<Verdict | undefined> {
    const { store, owner } = this.#options;
    const known = this.#verdicts.get(server.key);
    const verdict = known ?? (await store.getVerdict(owner, server.key));
    if (verdict?.fingerprint !== server.fingerprint) return undefined;
    this.#verdicts.set(server.key, verdict);
    return verdict;
  }

  async remember(verdict: Verdict): Promise<void> {
    this.#verdicts.set(verdict.server, verdict);
    await this.#options.store.putVerdict(this.#options.owner, verdict);
  }

  /** The server has asked its host something: from now on each host gets its own connection. */
  async rememberHostWanted(server: PooledServer): Promise<void> {
    const verdict = await this.verdict(server);
    if (verdict && !verdict.usesHost) await this.remember({ ...verdict, usesHost: true });
  }

  /** A server that was removed starts from nothing if it ever comes back. */
  forget(key: string): void {
    this.#manifests.delete(key);
    this.#verdicts.delete(key);
  }
}

/** Nothing changed but the moment of reading. */
function sameBut(before: Manifest, after: Manifest): boolean {
  const timeless = (manifest: Manifest): string =>
    canonicalJson({
      hash: manifest.hash,
      protocolVersion: manifest.protocolVersion,
      capabilities: manifest.capabilities,
      problems: [...manifest.problems],
    });
  return timeless(before) === timeless(after);
}
