import { nextStep } from '../base/remedy-command.ts';
import { hash } from 'node:crypto';
import { dirname } from 'node:path';
import { PlugError, type ErrorView } from '../base/errors.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { ServerState } from '../connections/state.ts';
import { ConfigFileCache } from '../servers/config-file.ts';
import { fingerprintOf, type ServerDefinition } from '../servers/definition.ts';
import { diffServers } from '../servers/diff.ts';
import type { Profile } from '../servers/profile.ts';
import { configPaths } from '../servers/config-paths.ts';
import { resolveServers, type FileReport, type ResolvedServer } from '../servers/sources.ts';
import { watchConfigFiles, type ConfigWatch } from '../servers/watch.ts';
import type { Core } from './core.ts';
import { checkConnect } from './decisions/server-decisions.ts';
import type { ApplyOutcome } from './hub.ts';
import type { Membership } from './membership.ts';
import { noSuch } from './no-such.ts';
import { literalSecretsIn, namesIn, toolNames } from './secrets-in.ts';

/** The servers as seen from one folder: its project file counts here and nowhere else. */
export class Workspace {
  readonly folder: string;
  readonly #core: Core;
  readonly #membership: Membership;
  readonly #cache: ConfigFileCache;
  readonly #pooled = new WeakMap<ServerDefinition, PooledServer>();
  /** Ids of servers that are being tried out before they are saved. */
  readonly trials = new Set<string>();
  #servers = new Map<string, ResolvedServer>();
  #files: readonly FileReport[] = [];
  #errors: Readonly<Record<string, ErrorView>> = {};
  #watch: ConfigWatch | undefined;
  #loading: Promise<ApplyOutcome> | undefined;

  private constructor(core: Core, folder: string, membership: Membership) {
    this.#core = core;
    this.folder = folder;
    this.#cache = new ConfigFileCache(core.clock);
    this.#membership = membership;
  }

  static async open(core: Core, folder: string, membership: Membership): Promise<Workspace> {
    const workspace = new Workspace(core, folder, membership);
    await workspace.reload();
    membership.open(workspace);
    workspace.#watch = watchConfigFiles({
      paths: workspace.#paths().map(({ path }) => path),
      clock: core.clock,
      onChange: () => core.tasks.run('apply a changed config file', () => workspace.#onFileChange()),
    });
    return workspace;
  }

  get servers(): readonly ResolvedServer[] {
    return [...this.#servers.values()];
  }

  get files(): readonly FileReport[] {
    return this.#files;
  }

  /** By id: entries that are too broken to be a server. */
  get errors(): Readonly<Record<string, ErrorView>> {
    return this.#errors;
  }

  /** Reads files and database again and applies the difference; untouched servers keep running. */
  async reload(): Promise<ApplyOutcome> {
    // One at a time, and a request that comes meanwhile gets a fresh look, not the old one.
    const before = this.#loading;
    const mine = (async () => {
      if (before) await Promise.allSettled([before]);
      return this.#load();
    })();
    this.#loading = mine;
    return mine;
  }

  /** To be called after a change in the database: it counts in every folder. */
  async changed(): Promise<void> {
    await this.#membership.reloadAll();
    this.#core.events.send({ kind: 'tools-change' });
  }

  knows(id: string): boolean {
    return this.#servers.has(id) || this.trials.has(id);
  }

  /** Undefined also while a server is only tried. */
  find(id: string): ResolvedServer | undefined {
    return this.#servers.get(id);
  }

  resolved(id: string): ResolvedServer {
    const found = this.#servers.get(id);
    if (found) return found;
    const error = Object.hasOwn(this.#errors, id) ? this.#errors[id] : undefined;
    if (error) throw PlugError.fromView(error);
    throw new PlugError('not_found', `There is no server “${id.slice(0, 80)}”.`, {
      owner: 'you',
      remedy: { do: 'show', what: 'servers' },
      details: { known: [...this.#servers.keys()] },
    });
  }

  usable(id: string): PooledServer {
    const server = this.resolved(id);
    const state = blocked(server);
    if (state) {
      const code = server.untrusted ? 'untrusted' : 'disabled';
      const { reason, remedy } = state;
      throw new PlugError(code, `${id}: ${reason}`, { owner: 'you', server: id, remedy });
    }
    const pooled = this.pooled(server);
    checkConnect(this.#core, pooled);
    return pooled;
  }

  /** Made once for each definition: every call asks for it, and its fingerprint is a hash. */
  pooled({ definition }: ResolvedServer): PooledServer {
    const known = this.#pooled.get(definition);
    if (known) return known;
    const { source } = definition;
    const isProject = source.scope === 'project' && source.file;
    const made = {
      key: serverKey(definition),
      definition,
      fingerprint: fingerprintOf(definition),
      // A project's servers start in the project, the others in one place.
      folder: isProject ? dirname(isProject) : this.#core.options.cwd,
    };
    this.#pooled.set(definition, made);
    return made;
  }

  idOf(key: string): string | undefined {
    for (const [id, { definition }] of this.#servers) if (serverKey(definition) === key) return id;
    return this.trials.has(key) ? key : undefined;
  }

  async profile(name: string | undefined): Promise<Profile | undefined> {
    if (name === undefined) return undefined;
    const profiles = await this.#core.storage.servers.listProfiles(this.#core.owner);
    const profile = profiles.find((each) => each.name === name);
    if (profile) return profile;
    throw noSuch('profile', name);
  }

  async close(): Promise<void> {
    this.#watch?.close();
    this.#membership.close(this);
    this.#core.redactor.keepReadable(`folder ${this.folder}`, []);
    for (const { definition } of this.servers) {
      const key = serverKey(definition);
      if (this.#membership.leave(this, key)) await this.#core.pool.remove(key);
    }
  }

  async #onFileChange(): Promise<void> {
    const outcome = await this.reload();
    this.#core.events.send({ kind: 'config-change', outcome });
  }

  async #load(): Promise<ApplyOutcome> {
    const { storage, owner, options } = this.#core;
    const [files, own, shared, overrides, trust] = await Promise.all([
      Promise.all(
        this.#paths().map(async ({ path, scope }) => ({
          scope,
          file: await this.#cache.read(path, { own: scope !== 'project' }),
        })),
      ),
      storage.servers.listServers(owner),
      options.tenancy?.sharedServers?.() ?? [],
      storage.servers.listOverrides(owner),
      storage.servers.listTrust(owner),
    ]);
    const resolved = resolveServers({ files, stored: [...own, ...shared], overrides, trust });
    // Plain-text secrets in files are at least not repeated by us.
    for (const { definition } of resolved.servers) {
      for (const secret of literalSecretsIn(definition)) this.#core.redactor.learn(secret);
    }
    const before = this.#servers;
    this.#servers = new Map(resolved.servers.map((server) => [server.definition.id, server]));
    this.#files = resolved.files;
    this.#errors = resolved.errors;
    const { unrecorded } = this.#core.decisions;
    for (const { server, recorded } of overrides) {
      if (recorded === false) unrecorded.add(server);
      else unrecorded.delete(server);
    }
    await this.#applyTo(before);
    this.#keepNames();
    const runnable = this.servers.filter((server) => !blocked(server)).map((server) => this.pooled(server));
    this.#core.firstLooks?.offer(runnable, (id) => this.usable(id));
    return this.#outcome(before);
  }

  /** Names stay readable, also those of tools that a server told in an earlier run. */
  #keepNames(): void {
    const { pool, redactor } = this.#core;
    const names = this.servers.flatMap(({ definition }) => [
      ...namesIn(definition),
      ...toolNames(pool.manifest(serverKey(definition))),
    ]);
    redactor.keepReadable(`folder ${this.folder}`, names);
  }

  async #applyTo(before: ReadonlyMap<string, ResolvedServer>): Promise<void> {
    const { pool } = this.#core;
    const keys = new Set<string>();
    for (const server of this.servers) {
      const pooled = this.pooled(server);
      keys.add(pooled.key);
      const block = blocked(server);
      if (block) await pool.release(pooled.key, block.reason);
      pool.put(pooled);
      this.#membership.join(this, pooled.key);
    }
    for (const { definition } of before.values()) {
      const key = serverKey(definition);
      if (!keys.has(key) && this.#membership.leave(this, key)) await pool.remove(key);
    }
  }

  #outcome(before: ReadonlyMap<string, ResolvedServer>): ApplyOutcome {
    const definitions = (servers: ReadonlyMap<string, ResolvedServer>): ServerDefinition[] =>
      [...servers.values()].map(({ definition }) => definition);
    const diff = diffServers(definitions(before), definitions(this.#servers));
    return { ...diff, changed: diff.changed.map(({ id }) => id), errors: this.#errors };
  }

  #paths(): ReturnType<typeof configPaths> {
    const { env, paths, tenancy } = this.#core.options;
    if (tenancy) return [];
    return configPaths({ envPath: env['PLUG_MCP_CONFIG'], cwd: this.folder, config: paths.config });
  }
}

/** Why a server must not run, as its state; undefined when it may. */
export function blocked({ definition, untrusted }: ResolvedServer): ServerState | undefined {
  const { id } = definition;
  if (untrusted) {
    const what = untrusted.changed ? 'changed since you trusted it' : 'is new in this project';
    const reason = `This entry ${what}; it stays off until you trust it.`;
    return { kind: 'disabled', reason, ...nextStep({ do: 'trust', server: id }) };
  }
  if (definition.enabled) return undefined;
  return { kind: 'disabled', reason: 'Disabled.', ...nextStep({ do: 'enable', server: id }) };
}

/** Two projects may define the same id: each keeps its own manifest and history. */
export function serverKey({ id, source }: ServerDefinition): string {
  if (source.scope !== 'project') return id;
  return `${id}@${hash('sha256', source.file ?? '').slice(0, 12)}`;
}
