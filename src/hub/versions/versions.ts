import { defined } from '../../base/defined.ts';
import { messageOf } from '../../base/errors.ts';
import type { Manifest } from '../../connections/manifest.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { PackageFacts } from '../../servers/plans/pin.ts';
import type { PlanPackage } from '../../servers/plans/plan.ts';
import { runningPackage } from '../../servers/plans/running-package.ts';
import type { ServerVersion } from '../../servers/store.ts';
import type { Core } from '../core.ts';
import { isTrial } from '../trials.ts';
import type { VersionView } from '../updates.ts';

type Parts = Pick<Core, 'storage' | 'owner' | 'clock' | 'limits' | 'tasks' | 'logger' | 'pool' | 'planParts'>;

/** Which version of each server runs, since when, and the newest that its package index has. */
export class Versions {
  readonly #parts: Parts;
  readonly #known: Map<string, ServerVersion>;
  /** Lookups in the background run one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(parts: Parts, known: readonly ServerVersion[]) {
    this.#parts = parts;
    this.#known = new Map(known.map((each) => [each.server, each]));
    parts.pool.listen({ onManifest: (key) => this.#seen(key) });
  }

  static async load(parts: Parts): Promise<Versions> {
    return new Versions(parts, await parts.storage.versions.listVersions(parts.owner));
  }

  view(key: string, pack: PlanPackage | undefined, manifest: Manifest | undefined): VersionView | undefined {
    const reported = reportedBy(manifest);
    const current = pack?.version ?? reported;
    const known = this.#known.get(key);
    const isSame = known !== undefined && known.version === current;
    if (pack === undefined && reported === undefined) return undefined;
    return {
      ...defined({ reported, package: pack && shownPackage(pack) }),
      ...(isSame ? { since: known.since } : {}),
      ...(known ? defined({ latest: known.latest, checkedAt: known.checkedAt }) : {}),
    };
  }

  /** Asks the index now; undefined for a server without a package that has one. */
  async check(
    key: string,
    definition: ServerDefinition,
    options: { readonly version?: string; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<PackageFacts | undefined> {
    const { clock, planParts } = this.#parts;
    const pack = runningPackage(definition);
    const lookup = pack && (await planParts()).packages[pack.registry];
    if (!pack || !lookup) return undefined;
    const { version, signal } = options;
    const facts = await lookup.lookup(pack.name.replace(/\[.*$/, ''), version, { signal });
    const known = this.#known.get(key);
    if (facts.latest !== undefined)
      await this.#put({
        server: key,
        version: pack.version ?? known?.version ?? '',
        since: known?.since ?? clock.now(),
        latest: facts.latest,
        checkedAt: clock.now(),
      });
    return facts;
  }

  async forget(key: string): Promise<void> {
    this.#known.delete(key);
    await this.#parts.storage.versions.deleteVersion(this.#parts.owner, key);
  }

  #seen(key: string): void {
    const { pool, tasks } = this.#parts;
    const definition = pool.server(key)?.definition;
    if (!definition || isTrial(key)) return;
    tasks.run('note the version of a server', (signal) => this.#note(key, definition, signal));
  }

  async #note(key: string, definition: ServerDefinition, signal: AbortSignal): Promise<void> {
    const { pool, clock, limits, logger } = this.#parts;
    const pack = runningPackage(definition);
    const version = pack?.version ?? reportedBy(pool.manifest(key));
    const known = this.#known.get(key);
    const now = clock.now();
    if (version !== undefined && known?.version !== version) {
      await this.#put({ ...known, server: key, version, since: now });
    }
    // Only a fixed version can fall behind, and one that has just run has a network.
    const isDue = now - (known?.checkedAt ?? 0) >= limits.updateCheckMs;
    if (pack?.pinned !== 'exact' || !isDue) return;
    const mine = this.#turn.then(() => this.check(key, definition, { signal }));
    this.#turn = Promise.allSettled([mine]);
    await mine.catch((error: unknown) => {
      logger.info('no newer version was looked for', { server: key, error: messageOf(error) });
    });
  }

  async #put(version: ServerVersion): Promise<void> {
    this.#known.set(version.server, version);
    await this.#parts.storage.versions.putVersion(this.#parts.owner, version);
  }
}

function reportedBy(manifest: Manifest | undefined): string | undefined {
  const version = manifest?.serverInfo['version'];
  return typeof version === 'string' && version !== '' ? version.slice(0, VERSION_CHARS_MAX) : undefined;
}

const VERSION_CHARS_MAX = 64;

function shownPackage({ registry, name, version, pinned }: NonNullable<ReturnType<typeof runningPackage>>) {
  return { registry, name, ...(pinned === 'none' ? {} : defined({ version })) };
}
