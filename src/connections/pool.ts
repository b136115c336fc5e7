import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Logger } from '../base/logger.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Connection } from './connection.ts';
import { ConnectionSet } from './connection-set.ts';
import type { HostHandlers, HostPlace } from './host.ts';
import { History } from './history.ts';
import { KnownServers } from './known-servers.ts';
import type { Manifest, ManifestDiff } from './manifest.ts';
import type { ServerOutput, SessionOpener } from './open-session.ts';
import type { Session } from './session.ts';
import {
  BY_ALL,
  sharedBy,
  shareOf,
  SharedConnection,
  type SharedConnectionOptions,
} from './shared-connection.ts';
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

/** What a pool tells of its servers, by their keys. */
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
}

/** For whom a connection is used. */
export interface Caller {
  readonly host?: Host | undefined;
  /** An account other than the default one. */
  readonly account?: string | undefined;
}

/** All servers, and the connection that each caller uses: one per (command × workspace × credential). */
export class Pool {
  readonly #servers = new Map<string, PooledServer>();
  readonly #known: KnownServers;
  readonly #connections: ConnectionSet;
  readonly #shared: SharedConnectionOptions;
  readonly #listeners: Partial<PoolEvents>[] = [];
  #closed = false;

  constructor(options: PoolOptions) {
    const events = toEach(this.#listeners);
    this.#known = new KnownServers({ ...options, onManifest: (key, diff) => events.onManifest(key, diff) });
    this.#connections = new ConnectionSet(options);
    this.#shared = {
      ...options,
      events,
      servers: this.#servers,
      connections: this.#connections,
      known: this.#known,
      history: new History({ ...options, onState: (...told) => events.onState(...told) }),
      slots: new StartSlots(options),
    };
  }

  /** Reads what earlier runs learned: with manifests the catalog is there before any server runs. */
  load(): Promise<void> {
    return this.#known.load();
  }

  /** Told from now on, after those who listen already. */
  listen(events: Partial<PoolEvents>): void {
    this.#listeners.push(events);
  }

  /** Adds or replaces one server. What ran under another fingerprint ends; the rest is untouched. */
  put(server: PooledServer): void {
    const before = this.#servers.get(server.key);
    this.#servers.set(server.key, server);
    if (!before || before.fingerprint === server.fingerprint) return;
    this.#shared.tasks.run('end what was defined before', () =>
      this.release(server.key, 'Its definition changed.'),
    );
  }

  /** Takes a server off its connections: one that no other server shares ends. */
  release(key: string, reason: string): Promise<void> {
    return this.#connections.release(key, reason);
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
    return this.#connections.occupied.length;
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
    const states = this.#connections.ofServer(key).map(({ connection }) => connection.state);
    const best = (['ready', 'degraded', 'starting'] as const)
      .map((kind) => states.find((state) => state.kind === kind))
      .find((state) => state !== undefined);
    return best ?? states[0] ?? { kind: 'asleep', reason: 'Starts on first use.' };
  }

  manifest(key: string): Manifest | undefined {
    return this.#known.manifest(this.#servers.get(key));
  }

  output(key: string): ServerOutput | undefined {
    return this.#connections.ofServer(key).find(({ output }) => output)?.output;
  }

  /** Runs a request on the server's connection, which starts if need be. */
  use<T>(
    key: string,
    run: (session: Session) => Promise<T>,
    options: Caller & { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<T> {
    // A live server is the rule, and it is found without waiting.
    const known = this.#live(key, options);
    if (known) return known.connection.use(run, options.signal);
    return this.#settled(key, options).then(({ connection }) => connection.use(run, options.signal));
  }

  async connection(key: string, host?: Host): Promise<Connection> {
    return (await this.#settled(key, { host })).connection;
  }

  /** Tells the servers that this host has for itself to ask for its roots again. */
  rootsChanged(host: string): void {
    for (const { connection } of this.#connections.ofHost(host)) connection.live?.session.rootsChanged();
  }

  async stop(key: string, reason: string, by: EventActor): Promise<void> {
    const connections = this.#connections.ofServer(key);
    await Promise.all(connections.map(({ connection }) => connection.stop(reason, by)));
  }

  /** Stops everything that lives, and answers which servers that were. */
  async stopAll(reason: string, by: EventActor): Promise<readonly string[]> {
    const { occupied } = this.#connections;
    await Promise.all(occupied.map(({ connection }) => connection.stop(reason, by)));
    return [...new Set(occupied.flatMap(({ members }) => [...members]))];
  }

  /** Ends what was opened for this host alone. */
  detach(host: string): Promise<void> {
    return this.#connections.detach(host);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connections.close();
  }

  /** The usual way of a call: a connection that is there already, found without waiting. */
  #live(key: string, { host, account }: Caller): SharedConnection | undefined {
    const server = this.#closed ? undefined : this.#servers.get(key);
    if (!server) return undefined;
    if (!host) return this.#member(shareOf(server, BY_ALL, account), key);
    const verdict = this.#known.verdictNow(server);
    const shared = verdict && this.#member(shareOf(server, sharedBy(server, host, verdict), account), key);
    return shared?.connection.live ? shared : undefined;
  }

  #member(share: string, key: string): SharedConnection | undefined {
    const shared = this.#connections.get(share);
    return shared?.members.has(key) ? shared : undefined;
  }

  /** Some servers ask their host something as they start: only then it shows who may share them. */
  async #settled(
    key: string,
    caller: Caller & { readonly signal?: AbortSignal | undefined },
  ): Promise<SharedConnection> {
    const shared = await this.#join(key, caller);
    const { host, signal } = caller;
    if (!host || shared.by.kind === 'host' || shared.connection.live) return shared;
    await shared.connection.start('SYSTEM', signal);
    return this.#join(key, caller);
  }

  async #join(key: string, { host, account }: Caller): Promise<SharedConnection> {
    const server = this.#servers.get(key);
    if (!server || this.#closed) {
      const message = this.#closed ? 'The hub is stopping.' : `There is no server “${key}”.`;
      throw new PlugError(this.#closed ? 'unavailable' : 'not_found', message, { owner: 'you', server: key });
    }
    const by = host ? sharedBy(server, host, await this.#known.verdict(server)) : BY_ALL;
    const share = shareOf(server, by, account);
    const known = this.#connections.get(share);
    if (known?.members.has(key)) return known;
    if (known) await this.#known.copy(known.server, server);
    // Others may have come first while we looked.
    const shared =
      this.#connections.get(share) ?? new SharedConnection(server, { share, by, account }, this.#shared);
    shared.members.add(key);
    this.#connections.add(shared);
    return shared;
  }
}

function toEach(listeners: readonly Partial<PoolEvents>[]): PoolEvents {
  return {
    onState: (...told) => listeners.forEach((each) => each.onState?.(...told)),
    onManifest: (...told) => listeners.forEach((each) => each.onManifest?.(...told)),
    onResourceUpdate: (...told) => listeners.forEach((each) => each.onResourceUpdate?.(...told)),
    onLog: (...told) => listeners.forEach((each) => each.onLog?.(...told)),
  };
}
