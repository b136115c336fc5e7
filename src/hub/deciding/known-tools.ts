import { Catalog, type CatalogServer } from '../../catalog/catalog.ts';
import { Facts } from '../../catalog/facts.ts';
import type { FlagContext } from '../../catalog/flags.ts';
import { Graves } from '../../catalog/graves.ts';
import { KnownNames } from '../../catalog/look-alike.ts';
import { NameIndex, parseName } from '../../catalog/names-index.ts';
import { TokenCounter } from '../../catalog/tokens/token-counter.ts';
import { parseToolRef, type Tool, type ToolRef, type WithheldTool } from '../../catalog/tool.ts';
import { ToolSettings } from '../../catalog/tool-settings.ts';
import type { Manifest, ManifestDiff } from '../../connections/manifest.ts';
import type { PooledServer } from '../../connections/pool.ts';
import type { TrustBook } from '../../policy/trust-book.ts';
import type { Profile } from '../../servers/profile.ts';
import { countTools } from './count-tools.ts';
import type { DecidingParts } from './open.ts';

/** The catalog of this hub: what all its manifests say, and what people decided about it. */
export class KnownTools {
  readonly catalog: Catalog;
  readonly facts: Facts;
  readonly settings: ToolSettings;
  readonly trust: TrustBook;
  readonly #graves: Graves;
  readonly #names: NameIndex;
  readonly #parts: DecidingParts;
  /** Indexed once for all servers; dropped when one of them changes. */
  #takenNow: Taken | undefined;

  private constructor(parts: DecidingParts, trust: TrustBook, counter: TokenCounter) {
    const { storage, owner, clock, tasks, pool } = parts;
    const store = storage.tools;
    this.#parts = parts;
    this.trust = trust;
    this.settings = new ToolSettings({ store, owner, clock });
    this.#graves = new Graves({ store, owner, clock, tasks });
    this.facts = new Facts({
      store,
      owner,
      tasks,
      count: (key, tools) => countTools(counter, pool.server(key)?.definition.id ?? key, tools),
      context: (server, manifest) => this.#context(server, manifest),
    });
    const { facts, settings } = this;
    this.catalog = new Catalog({ facts, settings, graves: this.#graves });
    this.#names = new NameIndex(() => this.#refs());
  }

  static async load(parts: DecidingParts, trust: TrustBook): Promise<KnownTools> {
    const { clock, limits, logger, half } = parts;
    const counter = new TokenCounter({ clock, limits, logger });
    half.defer(() => counter.close());
    const known = new KnownTools(parts, trust, counter);
    await Promise.all([known.settings.load(), known.facts.load(), known.#graves.load()]);
    return known;
  }

  /** A server as the catalog looks at it now. */
  seen({ key, definition, fingerprint }: PooledServer): CatalogServer {
    return { key, definition, trusted: this.trust.trustOf(key, fingerprint) !== 'none' };
  }

  offered(
    server: PooledServer,
    manifest: Manifest,
    profile: Profile | undefined,
  ): { readonly tools: readonly Tool[]; readonly withheld: readonly WithheldTool[] } {
    return this.catalog.offered(this.seen(server), manifest, profile);
  }

  /** Whatever form a name has: the one that no form fits is told how to write it. */
  parseName(name: string): ToolRef {
    const found = parseName(name, this.#names);
    if (found) return found;
    // A folder that was opened since the index was made may have brought the tool.
    this.#names.drop();
    return parseName(name, this.#names) ?? parseToolRef(name);
  }

  /** A server has told what it offers now. */
  changed(key: string, diff: ManifestDiff): void {
    this.#graves.changed(key, diff);
    this.#names.drop();
    this.#takenNow = undefined;
    const { pool, tasks } = this.#parts;
    const [server, manifest] = [pool.server(key), pool.manifest(key)];
    if (!server || !manifest) return;
    tasks.run('count the tokens of tools', (signal) => this.#countSoon(key, signal));
    const seen = this.seen(server);
    if (!seen.trusted) return;
    tasks.run('pin what a trusted server offers', () => this.#pinNew(seen, manifest));
  }

  /** Counting takes seconds of work and much memory: whoever has just added a server is served first. */
  async #countSoon(key: string, signal: AbortSignal): Promise<void> {
    const { clock, limits, pool } = this.#parts;
    await clock.sleep(limits.tokenCountDelayMs, signal);
    const manifest = pool.manifest(key);
    if (manifest) await this.facts.counted(key, manifest);
  }

  /** Whoever trusts a server approves what it offers, as it is when it is first seen. */
  async #pinNew(server: CatalogServer, manifest: Manifest): Promise<void> {
    const fresh = this.catalog
      .entries(server, manifest)
      .filter(({ tool }) => tool.flags.length === 0 && !this.settings.pin(server.key, tool.name));
    await this.settings.approve(
      server.key,
      fresh.map(({ tool }) => tool),
    );
  }

  /** A server that was removed starts from nothing if it ever comes back. */
  async forget(key: string): Promise<void> {
    await this.trust.revoke(key);
    await this.settings.forget(key);
    this.catalog.forget(key);
    this.#names.drop();
    this.#takenNow = undefined;
  }

  #context(key: string, manifest: Manifest): FlagContext {
    const server = this.#parts.pool.server(key);
    const trusted = server !== undefined && this.seen(server).trusted;
    return {
      server: server?.definition.id ?? key,
      tools: new Set(manifest.tools.map(({ name }) => name)),
      // Whom somebody trusts is not made suspicious by whoever imitates it later.
      others: trusted ? this.#taken.trusted : this.#taken.all,
    };
  }

  #makeTaken(): Taken {
    const { pool } = this.#parts;
    const named = (servers: readonly PooledServer[]): KnownNames =>
      new KnownNames(() =>
        servers.flatMap(({ key, definition: { id } }) => {
          const tools = pool.manifest(key)?.tools;
          return tools ? [{ id, tools: tools.map(({ name }) => name) }] : [];
        }),
      );
    const servers = pool.servers();
    return { all: named(servers), trusted: named(servers.filter((server) => this.seen(server).trusted)) };
  }

  get #taken(): Taken {
    return (this.#takenNow ??= this.#makeTaken());
  }

  *#refs(): Iterable<ToolRef> {
    const { pool } = this.#parts;
    for (const { key, definition } of pool.servers()) {
      for (const { name } of pool.manifest(key)?.tools ?? []) yield { server: definition.id, tool: name };
    }
  }
}

/** Names that a new tool or server could be mistaken for. */
interface Taken {
  readonly all: KnownNames;
  readonly trusted: KnownNames;
}
