import type { Cancel, Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskGroup } from '../base/tasks.ts';
import { isLocal, type ServerDefinition } from '../servers/definition.ts';
import type { OwnerId } from '../servers/store.ts';
import { Connection } from './connection.ts';
import { fetchManifest } from './fetch-manifest.ts';
import type { HostHandlers, HostPlace } from './host.ts';
import { History } from './history.ts';
import { Known } from './known.ts';
import type { Manifest, ManifestDiff } from './manifest.ts';
import type { OpenedSession, ServerOutput, SessionOpener } from './open-session.ts';
import type { Session } from './session.ts';
import { type Tenant, whoMakesRoom, whyIdle } from './room.ts';
import { BY_ALL, sharedBy, shareOf, type SharedBy } from './share.ts';
import { startLimitMs } from './start-limit.ts';
import { StartSlots } from './start-slots.ts';
import type { EventActor, ServerEvent, ServerState } from './state.ts';
import type { ConnectionStore } from './store.ts';

/** A server as the pool knows it. */
export interface PooledServer {
  /** Name in storage and events: the id, made unique where two folders define the same one. */
  readonly key: string;
  readonly definition: ServerDefinition;
  readonly fingerprint: string;
  /** Where relative things of this definition are looked up. */
  readonly folder: string;
}

/** A face that servers may ask; its per-host connections end with it. */
export interface Host extends HostPlace {
  /** As it calls itself: for people, never to decide by. */
  readonly name?: string;
  readonly handlers: HostHandlers;
}

export interface PoolEvents {
  onState(key: string, state: ServerState, event?: ServerEvent): void;
  onManifest(key: string, diff: ManifestDiff): void;
  onResourceUpdate(key: string, uri: string): void;
  onLog(key: string, entry: { readonly level: string; readonly logger?: string; readonly data: Json }): void;
}

export interface PoolOptions {
  readonly owner: OwnerId;
  readonly store: ConnectionStore;
  readonly opener: SessionOpener;
  readonly clientInfo: JsonObject;
  /** Answers servers on shared connections: whoever owns the hub itself. */
  readonly handlers: HostHandlers;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly logger: Logger;
  readonly tasks: TaskGroup;
  readonly events: PoolEvents;
}

/** For whom a connection is used. */
export interface Caller {
  readonly host?: Host | undefined;
  /** An account other than the default one. */
  readonly account?: string | undefined;
}

interface Entry {
  readonly share: string;
  readonly connection: Connection;
  readonly by: SharedBy;
  readonly account: string | undefined;
  /** Keys of all servers that share this connection. */
  readonly members: Set<string>;
  /** The first of them, as it is defined now. */
  readonly server: () => PooledServer;
  output: ServerOutput | undefined;
  /** What this very connection said last. */
  read: Manifest | undefined;
}

/** All connections: one per (command × workspace × credential), shared by whoever asks. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #servers = new Map<string, PooledServer>();
  readonly #entries = new Map<string, Entry>();
  readonly #known: Known;
  readonly #slots: StartSlots;
  readonly #timers: Cancel[];
  /** By server: what of it is still ending. */
  readonly #leaving = new Map<string, Promise<unknown>>();
  readonly #history: History;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new StartSlots(options);
    this.#history = new History({ ...options, onState: (...told) => options.events.onState(...told) });
    const { clock, limits, events } = options;
    this.#known = new Known({ ...options, onManifest: (key, diff) => events.onManifest(key, diff) });
    this.#timers = [
      clock.every(Math.min(limits.sweepMs, limits.localIdleMs / 2), () => this.#sweep()),
      clock.every(limits.healthCheckMs, () => this.#checkHealth()),
    ];
  }

  /** Reads what earlier runs learned: with manifests the catalog is there before any server runs. */
  load(): Promise<void> {
    return this.#known.load();
  }

  /** Adds or replaces one server. What ran under another fingerprint ends; the rest is untouched. */
  put(server: PooledServer): void {
    const before = this.#servers.get(server.key);
    this.#servers.set(server.key, server);
    if (!before || before.fingerprint === server.fingerprint) return;
    this.#options.tasks.run('end what was defined before', () =>
      this.release(server.key, 'Its definition changed.'),
    );
  }

  /** Takes a server off its connections: one that nobody else shares ends. */
  async release(key: string, reason: string): Promise<void> {
    const ending = Promise.all(this.#of(key).map((entry) => this.#leave(entry, key, reason)));
    const before = this.#leaving.get(key);
    const leaving = Promise.all([before, ending]);
    this.#leaving.set(key, leaving);
    await leaving;
    if (this.#leaving.get(key) === leaving) this.#leaving.delete(key);
  }

  async remove(key: string): Promise<void> {
    const leaving = this.release(key, 'Removed.');
    this.#servers.delete(key);
    await leaving;
  }

  /** Drops what is known of a server that was removed for good. */
  forget(key: string): void {
    this.#known.forget(key);
  }

  /** How many connections live or are about to. */
  get live(): number {
    return [...this.#entries.values()].filter((entry) => entry.connection.occupied).length;
  }

  has(key: string): boolean {
    return this.#servers.has(key);
  }

  server(key: string): PooledServer | undefined {
    return this.#servers.get(key);
  }

  /** In the order in which they came. */
  servers(): readonly PooledServer[] {
    return [...this.#servers.values()];
  }

  state(key: string): ServerState {
    const states = this.#of(key).map((entry) => entry.connection.state);
    const best = (['ready', 'degraded', 'starting'] as const)
      .map((kind) => states.find((state) => state.kind === kind))
      .find((state) => state !== undefined);
    return best ?? states[0] ?? { kind: 'asleep', reason: 'Starts on first use.' };
  }

  manifest(key: string): Manifest | undefined {
    return this.#known.manifest(this.#servers.get(key));
  }

  output(key: string): ServerOutput | undefined {
    return this.#of(key).find((entry) => entry.output)?.output;
  }

  /** Runs a request on the server's connection, which starts if need be. */
  use<T>(
    key: string,
    run: (session: Session) => Promise<T>,
    options: Caller & { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    // A live server is the rule, and it is found without waiting.
    const known = this.#found(key, options);
    if (known) return known.connection.use(run, options.signal);
    return this.#settled(key, options).then(({ connection }) => connection.use(run, options.signal));
  }

  async connection(key: string, host?: Host): Promise<Connection> {
    return (await this.#settled(key, { host })).connection;
  }

  /** Tells the servers that this host has for itself to ask for its roots again. */
  rootsChanged(host: string): void {
    for (const { connection } of this.#ofHost(host)) connection.live?.session.rootsChanged();
  }

  async stop(key: string, reason: string, by: EventActor): Promise<void> {
    await Promise.all(this.#of(key).map((entry) => entry.connection.stop(reason, by)));
  }

  /** Stops everything that lives, and answers which servers that were. */
  async stopAll(reason: string, by: EventActor): Promise<readonly string[]> {
    const entries = [...this.#entries.values()].filter((entry) => entry.connection.occupied);
    await Promise.all(entries.map((entry) => entry.connection.stop(reason, by)));
    return [...new Set(entries.flatMap((entry) => [...entry.members]))];
  }

  /** Ends what was opened for this host alone. */
  async detach(host: string): Promise<void> {
    const entries = this.#ofHost(host);
    for (const entry of entries) this.#entries.delete(entry.share);
    await Promise.all(entries.map((entry) => entry.connection.close('Its host has gone.', 'SYSTEM')));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    const entries = [...this.#entries.values()];
    await Promise.all(entries.map((entry) => entry.connection.close('The hub stopped.', 'SYSTEM')));
    await Promise.all(this.#leaving.values());
  }

  #of(key: string): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.members.has(key));
  }

  #ofHost(host: string): readonly Entry[] {
    return [...this.#entries.values()].filter(({ by }) => by.kind === 'host' && by.host.id === host);
  }

  async #leave(entry: Entry, key: string, reason: string): Promise<void> {
    if (entry.members.size > 1) {
      entry.members.delete(key);
      return;
    }
    // The last member stays named until the end is told: the event belongs to it.
    this.#entries.delete(entry.share);
    await entry.connection.close(reason, 'USER');
  }

  /** The usual way of a call: a connection that is there already, found without waiting. */
  #found(key: string, { host, account }: Caller): Entry | undefined {
    const server = this.#closed ? undefined : this.#servers.get(key);
    if (!server) return undefined;
    if (!host) return this.#member(shareOf(server, BY_ALL, account), key);
    const verdict = this.#known.verdictNow(server);
    const entry = verdict && this.#member(shareOf(server, sharedBy(server, host, verdict), account), key);
    return entry?.connection.live ? entry : undefined;
  }

  #member(share: string, key: string): Entry | undefined {
    const entry = this.#entries.get(share);
    return entry?.members.has(key) ? entry : undefined;
  }

  /** Some servers ask their host something as they start: only then it shows who may share them. */
  async #settled(
    key: string,
    caller: Caller & { readonly signal?: AbortSignal | undefined },
  ): Promise<Entry> {
    const entry = await this.#entry(key, caller);
    const { host, signal } = caller;
    if (!host || entry.by.kind === 'host' || entry.connection.live) return entry;
    await entry.connection.start('SYSTEM', signal);
    return this.#entry(key, caller);
  }

  async #entry(key: string, { host, account }: Caller): Promise<Entry> {
    const server = this.#servers.get(key);
    if (!server || this.#closed) {
      const message = this.#closed ? 'The hub is stopping.' : `There is no server “${key}”.`;
      throw new PlugError(this.#closed ? 'unavailable' : 'not_found', message, { owner: 'you', server: key });
    }
    const by = host ? sharedBy(server, host, await this.#known.verdict(server)) : BY_ALL;
    const share = shareOf(server, by, account);
    const known = this.#entries.get(share);
    if (known?.members.has(key)) return known;
    if (known) await this.#known.copy(known.server(), server);
    // Others may have come first while we looked.
    const entry = this.#entries.get(share) ?? this.#makeEntry(server, share, { by, account });
    entry.members.add(key);
    this.#entries.set(share, entry);
    return entry;
  }

  #makeEntry(first: PooledServer, share: string, { by, account }: Pick<Entry, 'by' | 'account'>): Entry {
    const host = by.kind === 'host' ? by.host : undefined;
    const cwd = by.kind === 'folder' ? by.folder : host?.cwd;
    const { limits, events } = this.#options;
    const members = new Set([first.key]);
    const server = (): PooledServer => this.#servers.get([...members][0] ?? '') ?? first;
    const startTimeoutMs = (): number => {
      const { definition, key } = server();
      return startLimitMs(definition, { known: this.manifest(key) !== undefined, limits });
    };
    const connection: Connection = new Connection({
      ...this.#options,
      server: first.definition.id,
      startTimeoutMs,
      open: async (args) => {
        for (const key of members) await this.#leaving.get(key);
        if (isLocal(first.definition.endpoint)) await this.#makeRoom(share);
        const open = (): Promise<OpenedSession> =>
          this.#options.opener({
            ...args,
            server: server(),
            host,
            cwd,
            account,
            handlers: host?.handlers ?? this.#options.handlers,
            clientInfo: this.#options.clientInfo,
            startTimeoutMs: startTimeoutMs(),
            verdict: () => this.#known.verdict(server()),
            remember: (verdict) => this.#known.remember(verdict),
            onOutput: (output) => {
              entry.output = output;
            },
          });
        return this.#slots.run(open, args.signal);
      },
      readManifest: ({ session }, signal) =>
        fetchManifest(session, {
          ...this.#options,
          server: first.definition.id,
          fingerprint: first.fingerprint,
          timeoutMs: startTimeoutMs(),
          signal,
        }),
      events: {
        onState: (state, event) => members.forEach((key) => this.#history.tell(key, state, event)),
        onManifest: async (manifest) => {
          const read = by.kind === 'all' ? manifest : { ...manifest, place: placeOf(by) };
          const last = entry.read;
          entry.read = read;
          await this.#keep(members, read, last);
        },
        onResourceUpdate: (uri) => members.forEach((key) => events.onResourceUpdate(key, uri)),
        onLog: (line) => members.forEach((key) => events.onLog(key, line)),
        onHostWanted: () => this.#hostWanted(members),
      },
    });
    const more = { output: undefined, read: undefined };
    const entry: Entry = { share, connection, server, by, account, members, ...more };
    return entry;
  }

  #hostWanted(members: ReadonlySet<string>): void {
    for (const server of [...members].flatMap((key) => this.#servers.get(key) ?? [])) {
      if (this.#known.verdictNow(server)?.usesHost) continue;
      const remember = (): Promise<void> => this.#known.rememberHostWanted(server);
      this.#options.tasks.run('remember that a server asks its host', remember);
    }
  }

  async #keep(members: ReadonlySet<string>, manifest: Manifest, last: Manifest | undefined): Promise<void> {
    for (const key of members) {
      const server = this.#servers.get(key);
      if (server?.fingerprint === manifest.fingerprint) await this.#known.keep(server, manifest, last);
    }
  }

  /** Keeps within the number of live local servers: the longest idle one stops first. */
  async #makeRoom(share: string): Promise<void> {
    const others = [...this.#entries.values()].filter((entry) => entry.share !== share);
    const last = whoMakesRoom(
      others.map((entry) => this.#tenant(entry)),
      this.#options.limits,
    );
    await last?.connection.stop('Stopped to make room for another server.', 'SYSTEM');
  }

  #sweep(): void {
    const { limits, tasks } = this.#options;
    for (const entry of this.#entries.values()) {
      const reason = whyIdle(this.#tenant(entry), limits);
      if (reason) tasks.run('stop an idle server', () => entry.connection.stop(reason, 'SYSTEM'));
    }
  }

  #tenant({ connection, members, server }: Entry): Tenant {
    const shares = [...members].flatMap((key) => this.#servers.get(key)?.definition ?? []);
    const keepAlive = shares.some((definition) => definition.keepAlive);
    return { connection, definition: server().definition, keepAlive };
  }

  #checkHealth(): void {
    for (const entry of this.#entries.values()) {
      this.#options.tasks.run('check health', () => entry.connection.checkHealth());
    }
  }
}

/** Where a connection that is not for all sees its server from; hosts come and go, their names stay. */
function placeOf(by: Exclude<SharedBy, { kind: 'all' }>): string {
  return by.kind === 'folder' ? by.folder : (by.host.cwd ?? `host ${by.host.name ?? by.host.id}`);
}
