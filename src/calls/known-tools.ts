import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import type { TaskGroup } from '../base/tasks.ts';
import { Catalog, type CatalogServer, type CatalogTool } from '../catalog/catalog.ts';
import { describeForModel } from '../catalog/describe.ts';
import { Facts } from '../catalog/facts.ts';
import type { FlagContext } from '../catalog/flags.ts';
import { Tombstones } from '../catalog/tombstones.ts';
import { KnownNames } from '../catalog/look-alike.ts';
import { NameIndex, parseName } from '../catalog/names-index.ts';
import { renderName } from '../catalog/names.ts';
import { riskOf } from '../catalog/risk.ts';
import type { ToolStore } from '../catalog/store.ts';
import { TokenCounter } from '../catalog/tokens/token-counter.ts';
import { parseToolRef, type Tool, type ToolRef, type WithheldTool } from '../catalog/tool.ts';
import { ToolSettings } from '../catalog/tool-settings.ts';
import type { Manifest, ManifestDiff, RawTool } from '../connections/manifest.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import type { TrustBook } from '../policy/trust-book.ts';
import type { Profile } from '../servers/profile.ts';
import { selects, withWrites } from '../servers/select.ts';
import type { OwnerId } from '../servers/store.ts';

export interface KnownToolsOptions {
  readonly store: ToolStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly tasks: TaskGroup;
  readonly pool: Pool;
  readonly trust: TrustBook;
  /** The global switch: only reads are offered. */
  readonly settings: { readonly readOnly: boolean };
}

export class KnownTools {
  readonly catalog: Catalog;
  readonly facts: Facts;
  readonly settings: ToolSettings;
  readonly trust: TrustBook;
  readonly #tombstones: Tombstones;
  readonly #names: NameIndex;
  readonly #options: KnownToolsOptions;
  readonly #counter: TokenCounter;
  /** Built once for all servers; dropped when one changes. */
  #takenNow: Taken | undefined;

  private constructor(options: KnownToolsOptions) {
    const { pool } = options;
    this.#options = options;
    this.trust = options.trust;
    this.settings = new ToolSettings(options);
    this.#tombstones = new Tombstones(options);
    this.#counter = new TokenCounter(options);
    this.facts = new Facts({
      ...options,
      count: (key, tools) => {
        const id = pool.server(key)?.definition.id ?? key;
        const shown = tools.map((tool) => shownAs(id, tool));
        return this.#counter.tryCount(shown.map((tool) => JSON.stringify(tool)));
      },
      context: (server, manifest) => this.#context(server, manifest),
    });
    const { facts, settings } = this;
    this.catalog = new Catalog({ facts, settings, tombstones: this.#tombstones });
    this.#names = new NameIndex(() => this.#refs());
    pool.listen({ onManifest: (key, diff) => this.#changed(key, diff) });
  }

  static async load(options: KnownToolsOptions): Promise<KnownTools> {
    const known = new KnownTools(options);
    await Promise.all([known.settings.load(), known.facts.load(), known.#tombstones.load()]);
    return known;
  }

  async close(): Promise<void> {
    await this.#counter.close();
  }

  seen({ key, definition, fingerprint }: PooledServer): CatalogServer {
    return { key, definition, trusted: this.trust.trustOf(key, fingerprint) !== 'none' };
  }

  offered(
    server: PooledServer,
    manifest: Manifest,
    profile: Profile | undefined,
    readOnly = false,
  ): { readonly tools: readonly Tool[]; readonly withheld: readonly WithheldTool[] } {
    const by = this.#options.settings.readOnly ? 'switch' : readOnly ? 'caller' : undefined;
    const bar = by && ({ by } as const);
    return this.catalog.offered(this.seen(server), manifest, profile, bar);
  }

  /** From the manifest, without waking the server; throws why the tool isn't offered. */
  find(server: PooledServer, name: string, profile: Profile | undefined): CatalogTool {
    const seen = this.seen(server);
    const manifest = this.#options.pool.manifest(server.key);
    const entry = manifest && this.catalog.find(seen, manifest, name);
    if (!entry) {
      const gone = this.catalog.gone(seen, name);
      const names = manifest?.tools.map((tool) => tool.name) ?? [];
      throw gone ? withheldError(gone) : unknownTool(server, name, names);
    }
    if (entry.withheld) throw withheldError(entry.withheld);
    // A read-only profile is decided on and recorded later, like every other bar.
    if (profile && !selects(withWrites(profile), server.definition, entry.tool)) {
      throw hiddenByProfile(entry.tool.ref, server, profile);
    }
    return entry;
  }

  /** Accepts any form of a name; throws how to write it. */
  parseName(name: string): ToolRef {
    const found = parseName(name, this.#names);
    if (found) return found;
    // A folder opened since may have brought the tool.
    this.#names.drop();
    return parseName(name, this.#names) ?? parseToolRef(name);
  }

  #changed(key: string, diff: ManifestDiff): void {
    this.#tombstones.changed(key, diff);
    this.#names.drop();
    this.#takenNow = undefined;
    const { pool, tasks } = this.#options;
    const [server, manifest] = [pool.server(key), pool.manifest(key)];
    if (!server || !manifest) return;
    tasks.run('count the tokens of tools', (signal) => this.#countSoon(key, signal));
    const seen = this.seen(server);
    if (!seen.trusted) return;
    tasks.run('pin what a trusted server offers', () => this.#pinNew(seen, manifest));
  }

  /** Counting takes seconds and memory: the user who just added a server comes first. */
  async #countSoon(key: string, signal: AbortSignal): Promise<void> {
    const { clock, limits, pool } = this.#options;
    await clock.sleep(limits.tokenCountDelayMs, signal);
    const manifest = pool.manifest(key);
    if (manifest) await this.facts.counted(key, manifest);
  }

  /** Trusting a server approves its tools as they are when first seen. */
  async #pinNew(server: CatalogServer, manifest: Manifest): Promise<void> {
    const tools = this.catalog.entries(server, manifest).map(({ tool }) => tool);
    const fresh = tools.filter(
      ({ flags, name }) => flags.length === 0 && !this.settings.pin(server.key, name),
    );
    await this.settings.approve(server.key, fresh);
  }

  /** If it comes back, it starts from nothing. */
  async forget(key: string): Promise<void> {
    await this.trust.revoke(key);
    await this.settings.forget(key);
    this.catalog.forget(key);
    this.#names.drop();
    this.#takenNow = undefined;
  }

  #context(key: string, manifest: Manifest): FlagContext {
    const server = this.#options.pool.server(key);
    const trusted = server !== undefined && this.seen(server).trusted;
    return {
      server: server?.definition.id ?? key,
      tools: new Set(manifest.tools.map(({ name }) => name)),
      // A trusted server isn't flagged because another imitates it.
      others: trusted ? this.#taken.trusted : this.#taken.all,
    };
  }

  get #taken(): Taken {
    if (this.#takenNow) return this.#takenNow;
    const { pool } = this.#options;
    const named = (servers: readonly PooledServer[]): KnownNames =>
      new KnownNames(() =>
        servers.flatMap(({ key, definition: { id } }) => {
          const tools = pool.manifest(key)?.tools;
          return tools ? [{ id, tools: tools.map(({ name }) => name) }] : [];
        }),
      );
    const servers = pool.servers();
    const trusted = servers.filter((server) => this.seen(server).trusted);
    return (this.#takenNow = { all: named(servers), trusted: named(trusted) });
  }

  *#refs(): Iterable<ToolRef> {
    const { pool } = this.#options;
    for (const { key, definition } of pool.servers()) {
      for (const { name } of pool.manifest(key)?.tools ?? []) yield { server: definition.id, tool: name };
    }
  }
}

interface Taken {
  readonly all: KnownNames;
  readonly trusted: KnownNames;
}

function shownAs(server: string, tool: RawTool): JsonObject {
  const { title, description, inputSchema = {} } = tool;
  const { risk } = riskOf(tool, { server });
  return {
    name: renderName({ server, tool: tool.name }, 'mcp__server__tool'),
    description: describeForModel({
      server,
      risk,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
    }),
    parameters: inputSchema,
  };
}

function withheldError({ ref, server, reason, remedy, cause, diff }: WithheldTool): PlugError {
  const code = cause === 'changed' ? 'denied' : 'not_found';
  return new PlugError(code, `${ref} is not offered: ${reason}`, {
    owner: cause === 'changed' || cause === 'gone' || cause === 'bad_schema' ? 'server' : 'you',
    server,
    remedy,
    details: { cause, ...(diff ? { diff } : {}) },
  });
}

function hiddenByProfile(ref: string, { definition: { id } }: PooledServer, { name }: Profile): PlugError {
  return new PlugError('not_found', `${ref} is not offered: the profile ${name} hides it.`, {
    owner: 'you',
    server: id,
    remedy: { do: 'show', what: 'profiles' },
    details: { cause: 'filtered' },
  });
}

function unknownTool(
  { definition: { id } }: PooledServer,
  name: string,
  names: readonly string[],
): PlugError {
  const near = suggest(name, names);
  const guess = didYouMean(near.map((each) => `${id}/${each}`));
  return new PlugError('not_found', `${id} has no tool “${name}”. ${guess}`.trimEnd(), {
    owner: 'you',
    server: id,
    remedy: { do: 'list-tools', server: id },
    details: { near },
  });
}
