import { homedir } from 'node:os';
import { join } from 'node:path';
import { type PlugError, toPlugError } from '../base/errors.ts';
import type { OpenArguments } from '../connections/open-session.ts';
import type { Launched, Launcher } from '../connections/packages/launch.ts';
import type { PackageStore } from '../connections/packages/package-store.ts';
import { packagedRun, type PackagedRun } from '../connections/packages/packaged-run.ts';
import type { InstalledPackage } from '../connections/packages/record.ts';
import {
  fingerprintOf,
  type Endpoint,
  type LocalEndpoint,
  type ServerDefinition,
} from '../servers/definition.ts';
import type { Core } from './core.ts';
import type { PackageIntegrity } from './plans/package-integrity.ts';

export interface PackagedServersOptions extends Pick<
  Core,
  'options' | 'owner' | 'clock' | 'ids' | 'limits' | 'logger' | 'storage' | 'tasks' | 'trials' | 'searchPath'
> {
  readonly integrity: PackageIntegrity;
  readonly pool: () => Core['pool'];
}

type Run = Extract<PackagedRun, { kind: 'package' }>;

interface Start {
  readonly key: string;
  readonly signal: AbortSignal;
  /** npm may take longer than the server has time to start. */
  readonly untimed: OpenArguments['untimed'];
}

/** How a packaged server would be started now. */
export type PackagedStart =
  | { readonly kind: 'installed'; readonly installed: InstalledPackage; readonly launched: Launched }
  | { readonly kind: 'runner'; readonly why: string }
  /** It will be installed at its next start. */
  | { readonly kind: 'not-yet' };

interface Parts {
  readonly store: PackageStore;
  readonly launcher: Launcher;
}

/**
 * Starts packaged servers by their own programs. A definition stays as it is written: what runs in place of
 * `npx` or `uvx` is found at each start, so that fingerprints, trust and pins never know of it.
 */
export class PackagedServers {
  readonly #options: PackagedServersOptions;
  /** Why a package is left to its runner, until it may be tried again. */
  readonly #failed = new Map<string, { readonly why: string; readonly until: number }>();
  /** By fingerprint of the definition, since its last start: a trial and the server that it becomes share it. */
  readonly #whyRunner = new Map<string, string>();
  #parts: Promise<Parts> | undefined;

  constructor(options: PackagedServersOptions) {
    this.#options = options;
    const { clock, limits, tasks } = options;
    const tidy = (): void => tasks.run('remove packages that no server uses', () => this.tidy());
    const first = clock.after(limits.packageTidyFirstMs, tidy);
    const cancel = clock.every(limits.packageTidyMs, tidy);
    tasks.signal.addEventListener('abort', () => (first(), cancel()), { once: true });
  }

  /** What is started in place of the endpoint: the installed program, else the runner, its checksum compared. */
  async endpoint(definition: ServerDefinition, endpoint: Endpoint, start: Start): Promise<Endpoint> {
    this.#whyRunner.delete(fingerprintOf(definition));
    const run = endpoint.kind === 'stdio' ? packagedRun(endpoint, definition.package) : undefined;
    if (endpoint.kind !== 'stdio' || run?.kind !== 'package') {
      await this.#options.integrity.check(definition, endpoint);
      return endpoint;
    }
    const launched = await this.#launch(definition, endpoint, run, start);
    if (launched.kind === 'ok') return launched.endpoint;
    if (launched.kind === 'runner') this.#runner(definition, launched.why);
    await this.#options.integrity.check(definition, endpoint);
    if (launched.kind === 'later') {
      const { tasks } = this.#options;
      tasks.run(
        'install the package of a server',
        async (signal) => void (await this.#install(definition, run, signal)),
      );
    }
    return endpoint;
  }

  /** Why the last start took the runner although the version is known. */
  whyRunner(fingerprint: string): string | undefined {
    return this.#whyRunner.get(fingerprint);
  }

  /** Looks only: nothing is installed or started for it. */
  async explain(definition: ServerDefinition, endpoint: LocalEndpoint): Promise<PackagedStart | undefined> {
    const run = packagedRun(endpoint, definition.package);
    if (run.kind === 'none') return undefined;
    if (run.kind === 'runner') return run;
    const { store, launcher } = await this.#open();
    const installed = await store.find(run.package);
    if (installed?.refused !== undefined) return { kind: 'runner', why: installed.refused };
    if (installed)
      return { kind: 'installed', installed, launched: await launcher.launch(endpoint, run, installed) };
    const failed = this.#failed.get(JSON.stringify(run.package));
    return failed ? { kind: 'runner', why: failed.why } : { kind: 'not-yet' };
  }

  async store(): Promise<PackageStore> {
    return (await this.#open()).store;
  }

  async size(): Promise<{ readonly count: number; readonly bytes: number }> {
    const all = (await (await this.store()).list()).filter(({ refused }) => refused === undefined);
    return { count: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  }

  /** After somebody asked for it: whatever went wrong before is tried again. */
  forgetFailures(): void {
    this.#failed.clear();
  }

  async tidy(): Promise<void> {
    const { storage, owner, pool, logger } = this.#options;
    const stored = await storage.servers.listServers(owner);
    const definitions = [
      ...stored,
      ...pool()
        .servers()
        .map(({ definition }) => definition),
    ];
    const wanted = definitions.flatMap(({ endpoint, package: pinned }) => {
      const run = endpoint.kind === 'stdio' ? packagedRun(endpoint, pinned) : undefined;
      return run?.kind === 'package' ? [run.package] : [];
    });
    const removed = await (
      await this.store()
    ).tidy(({ registry, name, version }) =>
      wanted.some((one) => one.registry === registry && one.name === name && one.version === version),
    );
    for (const { name, version } of removed)
      logger.info(`${name} ${version} was removed: no server uses it.`);
  }

  /** A first start waits for the installation; a server that has run before starts as it did, and is installed later. */
  async #launch(
    definition: ServerDefinition,
    endpoint: LocalEndpoint,
    run: Run,
    start: Start,
  ): Promise<Launched | { readonly kind: 'later' }> {
    const { trials, clock, pool } = this.#options;
    const { store, launcher } = await this.#open();
    let installed = await store.find(run.package);
    if (installed === undefined) {
      const failed = this.#failed.get(JSON.stringify(run.package));
      if (failed && clock.now() < failed.until) return { kind: 'runner', why: failed.why };
      if (!trials.isWatched(definition) && pool().manifest(start.key) !== undefined) return { kind: 'later' };
      const outcome = await start.untimed(() => this.#install(definition, run, start.signal));
      if (outcome.kind === 'runner') return outcome;
      installed = outcome.installed;
    }
    if (installed.refused !== undefined) return { kind: 'runner', why: installed.refused };
    const launched = await launcher.launch(endpoint, run, installed);
    if (launched.kind === 'ok') await store.used(installed);
    return launched;
  }

  async #install(
    definition: ServerDefinition,
    run: Run,
    signal: AbortSignal,
  ): Promise<
    | { readonly kind: 'installed'; readonly installed: InstalledPackage }
    | { readonly kind: 'runner'; readonly why: string }
  > {
    const { trials } = this.#options;
    const { store } = await this.#open();
    const request = { wanted: run.package, server: definition.id, scripts: false, again: false };
    const tell = (step: string): void => trials.step(definition, step);
    try {
      return { kind: 'installed', installed: await store.install({ ...request, tell, signal }) };
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = toPlugError(error);
      this.#fails(JSON.stringify(run.package), failure);
      return { kind: 'runner', why: failure.message };
    }
  }

  /** What was replaced must not run by another way, and on a full disk no other way is better. */
  #fails(name: string, error: PlugError): void {
    if (error.code === 'denied' || error.code === 'storage_failed') throw error;
    const { clock, limits } = this.#options;
    this.#failed.set(name, { why: error.message, until: clock.now() + limits.packageInstallRetryMs });
  }

  #runner(definition: ServerDefinition, why: string): void {
    const { id, endpoint } = definition;
    const { logger, trials } = this.#options;
    this.#whyRunner.set(fingerprintOf(definition), why);
    const command = endpoint.kind === 'stdio' ? endpoint.command : '';
    logger.warn(`${id} is started by ${command}: ${why}`, { server: id });
    trials.step(definition, `Using ${command} instead: ${why}`);
  }

  #open(): Promise<Parts> {
    this.#parts ??= this.#load();
    return this.#parts;
  }

  /** Most hubs start a packaged server sooner or later, but none needs this to start itself. */
  async #load(): Promise<Parts> {
    const { options, clock, ids, limits, searchPath } = this.#options;
    const [{ PackageStore }, { Launcher }] = await Promise.all([
      import('../connections/packages/package-store.ts'),
      import('../connections/packages/launch.ts'),
    ]);
    const { env: hubEnv, platform = process.platform, paths } = options;
    const bounds = { clock, ids, limits, platform, searchPath };
    return {
      store: new PackageStore({ ...bounds, hubEnv, folder: join(paths.data, 'packages') }),
      launcher: new Launcher({ ...bounds, home: homedir() }),
    };
  }
}
