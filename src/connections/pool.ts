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
import type { HostHandlers } from './host.ts';
import { diffTools, type Manifest, type ManifestDiff } from './manifest.ts';
import type { SessionOpener, ServerOutput } from './open-session.ts';
import type { Session } from './session.ts';
import { StartSlots } from './start-slots.ts';
import type { EventActor, ServerEvent, ServerState } from './state.ts';
import type { ConnectionStore, Verdict } from './store.ts';

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
export interface Host {
  readonly id: string;
  readonly handlers: HostHandlers;
  readonly cwd?: string;
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

interface Entry {
  readonly share: string;
  readonly connection: Connection;
  readonly server: PooledServer;
  readonly host: Host | undefined;
  /** Keys of all servers that share this connection. */
  readonly members: Set<string>;
  output: ServerOutput | undefined;
}

/** All connections: one per (command × workspace × credential), shared by whoever asks. */
export class Pool {
  readonly #options: PoolOptions;
  readonly #servers = new Map<string, PooledServer>();
  readonly #entries = new Map<string, Entry>();
  readonly #manifests = new Map<string, Manifest>();
  readonly #verdicts = new Map<string, Verdict>();
  readonly #slots: StartSlots;
  readonly #timers: Cancel[];
  #events = 0;
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new StartSlots(options);
    const { clock, limits } = options;
    this.#timers = [
      clock.every(Math.min(limits.sweepMs, limits.localIdleMs / 2), () => this.#sweep()),
      clock.every(limits.healthCheckMs, () => this.#checkHealth()),
    ];
  }

  /** Reads what earlier runs learned: with manifests the catalog is there before any server runs. */
  async load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const manifest of await store.listManifests(owner)) this.#manifests.set(manifest.server, manifest);
  }

  /** Adds or replaces one server. What ran under another fingerprint ends; the rest is untouched. */
  put(server: PooledServer): void {
    const before = this.#servers.get(server.key);
    this.#servers.set(server.key, server);
    if (before && before.fingerprint !== server.fingerprint)
      this.#leave(server.key, 'Its definition changed.');
  }

  /** Forgets a server. Its connection ends unless another server shares it. */
  async remove(key: string): Promise<void> {
    const leaving = this.#leave(key, 'Removed.');
    this.#servers.delete(key);
    await leaving;
  }

  /** How many connections live or are about to. */
  get live(): number {
    return [...this.#entries.values()].filter((entry) => entry.connection.occupied).length;
  }

  has(key: string): boolean {
    return this.#servers.has(key);
  }

  state(key: string): ServerState {
    const states = this.#of(key).map((entry) => entry.connection.state);
    const best = (['ready', 'degraded', 'starting'] as const)
      .map((kind) => states.find((state) => state.kind === kind))
      .find((state) => state !== undefined);
    return best ?? states[0] ?? { kind: 'asleep', reason: 'Starts on first use.' };
  }

  /** The manifest of the definition as it is now; one of an older definition does not count. */
  manifest(key: string): Manifest | undefined {
    const manifest = this.#manifests.get(key);
    return manifest?.fingerprint === this.#servers.get(key)?.fingerprint ? manifest : undefined;
  }

  output(key: string): ServerOutput | undefined {
    return this.#of(key).find((entry) => entry.output)?.output;
  }

  /** Runs a request on the server's connection, which starts if need be. */
  async use<T>(
    key: string,
    run: (session: Session) => Promise<T>,
    options: { readonly host?: Host | undefined; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    const entry = await this.#entry(key, options.host);
    return entry.connection.use(run, options.signal);
  }

  async connection(key: string, host?: Host): Promise<Connection> {
    return (await this.#entry(key, host)).connection;
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
    const entries = [...this.#entries.values()].filter((entry) => entry.host?.id === host);
    for (const entry of entries) this.#entries.delete(entry.share);
    await Promise.all(entries.map((entry) => entry.connection.stop('Its host has gone.', 'SYSTEM')));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const cancel of this.#timers) cancel();
    await this.stopAll('The hub stopped.', 'SYSTEM');
  }

  #of(key: string): readonly Entry[] {
    return [...this.#entries.values()].filter((entry) => entry.members.has(key));
  }

  async #leave(key: string, reason: string): Promise<void> {
    const stops = this.#of(key).map(async (entry) => {
      entry.members.delete(key);
      if (entry.members.size > 0) return;
      this.#entries.delete(entry.share);
      await entry.connection.stop(reason, 'USER');
    });
    await Promise.all(stops);
  }

  async #entry(key: string, host: Host | undefined): Promise<Entry> {
    const server = this.#servers.get(key);
    if (!server || this.#closed) {
      const message = this.#closed ? 'The hub is stopping.' : `There is no server “${key}”.`;
      throw new PlugError(this.#closed ? 'unavailable' : 'not_found', message, { owner: 'you', server: key });
    }
    const own = host && (await this.#wantsOwn(server)) ? host : undefined;
    const share = `${server.fingerprint}${own ? `#${own.id}` : ''}`;
    const known = this.#entries.get(share);
    if (known) {
      known.members.add(key);
      return known;
    }
    const entry = this.#makeEntry(server, share, own);
    this.#entries.set(share, entry);
    return entry;
  }

  /** Legacy servers that ask their host questions cannot be shared: nobody could tell who is meant. */
  async #wantsOwn(server: PooledServer): Promise<boolean> {
    if (server.definition.sharing !== 'auto') return server.definition.sharing === 'per-host';
    const verdict = await this.#verdict(server);
    return verdict?.era === 'legacy' && verdict.usesHost;
  }

  async #verdict(server: PooledServer): Promise<Verdict | undefined> {
    const known = this.#verdicts.get(server.key);
    const verdict = known ?? (await this.#options.store.getVerdict(this.#options.owner, server.key));
    if (verdict?.fingerprint !== server.fingerprint) return undefined;
    this.#verdicts.set(server.key, verdict);
    return verdict;
  }

  #makeEntry(server: PooledServer, share: string, host: Host | undefined): Entry {
    const { clock, ids, limits, logger, opener, clientInfo } = this.#options;
    const { definition, key, fingerprint } = server;
    const startTimeoutMs = definition.timeouts.startMs ?? limits.startTimeoutMs;
    const members = new Set([key]);
    const connection: Connection = new Connection({
      server: definition.id,
      clock,
      ids,
      limits,
      logger,
      startTimeoutMs,
      open: async ({ events, signal }) => {
        if (isLocal(definition.endpoint)) await this.#makeRoom(share);
        return this.#slots.run(() =>
          opener({
            server,
            host,
            handlers: host?.handlers ?? this.#options.handlers,
            clientInfo,
            events,
            signal,
            startTimeoutMs,
            verdict: () => this.#verdict(server),
            remember: (verdict) => this.#remember(verdict),
            onOutput: (output) => {
              entry.output = output;
            },
          }),
        );
      },
      readManifest: (opened, signal) =>
        fetchManifest(opened.session, {
          server: key,
          fingerprint,
          clock,
          limits,
          timeoutMs: startTimeoutMs,
          signal,
        }),
      events: {
        onState: (state, event) => this.#state(members, state, event),
        onManifest: (manifest) => this.#keep(members, manifest),
        onResourceUpdate: (uri) =>
          members.forEach((each) => this.#options.events.onResourceUpdate(each, uri)),
        onLog: (line) => members.forEach((each) => this.#options.events.onLog(each, line)),
        onHostWanted: () => this.#wantHost(server),
      },
    });
    const entry: Entry = { share, connection, server, host, members, output: undefined };
    return entry;
  }

  #state(members: ReadonlySet<string>, state: ServerState, event: EventOf | undefined): void {
    const { clock, ids, events, store, owner, tasks, limits } = this.#options;
    for (const key of members) {
      const record: ServerEvent | undefined = event && {
        id: ids.next('event'),
        server: key,
        at: clock.now(),
        state: state.kind,
        ...event,
      };
      events.onState(key, state, record);
      if (!record) continue;
      tasks.run('keep an event', () => store.appendEvent(owner, record));
      this.#events += 1;
      if (this.#events % limits.eventsKeptPerServer !== 0) continue;
      tasks.run(
        'prune events',
        async () => void (await store.pruneEvents(owner, limits.eventsKeptPerServer)),
      );
    }
  }

  async #keep(members: ReadonlySet<string>, manifest: Manifest): Promise<void> {
    const { store, owner, events } = this.#options;
    for (const key of members) {
      const before = this.manifest(key);
      const mine = { ...manifest, server: key };
      this.#manifests.set(key, mine);
      if (before?.hash === manifest.hash) continue;
      await store.putManifest(owner, mine);
      events.onManifest(key, diffTools(before, mine));
    }
  }

  async #remember(verdict: Verdict): Promise<void> {
    this.#verdicts.set(verdict.server, verdict);
    await this.#options.store.putVerdict(this.#options.owner, verdict);
  }

  #wantHost(server: PooledServer): void {
    this.#options.tasks.run('remember that a server asks its host', async () => {
      const verdict = await this.#verdict(server);
      if (verdict && !verdict.usesHost) await this.#remember({ ...verdict, usesHost: true });
    });
  }

  /** Keeps within the number of live local servers: the longest idle one stops first. */
  async #makeRoom(share: string): Promise<void> {
    const { limits } = this.#options;
    const others = [...this.#entries.values()].filter(
      (entry) =>
        entry.share !== share && isLocal(entry.server.definition.endpoint) && entry.connection.occupied,
    );
    if (others.length < limits.liveLocalServersMax) return;
    const idlest = others
      .filter((entry) => !entry.connection.busy && entry.connection.live)
      .toSorted((a, b) => b.connection.idleMs - a.connection.idleMs)[0];
    if (!idlest) {
      throw new PlugError(
        'unavailable',
        `All ${limits.liveLocalServersMax} local servers that may run are busy.`,
        {
          owner: 'you',
          next: 'plug list',
        },
      );
    }
    await idlest.connection.stop('Stopped to make room for another server.', 'SYSTEM');
  }

  #sweep(): void {
    const { limits, tasks } = this.#options;
    for (const entry of this.#entries.values()) {
      const { definition } = entry.server;
      const local = isLocal(definition.endpoint);
      const idleMs = definition.timeouts.idleMs ?? (local ? limits.localIdleMs : limits.remoteIdleMs);
      if (definition.keepAlive || !entry.connection.live || entry.connection.idleMs < idleMs) continue;
      const minutes = Math.max(1, Math.round(idleMs / 60_000));
      tasks.run('stop an idle server', () =>
        entry.connection.stop(`Idle for ${minutes} min; starts again on first use.`, 'SYSTEM'),
      );
    }
  }

  #checkHealth(): void {
    for (const entry of this.#entries.values()) {
      this.#options.tasks.run('check health', () => entry.connection.checkHealth());
    }
  }
}

type EventOf = Pick<ServerEvent, 'kind' | 'by' | 'reason'>;
